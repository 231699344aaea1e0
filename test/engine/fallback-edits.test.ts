// Edits of a channel on air. The outputs move to the stream of the input switch, or stay there, and no receiver loses a
// frame.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { suite } from 'uvu'
import { CONNECTION_STATE, HTTP, RTMP, RTP, RTSP, SRT, UDP } from '../../contract/stream/protocols.ts'
import type { WantedChannel, WantedOutput } from '../../engine/interfaces/channel.ts'
import { fixture, fixtureForEach } from '../kit/engine/engine-fixture.ts'
import { findJumps, sendFrameCounter, UdpRecorder } from '../kit/engine/frame-counter.ts'
import { type RunningProcess, runProcess } from '../kit/engine/media.ts'
import { urlInput } from '../kit/engine/wanted-channels.ts'
import { freeTcpPort, freeUdpPort } from '../kit/net/free-port.ts'
import { until } from '../kit/until.ts'

const test = suite('edits of a channel on air')
fixtureForEach(test)

const { connected } = CONNECTION_STATE
/** Seconds of the stream after an edit: more than the time between two key frames, at which the outputs move. */
const SETTLED = 3

interface Player {
  name: string
  recorder: UdpRecorder
  process: RunningProcess | undefined
}

/** Starts ffmpeg, which receives a stream over one connection and ends with it. */
async function startPlayer(name: string, ...source: string[]): Promise<Player> {
  const recorder = await UdpRecorder.open(0)
  const target = `udp://127.0.0.1:${recorder.port}?pkt_size=1316`
  const process = runProcess(['-v', 'error', ...source, '-map', '0:v', '-c', 'copy', '-f', 'mpegts', target])
  return { name, recorder, process }
}

/** Receives RTP, and counts the sources (SSRC) and the missing sequence numbers. */
async function openRtpPort() {
  const socket = createSocket({ type: 'udp4', recvBufferSize: 4 << 20 })
  const sources = new Set<number>()
  let last: number | undefined
  let lost = 0
  socket.on('message', (packet) => {
    const sequence = packet.readUInt16BE(2)
    if (last !== undefined && sequence !== ((last + 1) & 0xffff)) lost++
    last = sequence
    sources.add(packet.readUInt32BE(8))
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    port: socket.address().port,
    finish() {
      socket.close()
      return { sources: sources.size, lost }
    }
  }
}

async function startChannel() {
  const [source, rtmp, srt, rtsp] = [await freeUdpPort(), await freeTcpPort(), await freeUdpPort(), await freeTcpPort()]
  const listener = await freeUdpPort()
  const udp = await UdpRecorder.open(0)
  const rtp = await openRtpPort()
  const players = [
    await startPlayer('RTMP', '-listen', '1', '-f', 'flv', '-i', `rtmp://127.0.0.1:${rtmp}/live/key`),
    await startPlayer('SRT', '-i', `srt://127.0.0.1:${srt}?mode=listener`)
  ]
  const outputs: WantedOutput[] = [
    { id: 1, name: 'RTMP', protocol: RTMP, config: { url: `rtmp://127.0.0.1:${rtmp}/live`, key: 'key' } },
    { id: 2, name: 'SRT', protocol: SRT, config: { mode: 'caller', 'dst-ip': '127.0.0.1', 'dst-port': srt } },
    { id: 3, name: 'UDP', protocol: UDP, config: { 'dst-ip': '127.0.0.1', 'dst-port': udp.port } },
    { id: 4, name: 'RTP', protocol: RTP, config: { 'dst-ip': '127.0.0.1', 'dst-port': rtp.port } },
    { id: 5, name: 'RTSP', protocol: RTSP, config: { port: rtsp, key: 'k' } },
    { id: 6, name: 'HLS', protocol: HTTP, config: { key: 'h' } },
    { id: 7, name: 'Listener', protocol: SRT, config: { mode: 'listener', 'bind-port': listener } }
  ]
  sendFrameCounter(`udp://127.0.0.1:${source}?pkt_size=1316`)
  const channel: WantedChannel = {
    id: 1,
    name: 'Stage',
    enable: true,
    input: urlInput(10, `udp://:${source}`),
    outputs
  }
  fixture.engine.apply(channel)
  await fixture.waitForState(1, connected)
  players.push(await startPlayer('RTSP', '-rtsp_transport', 'tcp', '-i', `rtsp://127.0.0.1:${rtsp}/k`))
  players.push(await startPlayer('SRT listener', '-i', `srt://127.0.0.1:${listener}?mode=caller`))
  for (const { id } of outputs) await fixture.waitForState(1, connected, id)
  players.push({ name: 'UDP', recorder: udp, process: undefined })
  for (const { name, recorder } of players) await until(() => recorder.bytes > 0, `${name} receives`)
  return { channel, players, rtp }
}

test('the first backup and slate are added and removed, and other fields change, without a gap on any output', async () => {
  const { channel, players, rtp } = await startChannel()
  const { engine, events } = fixture
  const backup = urlInput(20, `udp://:${await freeUdpPort()}`)
  const eventsBefore = events.length
  const edits: Partial<WantedChannel>[] = [
    { backups: [backup] },
    { backups: [] },
    { slate: true },
    { slate: false },
    { name: 'Hall' },
    { outputs: channel.outputs.map((output) => ({ ...output, name: `${output.name} 2` })) },
    { access: { 'push-key': '', 'play-key': '', srt: false, rtmp: false, 'allow-ip': ['127.0.0.1'] } },
    { switch: { 'after-s': 7, back: 'never', 'back-after-s': 9 } }
  ]
  let edited = channel
  for (const edit of edits) {
    edited = { ...edited, ...edit }
    engine.apply(edited)
    const { livingTimeS } = engine.observe(1)
    await until(() => engine.observe(1).livingTimeS > livingTimeS + SETTLED, 'the stream goes on')
    for (const { id, name } of channel.outputs)
      assert.equal(engine.observe(1).outputs.get(id)?.connState, connected, `${name} after ${Object.keys(edit)}`)
  }
  assert.deepEqual(
    events.slice(eventsBefore).filter(({ kind }) => kind === 'output-down' || kind === 'input-down'),
    []
  )
  for (const { name, recorder, process } of players) {
    assert.equal(process?.isRunning() ?? true, true, `the connection of ${name} has ended`)
    const { frames } = await recorder.finish()
    assert.ok(frames.length > edits.length * 2 * 25, `${name}: ${frames.length} frames`)
    assert.deepEqual(findJumps(frames), [], name)
  }
  assert.deepEqual(rtp.finish(), { sources: 1, lost: 0 })
})

test.run()
