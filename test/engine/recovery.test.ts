import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import type { WantedInput, WantedOutput } from '../../engine/interfaces/channel.ts'
import { fixture, fixtureForEach, replaceFixture } from '../kit/engine/engine-fixture.ts'
import { clipPath, decodeFrames, runProcess } from '../kit/engine/media.ts'
import { CAMERA, urlInput } from '../kit/engine/wanted-channels.ts'
import { freeTcpPort, freeUdpPort } from '../kit/net/free-port.ts'
import { until } from '../kit/until.ts'

const test = suite('recovery')

const SECRET = 'hush-hush-hush'
fixtureForEach(test, { timeouts: { stall: 3500, start: 6000 } })
test.after.each(() => {
  for (const event of fixture.events) assert.doesNotMatch(JSON.stringify(event), /hush/)
})

function apply(id: number, input: WantedInput, ...outputs: WantedOutput[]): void {
  fixture.engine.apply({ id, name: `Channel ${id}`, enable: true, input, outputs })
}

test('an input whose process ends is restarted with a new passphrase, and the output carries it again', async () => {
  const { engine, orders, pushingProcesses: pushing, events } = fixture
  const port = await freeUdpPort()
  apply(1, CAMERA, { id: 1, name: 'Out', protocol: 2, config: { mode: 'listener', 'bind-port': port } })
  const arrivals = () => events.filter(({ kind }) => kind === 'input-up').length
  await until(() => arrivals() === 1, 'the input is connected')
  await pushing.get('A1')?.kill('SIGTERM')
  await until(() => engine.observe(1).connState !== CONNECTION_STATE.connected, 'the loss is detected')
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  assert.equal(orders.length, 2)
  assert.notEqual(orders[0]?.order.passphrase, orders[1]?.order.passphrase)
  const decoded = await decodeFrames(`srt://127.0.0.1:${port}`)
  assert.ok(decoded.distinctFrames > 6, decoded.log)
  await until(
    () => arrivals() >= 2,
    () => `there is a second input-up event: ${events.map((event) => event.kind)}`
  )
  assert.ok(events.some((event) => event.kind === 'input-down' && event.reason))
  // The relay, and the SRT ports of the input and of the output.
  assert.ok(engine.processCount() <= 3)
})

test('an offline device has the state offline, and gets a new order when it is online again', async () => {
  const { engine, orders } = fixture
  fixture.setOnline('A1', false)
  apply(1, CAMERA)
  assert.equal(engine.observe(1).state, SOURCE_STATE.offline)
  assert.deepEqual([orders.length, engine.processCount()], [0, 0])
  fixture.setOnline('A1', true)
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  fixture.setOnline('A1', false)
  const { state, kbps, livingTimeS } = engine.observe(1)
  assert.deepEqual([state, kbps, livingTimeS], [SOURCE_STATE.offline, 0, 0])
  await until(() => engine.processCount() === 1, 'only the relay runs')
  fixture.setOnline('A1', true)
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  assert.equal(orders.length, 2)
})

test('a stalled input is not connected, and is restarted', async () => {
  const { engine, orders, pushingProcesses: pushing, events } = fixture
  apply(1, CAMERA)
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  // The stopped process keeps its connection and sends nothing.
  process.kill(pushing.get('A1')?.pid ?? 0, 'SIGSTOP')
  await fixture.waitForState(1, CONNECTION_STATE.waitingForData)
  const { kbps, livingTimeS, reason } = engine.observe(1)
  assert.deepEqual([kbps, livingTimeS, reason], [0, 0, 'no-data'])
  await until(() => orders.length === 2, 'there is another order')
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  await until(() => events.at(-1)?.kind === 'input-up', 'there is an input-up event')
  assert.equal(events.at(-2)?.kind, 'input-down')
  assert.match(events.at(-2)?.reason ?? '', /^no-data/)
})

test('a client that leaves while the input is stalled frees its place', async () => {
  const { engine, pushingProcesses: pushing } = fixture
  const port = await freeUdpPort()
  apply(1, CAMERA, { id: 1, name: 'Out', protocol: 2, config: { mode: 'listener', 'bind-port': port } })
  const player = runProcess(['-v', 'error', '-i', `srt://127.0.0.1:${port}`, '-c', 'copy', '-f', 'null', '-'])
  await fixture.waitForState(1, CONNECTION_STATE.connected, 1)
  process.kill(pushing.get('A1')?.pid ?? 0, 'SIGSTOP')
  await player.kill('SIGTERM')
  await fixture.waitForState(1, CONNECTION_STATE.waiting, 1)
  assert.equal(engine.observe(1).outputs.get(1)?.clientNum, 0)
})

test('a device that refuses its order has a reason', async () => {
  await replaceFixture({ orderPush: () => Promise.reject(new Error('busy')) })
  apply(1, CAMERA)
  await fixture.waitForState(1, CONNECTION_STATE.failed)
  assert.equal(fixture.engine.observe(1).reason, 'device-refuses busy')
  assert.equal(fixture.engine.observe(1).state, SOURCE_STATE.failed)
})

test('refused connections, unknown names, wrong passphrases and ports in use have different states', async () => {
  const { engine } = fixture
  const closed = await freeTcpPort()
  const encryptedPort = await freeUdpPort()
  const server = runProcess([
    ...['-v', 'error', '-f', 'data', '-i', `srt://127.0.0.1:${encryptedPort}?mode=listener&passphrase=another-one`],
    ...['-map', '0', '-c', 'copy', '-f', 'data', '-y', '/dev/null']
  ])
  const hexPort = `:${encryptedPort.toString(16).toUpperCase().padStart(4, '0')} `
  await until(() => readFileSync('/proc/net/udp', 'utf8').includes(hexPort), 'the server listens')
  apply(
    1,
    CAMERA,
    { id: 1, name: 'Refused', protocol: 1, config: { url: `rtmp://127.0.0.1:${closed}/live`, key: SECRET } },
    { id: 2, name: 'Unknown', protocol: 1, config: { url: 'rtmp://no.such.invalid/live', key: SECRET } },
    {
      id: 3,
      name: 'Passphrase',
      protocol: 2,
      config: { mode: 'caller', 'dst-ip': '127.0.0.1', 'dst-port': encryptedPort, enc: 'aes-128', passphrase: SECRET }
    },
    { id: 4, name: 'In use', protocol: 2, config: { mode: 'listener', 'bind-port': encryptedPort } },
    {
      id: 5,
      name: 'Login',
      protocol: 1,
      config: { url: `rtmp://127.0.0.1:${closed}/a`, key: 'k', 'enable-auth': true, username: 'u', password: SECRET }
    }
  )
  apply(2, urlInput(10, `http://joe:${SECRET}@127.0.0.1:${closed}/live.m3u8?token=${SECRET}`))
  apply(3, urlInput(10, 'srt://no.such.invalid:9000?mode=caller'))
  apply(4, urlInput(10, `srt://127.0.0.1:${encryptedPort}?mode=caller&passphrase=${SECRET}&streamid=${SECRET}`))
  const expected: [channel: number, output: number | undefined, state: number][] = [
    [1, 1, CONNECTION_STATE.refused],
    [1, 2, CONNECTION_STATE.nameNotFound],
    [1, 3, CONNECTION_STATE.notAuthorized],
    [1, 4, CONNECTION_STATE.creationFailed],
    [1, 5, CONNECTION_STATE.refused],
    [2, undefined, CONNECTION_STATE.refused],
    [3, undefined, CONNECTION_STATE.nameNotFound],
    [4, undefined, CONNECTION_STATE.notAuthorized]
  ]
  for (const [id, output, state] of expected) {
    await fixture.waitForState(id, state, output)
    const channel = engine.observe(id)
    const leg = output === undefined ? channel : channel.outputs.get(output)
    assert.ok(leg?.reason)
    assert.doesNotMatch(leg.reason, /hush/)
  }
  assert.equal(engine.observe(1).connState, CONNECTION_STATE.connected)
  assert.ok(server.isRunning())
  // Failing legs never have more than one process each, and a relay for each input.
  assert.ok(engine.processCount() <= 13, `${engine.processCount()} processes`)
})

test('a listener reports a caller with a wrong passphrase, and accepts the right one', async () => {
  const { engine } = fixture
  const port = await freeUdpPort()
  apply(1, urlInput(10, `srt://127.0.0.1:${port}?mode=listener&passphrase=${SECRET}`))
  await until(
    () => engine.observe(1).connState === CONNECTION_STATE.waiting && engine.processCount() === 2,
    'the input listens'
  )
  const target = `srt://127.0.0.1:${port}?mode=caller&pkt_size=1316`
  const args = (passphrase: string) => [
    ...['-v', 'error', '-re', '-stream_loop', '-1', '-i', clipPath(), '-c', 'copy', '-f', 'mpegts'],
    ...['-passphrase', passphrase, target]
  ]
  const wrongClient = runProcess(args('something-else'))
  await fixture.waitForState(1, CONNECTION_STATE.notAuthorized)
  assert.equal(await wrongClient.exited, 1)
  runProcess(args(SECRET))
  await fixture.waitForState(1, CONNECTION_STATE.connected)
})

test.run()
