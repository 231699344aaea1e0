// Channels that one engine hands over to another one, and what their receivers lose.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION_STATE, HTTP, RTSP, SRT, UDP } from '../../../contract/stream/protocols.ts'
import type { WantedChannel, WantedInput, WantedOutput } from '../../../engine/interfaces/channel.ts'
import { createFixture, type EngineFixture } from '../../kit/engine/engine-fixture.ts'
import { FRAME_RATE, sendFrameCounter, UdpRecorder } from '../../kit/engine/frame-counter.ts'
import { setUpMedia } from '../../kit/engine/media.ts'
import { channel, urlInput } from '../../kit/engine/wanted-channels.ts'
import { freeTcpPort, freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('hand-over of channels')
setUpMedia(test)

/** Bytes of two seconds of the frame counter, or more. */
const SOME = 25_000
/** Frames that a failover may lose: those of 300 ms. */
const FRAMES_MAX = 0.3 * FRAME_RATE
/** ID of the channel, and of its output. */
const [ID, OUT] = [1, 100]

let engines: EngineFixture[] = []
test.after.each(async () => {
  await Promise.all(engines.map(({ engine }) => engine.close()))
  engines = []
})

function start(): EngineFixture {
  const fixture = createFixture()
  engines.push(fixture)
  return fixture
}

const datagrams = (port: number): WantedOutput => ({
  id: OUT,
  name: 'Out',
  protocol: UDP,
  config: { 'dst-ip': '127.0.0.1', 'dst-port': port }
})

/** Sends the frame counter. @returns the input that receives it */
async function counterInput(): Promise<WantedInput> {
  const port = await freeUdpPort()
  sendFrameCounter(`udp://127.0.0.1:${port}?pkt_size=1316`)
  return urlInput(5, `udp://127.0.0.1:${port}`)
}

/** Serves the frame counter by a third engine. @returns the input that fetches it */
async function fetchedInput(protocol: typeof SRT | typeof RTSP): Promise<WantedInput> {
  const port = protocol === SRT ? await freeUdpPort() : await freeTcpPort()
  const output: WantedOutput =
    protocol === SRT
      ? { id: OUT, name: 'Out', protocol, config: { mode: 'listener', 'bind-port': port } }
      : { id: OUT, name: 'Out', protocol, config: { port, key: 'live' } }
  const server = start()
  server.engine.apply(channel(ID, await counterInput(), [output]))
  await server.waitForState(ID, CONNECTION_STATE.connected)
  return urlInput(5, protocol === SRT ? `srt://127.0.0.1:${port}?mode=caller` : `rtsp://127.0.0.1:${port}/live`)
}

/** Moves channels as the hub does. */
async function move(before: EngineFixture, next: EngineFixture, ...channels: WantedChannel[]): Promise<void> {
  const ids = channels.map(({ id }) => id)
  next.engine.handOver.prepare(channels, before.engine.handOver.offer(ids))
  await before.engine.handOver.give(await next.engine.handOver.take(ids, ids))
  for (const wanted of channels) next.engine.apply(wanted)
}

/** Runs a channel, moves it, and counts what a recorder of its stream has lost. */
async function countLosses(recorder: UdpRecorder, wanted: WantedChannel) {
  const [before, next] = [start(), start()]
  before.engine.apply(wanted)
  await until(() => recorder.bytes > SOME, 'the stream arrives')
  await move(before, next, wanted)
  const moved = recorder.bytes
  await next.waitForState(ID, CONNECTION_STATE.connected, OUT)
  await until(() => recorder.bytes > moved + SOME, 'the stream goes on')
  assert.deepEqual(before.engine.handOver.groups(), [])
  const { frames, continuityGaps } = await recorder.finish()
  const numbers = new Set(frames)
  const span = Math.max(...numbers) - Math.min(...numbers) + 1
  return { continuityGaps, lost: span - numbers.size, repeated: frames.length - numbers.size }
}

test('datagrams lose no packet', async () => {
  const recorder = await UdpRecorder.open(0)
  const wanted = channel(ID, await counterInput(), [datagrams(recorder.port)])
  assert.deepEqual(await countLosses(recorder, wanted), { continuityGaps: 0, lost: 0, repeated: 0 })
})

test('a stream that both engines can fetch loses no packet', async () => {
  const recorder = await UdpRecorder.open(0)
  const wanted = channel(ID, await fetchedInput(SRT), [datagrams(recorder.port)])
  assert.deepEqual(await countLosses(recorder, wanted), { continuityGaps: 0, lost: 0, repeated: 0 })
})

test('a stream with other time stamps at each engine loses at most what a failover loses', async () => {
  const recorder = await UdpRecorder.open(0)
  const wanted = channel(ID, await fetchedInput(RTSP), [datagrams(recorder.port)])
  const { lost, repeated } = await countLosses(recorder, wanted)
  assert.ok(lost <= FRAMES_MAX && repeated <= 2 * FRAME_RATE, `${lost} lost, ${repeated} repeated`)
})

test('an SRT call begins anew with the group of pictures so far', async () => {
  const recorder = await UdpRecorder.open(0)
  const port = await freeUdpPort()
  start().engine.apply(channel(8, urlInput(7, `srt://:${port}?mode=listener`), [datagrams(recorder.port)]))
  const config = { mode: 'caller', 'dst-ip': '127.0.0.1', 'dst-port': port } as const
  const wanted = channel(ID, await counterInput(), [{ id: OUT, name: 'Call', protocol: SRT, config }])
  const { lost, repeated } = await countLosses(recorder, wanted)
  // On a busy machine the call takes long enough for another group to begin.
  assert.ok(lost <= FRAMES_MAX + FRAME_RATE && repeated <= 2 * FRAME_RATE, `${lost} lost, ${repeated} repeated`)
})

test('players of HLS find segments of the next engine before those of the old one are gone', async () => {
  const [before, next] = [start(), start()]
  const config = { key: 'HLS-1', 'seg-duration': 1 }
  const wanted = channel(ID, await counterInput(), [{ id: OUT, name: 'Web', protocol: HTTP, config }])
  const playlistOf = ({ engine }: EngineFixture) => engine.hlsStores.get(config.key)?.playlist()
  before.engine.apply(wanted)
  await until(() => playlistOf(before), 'there is a segment')
  next.engine.handOver.prepare([wanted], before.engine.handOver.offer([ID]))
  const taken = await next.engine.handOver.take([ID], [ID])
  assert.ok(playlistOf(before) && playlistOf(next))
  await before.engine.handOver.give(taken)
  assert.equal(playlistOf(before), undefined)
})

test('channels that share an input move together', async () => {
  const [before, next] = [start(), start()]
  const recorders = [await UdpRecorder.open(0), await UdpRecorder.open(0)]
  const shared = await counterInput()
  const channels = recorders.map(({ port }, index) => channel(index + 1, shared, [datagrams(port)]))
  for (const wanted of channels) before.engine.apply(wanted)
  before.engine.apply(channel(3, urlInput(6, `udp://127.0.0.1:${await freeUdpPort()}`)))
  const groups = before.engine.handOver.groups().map(({ ids }) => ids.sort())
  assert.deepEqual(groups.sort(), [[1, 2], [3]])
  await until(() => recorders.every(({ bytes }) => bytes > SOME), 'the streams arrive')
  await move(before, next, ...channels)
  const moved = recorders.map(({ bytes }) => bytes)
  await until(() => recorders.every(({ bytes }, index) => bytes > (moved[index] ?? 0) + SOME), 'the streams go on')
  for (const recorder of recorders) assert.equal((await recorder.finish()).continuityGaps, 0)
})

test.run()
