import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import { CONNECTION, SOURCE } from '../../contract/stream/protocols.ts'
import type { WantedInput, WantedOutput } from '../../engine/interfaces/channel.ts'
import { freeTcpPort, freeUdpPort } from '../kit/free-port.ts'
import { bench, benchForEach, replaceBench } from './bench.ts'
import { clip, look, run, until } from './media.ts'
import { CAMERA, source } from './wanted.ts'

const test = suite('recovery')

const SECRET = 'hush-hush-hush'
benchForEach(test, { patience: { stall: 3500, start: 6000 } })
test.after.each(() => {
  for (const event of bench.events) assert.doesNotMatch(JSON.stringify(event), /hush/)
})

function apply(id: number, input: WantedInput, ...outputs: WantedOutput[]): void {
  bench.engine.apply({ id, name: `Channel ${id}`, enable: true, input, outputs })
}

test('an input that dies comes back, with a new passphrase, and the output shows it again', async () => {
  const { engine, orders, pushing, events } = bench
  const port = await freeUdpPort()
  apply(1, CAMERA, { id: 1, name: 'Out', protocol: 2, config: { mode: 'listener', 'bind-port': port } })
  await bench.reaches(1, CONNECTION.connected)
  await pushing.get('A1')?.kill('SIGTERM')
  await until('the loss to show', () => engine.observe(1).connState !== CONNECTION.connected)
  await bench.reaches(1, CONNECTION.connected)
  assert.equal(orders.length, 2)
  assert.notEqual(orders[0]?.order.passphrase, orders[1]?.order.passphrase)
  const seen = await look(`srt://127.0.0.1:${port}`)
  assert.ok(seen.different > 6, seen.text)
  await until('the return to be told', () => events.filter((event) => event.kind === 'input-up').length === 2)
  assert.ok(events.some((event) => event.kind === 'input-down' && event.reason))
  assert.ok(engine.processes() <= 2)
})

test('an offline device is offline, and is asked again when it returns', async () => {
  const { engine, orders } = bench
  bench.setOnline('A1', false)
  apply(1, CAMERA)
  assert.equal(engine.observe(1).state, SOURCE.offline)
  assert.deepEqual([orders.length, engine.processes()], [0, 0])
  bench.setOnline('A1', true)
  await bench.reaches(1, CONNECTION.connected)
  bench.setOnline('A1', false)
  const { state, kbps, livingTimeS } = engine.observe(1)
  assert.deepEqual([state, kbps, livingTimeS], [SOURCE.offline, 0, 0])
  await until('its process to end', () => engine.processes() === 0)
  bench.setOnline('A1', true)
  await bench.reaches(1, CONNECTION.connected)
  assert.equal(orders.length, 2)
})

test('a stalled input is not called connected, and is started anew', async () => {
  const { engine, orders, pushing, events } = bench
  apply(1, CAMERA)
  await bench.reaches(1, CONNECTION.connected)
  // Stopped, not ended: the connection stands and nothing comes.
  process.kill(pushing.get('A1')?.pid ?? 0, 'SIGSTOP')
  await bench.reaches(1, CONNECTION.waitingForData)
  const { kbps, livingTimeS, reason } = engine.observe(1)
  assert.deepEqual([kbps, livingTimeS, reason], [0, 0, 'no-data'])
  await until('another order', () => orders.length === 2)
  await bench.reaches(1, CONNECTION.connected)
  await until('the event', () => events.at(-1)?.kind === 'input-up')
  assert.equal(events.at(-2)?.kind, 'input-down')
  assert.match(events.at(-2)?.reason ?? '', /^no-data/)
})

test('a client that leaves while the input is still makes room for the next', async () => {
  const { engine, pushing } = bench
  const port = await freeUdpPort()
  apply(1, CAMERA, { id: 1, name: 'Out', protocol: 2, config: { mode: 'listener', 'bind-port': port } })
  const viewer = run(['-v', 'error', '-i', `srt://127.0.0.1:${port}`, '-c', 'copy', '-f', 'null', '-'])
  await bench.reaches(1, CONNECTION.connected, 1)
  process.kill(pushing.get('A1')?.pid ?? 0, 'SIGSTOP')
  await viewer.kill('SIGTERM')
  await bench.reaches(1, CONNECTION.waiting, 1)
  assert.equal(engine.observe(1).outputs.get(1)?.clientNum, 0)
})

test('a device that refuses says why', async () => {
  await replaceBench({ order: () => Promise.reject(new Error('busy')) })
  apply(1, CAMERA)
  await bench.reaches(1, CONNECTION.failed)
  assert.equal(bench.engine.observe(1).reason, 'device-refuses busy')
  assert.equal(bench.engine.observe(1).state, SOURCE.failed)
})

test('refused, unknown, wrong passphrase and port in use are told apart', async () => {
  const { engine } = bench
  const closed = await freeTcpPort()
  const guarded = await freeUdpPort()
  const server = run([
    ...['-v', 'error', '-f', 'data', '-i', `srt://127.0.0.1:${guarded}?mode=listener&passphrase=another-one`],
    ...['-map', '0', '-c', 'copy', '-f', 'data', '-y', '/dev/null']
  ])
  const held = `:${guarded.toString(16).toUpperCase().padStart(4, '0')} `
  await until('the port to be taken', () => readFileSync('/proc/net/udp', 'utf8').includes(held))
  apply(
    1,
    CAMERA,
    { id: 1, name: 'Refused', protocol: 1, config: { url: `rtmp://127.0.0.1:${closed}/live`, key: SECRET } },
    { id: 2, name: 'Unknown', protocol: 1, config: { url: 'rtmp://no.such.invalid/live', key: SECRET } },
    {
      id: 3,
      name: 'Passphrase',
      protocol: 2,
      config: { mode: 'caller', 'dst-ip': '127.0.0.1', 'dst-port': guarded, enc: 'aes-128', passphrase: SECRET }
    },
    { id: 4, name: 'In use', protocol: 2, config: { mode: 'listener', 'bind-port': guarded } },
    {
      id: 5,
      name: 'Login',
      protocol: 1,
      config: { url: `rtmp://127.0.0.1:${closed}/a`, key: 'k', 'enable-auth': true, username: 'u', password: SECRET }
    }
  )
  apply(2, source(10, `http://joe:${SECRET}@127.0.0.1:${closed}/live.m3u8?token=${SECRET}`))
  apply(3, source(10, 'srt://no.such.invalid:9000?mode=caller'))
  apply(4, source(10, `srt://127.0.0.1:${guarded}?mode=caller&passphrase=${SECRET}&streamid=${SECRET}`))
  const wanted: [channel: number, output: number | undefined, state: number][] = [
    [1, 1, CONNECTION.refused],
    [1, 2, CONNECTION.nameNotFound],
    [1, 3, CONNECTION.notAuthorized],
    [1, 4, CONNECTION.creationFailed],
    [1, 5, CONNECTION.refused],
    [2, undefined, CONNECTION.refused],
    [3, undefined, CONNECTION.nameNotFound],
    [4, undefined, CONNECTION.notAuthorized]
  ]
  for (const [id, output, state] of wanted) {
    await bench.reaches(id, state, output)
    const channel = engine.observe(id)
    const leg = output === undefined ? channel : channel.outputs.get(output)
    assert.ok(leg?.reason)
    assert.doesNotMatch(leg.reason, /hush/)
  }
  assert.equal(engine.observe(1).connState, CONNECTION.connected)
  assert.ok(server.running())
  // However often they fail, there is never more than one process for each leg.
  assert.ok(engine.processes() <= 9, `${engine.processes()} processes`)
})

test('a listener tells of a caller with a wrong passphrase, and takes the right one', async () => {
  const { engine } = bench
  const port = await freeUdpPort()
  apply(1, source(10, `srt://127.0.0.1:${port}?mode=listener&passphrase=${SECRET}`))
  await until('it to listen', () => engine.observe(1).connState === CONNECTION.waiting && engine.processes() === 1)
  const target = `srt://127.0.0.1:${port}?mode=caller&pkt_size=1316`
  const args = (passphrase: string) => [
    ...['-v', 'error', '-re', '-stream_loop', '-1', '-i', clip(), '-c', 'copy', '-f', 'mpegts'],
    ...['-passphrase', passphrase, target]
  ]
  const wrong = run(args('something-else'))
  await bench.reaches(1, CONNECTION.notAuthorized)
  assert.equal(await wrong.done, 1)
  run(args(SECRET))
  await bench.reaches(1, CONNECTION.connected)
})

test.run()
