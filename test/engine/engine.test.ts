import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION, SOURCE } from '../../contract/stream/protocols.ts'
import type { Wanted, WantedOutput } from '../../engine/interfaces/channel.ts'
import { freeTcpPort, freeUdpPort } from '../kit/free-port.ts'
import { bench, benchForEach } from './bench.ts'
import { look, receive, run, until } from './media.ts'

const test = suite('engine')

benchForEach(test)

const device = { id: 10, name: 'Camera', kind: 'device', sn: 'A1' } as const
const listener = (id: number, port: number, more: object = {}): WantedOutput => ({
  id,
  name: `SRT ${id}`,
  protocol: 2,
  config: { mode: 'listener', 'bind-port': port, ...more }
})
const channel = (outputs: WantedOutput[], more: Partial<Wanted> = {}): Wanted => ({
  id: 1,
  name: 'Stage',
  enable: true,
  input: device,
  outputs,
  ...more
})

test("a device's picture moves at an SRT output, for one client after the other", async () => {
  const { engine, events } = bench
  const port = await freeUdpPort()
  engine.apply(channel([listener(1, port, { enc: 'aes-128', passphrase: 'se cret&+%41' })]))
  await bench.reaches(1, CONNECTION.connected)
  assert.equal(engine.observe(1).outputs.get(1)?.connState, CONNECTION.waiting)
  assert.equal(engine.observe(1).outputs.get(1)?.clientNum, 0)
  for (let client = 0; client < 2; client++) {
    const watching = look(`srt://127.0.0.1:${port}`, 15, ['-passphrase', 'se cret&+%41'])
    await bench.reaches(1, CONNECTION.connected, 1)
    assert.equal(engine.observe(1).outputs.get(1)?.clientNum, 1)
    const seen = await watching
    assert.equal(seen.codec, 'h264', seen.text)
    assert.equal(seen.pictures, 15)
    assert.ok(seen.different > 10, `${seen.different} different pictures`)
    await bench.reaches(1, CONNECTION.waiting, 1)
  }
  const { kbps, state, livingTimeS } = engine.observe(1)
  assert.ok(kbps > 100 && kbps < 1000, `${kbps} kbps`)
  assert.deepEqual([state, livingTimeS > 1], [SOURCE.running, true])
  assert.ok((engine.traffic().mbpsS.at(-1) ?? 0) > 0.05)
  await until('the last event', () => events.length === 6)
  assert.deepEqual(
    events.map((event) => event.kind),
    ['channel-started', 'input-up', 'output-up', 'output-down', 'output-up', 'output-down']
  )
  assert.equal(events[3]?.reason, 'client-left')
  assert.ok(bench.changes.includes(1))
})

test('RTMP is pushed to the server that has its key', async () => {
  const { engine } = bench
  const port = await freeTcpPort()
  const server = run([
    ...['-v', 'info', '-nostats', '-listen', '1', '-probesize', '200000', '-analyzeduration', '500000'],
    ...['-i', `rtmp://127.0.0.1:${port}/live/region/k3y`, '-map', '0:v', '-frames:v', '20', '-f', 'framemd5', '-']
  ])
  const config = { url: `rtmp://127.0.0.1:${port}/live/region`, key: 'k3y' }
  engine.apply(channel([{ id: 2, name: 'CDN', protocol: 1, config }]))
  await bench.reaches(1, CONNECTION.connected, 2)
  await server.done
  const pictures = [...server.text().matchAll(/^0,.*, *([0-9a-f]{32})$/gm)].map((match) => match[1])
  assert.match(server.text(), /Video: h264/)
  assert.ok(new Set(pictures).size > 12, server.text())
  await bench.reaches(1, CONNECTION.disconnected, 2)
  assert.equal(engine.observe(1).connState, CONNECTION.connected)
})

test('adding, changing, breaking and removing an output leaves the input and the others running', async () => {
  const { engine, orders } = bench
  const [kept, second, third] = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort()]
  engine.apply(channel([listener(1, kept)]))
  await bench.reaches(1, CONNECTION.connected)
  const viewer = receive(`srt://127.0.0.1:${kept}`)
  await bench.reaches(1, CONNECTION.connected, 1)
  const nowhere: WantedOutput = {
    id: 3,
    name: 'Nowhere',
    protocol: 1,
    config: { url: `rtmp://127.0.0.1:${await freeTcpPort()}/live`, key: 'k' }
  }
  const steps: [what: string, wanted: Wanted][] = [
    ['an output is added', channel([listener(1, kept), listener(2, second)])],
    ['one that fails is added', channel([listener(1, kept), listener(2, second), nowhere])],
    ['one is changed', channel([listener(1, kept), listener(2, third), nowhere])],
    [
      'all are renamed',
      { ...channel([{ ...listener(1, kept), name: 'New' }, listener(2, third), nowhere]), name: 'B' }
    ],
    ['the others are removed', channel([listener(1, kept)], { input: { ...device, name: 'New' } })]
  ]
  for (const [what, wanted] of steps) {
    const before = engine.counted(1)
    engine.apply(wanted)
    if (wanted.outputs.includes(nowhere)) await bench.reaches(1, CONNECTION.refused, 3)
    await until(
      () => `more at the viewer after ${what}`,
      () => {
        const { input, outputs } = engine.counted(1)
        return input > before.input + 15_000 && (outputs.get(1) ?? 0) > (before.outputs.get(1) ?? 0) + 15_000
      }
    )
  }
  assert.equal(orders.length, 1)
  assert.ok(viewer.running())
  assert.ok(viewer.gap() < 1000, `a gap of ${viewer.gap()} ms`)
  assert.ok((engine.observe(1).outputs.get(1)?.livingTimeS ?? 0) >= 2)
  assert.ok(viewer.bytes() > 60_000)
  await until('the processes of the others to end', () => engine.processes() === 2)
})

test('an output is switched off and on while the others run on without a gap', async () => {
  const { engine, orders } = bench
  const [kept, switched] = [await freeUdpPort(), await freeUdpPort()]
  const wanted = (enable: boolean) => channel([listener(1, kept), { ...listener(2, switched), enable }])
  engine.apply(wanted(true))
  await bench.reaches(1, CONNECTION.connected)
  const viewer = receive(`srt://127.0.0.1:${kept}`)
  await bench.reaches(1, CONNECTION.connected, 1)
  receive(`srt://127.0.0.1:${switched}`)
  await bench.reaches(1, CONNECTION.connected, 2)
  const since = engine.figures(1, 2)?.report(0)?.since
  const running = engine.processes()
  for (const enable of [false, true, false]) {
    const before = engine.counted(1)
    engine.apply(wanted(enable))
    await bench.reaches(1, CONNECTION.waiting, 2)
    await until(
      () => `more at the viewer of the other while it is ${enable ? 'on' : 'off'}`,
      () => {
        const { input, outputs } = engine.counted(1)
        return input > before.input + 15_000 && (outputs.get(1) ?? 0) > (before.outputs.get(1) ?? 0) + 15_000
      }
    )
    await until('the processes that are wanted', () => engine.processes() === running - (enable ? 0 : 1))
    assert.equal(engine.observe(1).outputs.get(2)?.state, enable ? SOURCE.running : SOURCE.initializing)
    assert.equal(engine.counted(1).outputs.has(2), enable)
  }
  assert.equal(engine.figures(1, 2)?.report(0)?.since, since, 'what was counted of it is kept')
  assert.equal(orders.length, 1)
  assert.ok(viewer.running())
  assert.ok(viewer.gap() < 1000, `a gap of ${viewer.gap()} ms`)
})

test('two channels share one device: it is asked once, and let go with the last', async () => {
  const { engine, orders, ended } = bench
  engine.apply(channel([]))
  engine.apply(channel([], { id: 2 }))
  await bench.reaches(2, CONNECTION.connected)
  engine.remove(1)
  assert.equal(engine.observe(2).connState, CONNECTION.connected)
  assert.deepEqual([orders.length, ended.length, engine.processes()], [1, 0, 1])
  engine.apply(channel([], { id: 2, enable: false }))
  await until('the device to be let go', () => ended.length === 1 && engine.processes() === 0)
  const { state, connState, kbps } = engine.observe(2)
  assert.deepEqual([state, connState, kbps], [SOURCE.initializing, CONNECTION.waiting, 0])
})

test('a channel without an input, or that is off, runs nothing', async () => {
  const { engine, orders } = bench
  engine.apply(channel([listener(1, await freeUdpPort())], { input: null }))
  engine.apply(channel([listener(1, await freeUdpPort())], { id: 2, enable: false }))
  assert.equal(engine.processes(), 0)
  assert.equal(orders.length, 0)
  assert.equal(engine.observe(1).outputs.get(1)?.connState, CONNECTION.waiting)
  assert.equal(engine.observe(99).connState, CONNECTION.waiting)
})

test.run()
