import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import type { WantedChannel, WantedOutput } from '../../engine/interfaces/channel.ts'
import { fixture, fixtureForEach } from '../kit/engine/engine-fixture.ts'
import { decodeFrames, runProcess, startReceiver } from '../kit/engine/media.ts'
import { freeTcpPort, freeUdpPort } from '../kit/net/free-port.ts'
import { until } from '../kit/until.ts'
import { waitDuring } from '../kit/within.ts'

const test = suite('engine')

fixtureForEach(test)

const device = { id: 10, name: 'Camera', kind: 'device', sn: 'A1' } as const
const listener = (id: number, port: number, overrides: object = {}): WantedOutput => ({
  id,
  name: `SRT ${id}`,
  protocol: 2,
  config: { mode: 'listener', 'bind-port': port, ...overrides }
})
const channel = (outputs: WantedOutput[], overrides: Partial<WantedChannel> = {}): WantedChannel => ({
  id: 1,
  name: 'Stage',
  enable: true,
  input: device,
  outputs,
  ...overrides
})

test("an SRT output passes a device's video to one client after the other", async () => {
  const { engine, events } = fixture
  const port = await freeUdpPort()
  engine.apply(channel([listener(1, port, { enc: 'aes-128', passphrase: 'se cret&+%41' })]))
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  assert.equal(engine.observe(1).outputs.get(1)?.connState, CONNECTION_STATE.waiting)
  assert.equal(engine.observe(1).outputs.get(1)?.clientNum, 0)
  for (let client = 0; client < 2; client++) {
    const decoding = decodeFrames(`srt://127.0.0.1:${port}`, 15, ['-passphrase', 'se cret&+%41'])
    await fixture.waitForState(1, CONNECTION_STATE.connected, 1)
    assert.equal(engine.observe(1).outputs.get(1)?.clientNum, 1)
    const decodedStream = await decoding
    assert.equal(decodedStream.codec, 'h264', decodedStream.log)
    assert.equal(decodedStream.frameCount, 15)
    assert.ok(decodedStream.distinctFrames > 10, `${decodedStream.distinctFrames} distinct frames`)
    await fixture.waitForState(1, CONNECTION_STATE.waiting, 1)
  }
  const { kbps, state } = engine.observe(1)
  assert.ok(kbps > 100 && kbps < 1000, `${kbps} kbps`)
  assert.equal(state, SOURCE_STATE.running)
  await until(() => engine.observe(1).livingTimeS > 1, 'the channel counts how long it runs')
  assert.ok((engine.trafficHistory().mbpsS.at(-1) ?? 0) > 0.05)
  await until(() => events.length === 6, 'the last event has arrived')
  assert.deepEqual(
    events.map((event) => event.kind),
    ['channel-started', 'input-up', 'output-up', 'output-down', 'output-up', 'output-down']
  )
  assert.equal(events[3]?.reason, 'client-left')
  assert.ok(fixture.changedChannels.includes(1))
})

test('a channel is on air since its own stream carries media, not since a shared input does', async () => {
  const { engine } = fixture
  engine.apply(channel([]))
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  await until(() => engine.observe(1).input.livingTimeS >= 3, 'the input is 3 s old')
  assert.ok(engine.observe(1).livingTimeS >= 2)
  engine.apply(channel([], { id: 2, name: 'Second' }))
  await fixture.waitForState(2, CONNECTION_STATE.connected)
  const { livingTimeS, input } = engine.observe(2)
  assert.ok(input.livingTimeS - livingTimeS >= 2, `on air for ${livingTimeS} s, the input for ${input.livingTimeS} s`)

  engine.apply(channel([], { enable: false }))
  assert.equal(engine.observe(1).livingTimeS, 0)
  engine.apply(channel([]))
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  const restarted = engine.observe(1)
  assert.ok(restarted.input.livingTimeS - restarted.livingTimeS >= 2, 'it begins again when it is started again')
})

test('RTMP is pushed to a server with its stream key', async () => {
  const { engine } = fixture
  const port = await freeTcpPort()
  const server = runProcess([
    ...['-v', 'info', '-nostats', '-listen', '1', '-probesize', '200000', '-analyzeduration', '500000'],
    ...['-i', `rtmp://127.0.0.1:${port}/live/region/k3y`, '-map', '0:v', '-frames:v', '75', '-f', 'framemd5', '-']
  ])
  const config = { url: `rtmp://127.0.0.1:${port}/live/region`, key: 'k3y' }
  engine.apply(channel([{ id: 2, name: 'CDN', protocol: 1, config }]))
  await fixture.waitForState(1, CONNECTION_STATE.connected, 2)
  // Only until the next attempt, which is refused.
  await fixture.waitForState(1, CONNECTION_STATE.disconnected, 2)
  await server.exited
  const frameHashes = [...server.output().matchAll(/^0,.*, *([0-9a-f]{32})$/gm)].map((match) => match[1])
  assert.match(server.output(), /Video: h264/)
  assert.ok(new Set(frameHashes).size > 12, server.output())
  assert.equal(engine.observe(1).connState, CONNECTION_STATE.connected)
})

test('adding, changing and removing an output, also a failing one, does not disturb the input and the other outputs', async () => {
  const { engine, orders } = fixture
  const [unchanged, second, third] = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort()]
  engine.apply(channel([listener(1, unchanged)]))
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  const receiver = startReceiver(`srt://127.0.0.1:${unchanged}`)
  await fixture.waitForState(1, CONNECTION_STATE.connected, 1)
  const nowhere: WantedOutput = {
    id: 3,
    name: 'Nowhere',
    protocol: 1,
    config: { url: `rtmp://127.0.0.1:${await freeTcpPort()}/live`, key: 'k' }
  }
  const steps: [step: string, wantedChannel: WantedChannel][] = [
    ['an output is added', channel([listener(1, unchanged), listener(2, second)])],
    ['a failing output is added', channel([listener(1, unchanged), listener(2, second), nowhere])],
    ['an output is changed', channel([listener(1, unchanged), listener(2, third), nowhere])],
    [
      'the channel and an output are renamed',
      { ...channel([{ ...listener(1, unchanged), name: 'New' }, listener(2, third), nowhere]), name: 'B' }
    ],
    ['the other outputs are removed', channel([listener(1, unchanged)], { input: { ...device, name: 'New' } })]
  ]
  const wait = await waitDuring(async () => {
    for (const [step, wantedChannel] of steps) {
      const before = engine.byteTotals(1)
      engine.apply(wantedChannel)
      if (wantedChannel.outputs.includes(nowhere)) await fixture.waitForState(1, CONNECTION_STATE.refused, 3)
      await until(
        () => {
          const { input, outputs } = engine.byteTotals(1)
          return input > before.input + 15_000 && (outputs.get(1) ?? 0) > (before.outputs.get(1) ?? 0) + 15_000
        },
        () => `the receiver gets more data after this step: ${step}`
      )
    }
  })
  assert.equal(orders.length, 1)
  assert.ok(receiver.isRunning())
  assert.ok(receiver.longestGapMs() < 1000 + wait, `longest gap ${receiver.longestGapMs()} ms`)
  assert.ok((engine.observe(1).outputs.get(1)?.livingTimeS ?? 0) >= 2)
  assert.ok(receiver.bytes() > 60_000)
  // The relay, and the SRT ports of the input and of the output.
  await until(() => engine.processCount() === 3, 'the processes of the other outputs have ended')
})

test('disabling and enabling an output causes no gap in the others', async () => {
  const { engine, orders } = fixture
  const [unchanged, switched] = [await freeUdpPort(), await freeUdpPort()]
  const createChannel = (enable: boolean) => channel([listener(1, unchanged), { ...listener(2, switched), enable }])
  engine.apply(createChannel(true))
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  const receiver = startReceiver(`srt://127.0.0.1:${unchanged}`)
  await fixture.waitForState(1, CONNECTION_STATE.connected, 1)
  startReceiver(`srt://127.0.0.1:${switched}`)
  await fixture.waitForState(1, CONNECTION_STATE.connected, 2)
  const since = engine.legStats(1, 2)?.report(0)?.since
  const running = engine.processCount()
  for (const enable of [false, true, false]) {
    const before = engine.byteTotals(1)
    engine.apply(createChannel(enable))
    await fixture.waitForState(1, CONNECTION_STATE.waiting, 2)
    await until(
      () => {
        const { input, outputs } = engine.byteTotals(1)
        return input > before.input + 15_000 && (outputs.get(1) ?? 0) > (before.outputs.get(1) ?? 0) + 15_000
      },
      () => `the receiver of the other output gets more data after enable = ${enable}`
    )
    await until(() => engine.processCount() === running - (enable ? 0 : 1), 'the expected number of processes runs')
    assert.equal(engine.observe(1).outputs.get(2)?.state, enable ? SOURCE_STATE.running : SOURCE_STATE.initializing)
    assert.equal(engine.byteTotals(1).outputs.has(2), enable)
  }
  assert.equal(engine.legStats(1, 2)?.report(0)?.since, since, 'its statistics are kept')
  assert.equal(orders.length, 1)
  assert.ok(receiver.isRunning())
  assert.ok(receiver.longestGapMs() < 1000, `longest gap ${receiver.longestGapMs()} ms`)
})

test('two channels share one push of a device, which is cancelled with the last channel', async () => {
  const { engine, orders, cancelledOrders: ended } = fixture
  engine.apply(channel([]))
  engine.apply(channel([], { id: 2 }))
  await fixture.waitForState(2, CONNECTION_STATE.connected)
  engine.remove(1)
  assert.equal(engine.observe(2).connState, CONNECTION_STATE.connected)
  // The SRT port, and the relay.
  assert.deepEqual([orders.length, ended.length, engine.processCount()], [1, 0, 2])
  engine.apply(channel([], { id: 2, enable: false }))
  await until(() => ended.length === 1 && engine.processCount() === 0, 'the push of the device is cancelled')
  const { state, connState, kbps } = engine.observe(2)
  assert.deepEqual([state, connState, kbps], [SOURCE_STATE.initializing, CONNECTION_STATE.waiting, 0])
})

test('a channel without an input and a disabled channel start no process', async () => {
  const { engine, orders } = fixture
  engine.apply(channel([listener(1, await freeUdpPort())], { input: null }))
  engine.apply(channel([listener(1, await freeUdpPort())], { id: 2, enable: false }))
  assert.equal(engine.processCount(), 0)
  assert.equal(orders.length, 0)
  assert.equal(engine.observe(1).outputs.get(1)?.connState, CONNECTION_STATE.waiting)
  assert.equal(engine.observe(99).connState, CONNECTION_STATE.waiting)
})

test.run()
