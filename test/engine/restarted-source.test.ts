// A restarted source has an earlier clock than before, while the connections behind it stay open.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION_STATE, RTMP, RTSP, UDP } from '../../contract/stream/protocols.ts'
import { fixture, fixtureForEach } from '../kit/engine/engine-fixture.ts'
import { clipPath, type RunningProcess, runProcess } from '../kit/engine/media.ts'
import { channel, urlInput } from '../kit/engine/wanted-channels.ts'
import { freeTcpPort, freeUdpPort } from '../kit/net/free-port.ts'
import { ownTime } from '../kit/own-time.ts'
import { until } from '../kit/until.ts'

const test = suite('restarted source')
fixtureForEach(test)

/** Longest recovery in milliseconds. */
const RECOVERY_MS = 10_000
/** Bytes that are reached in that time only with video: audio is a fifth of the stream. */
const VIDEO_BYTES = 120_000

/** Sends the clip in a loop, with a clock that starts at the given seconds. */
const sendFrom = (seconds: number, format: string, target: string): RunningProcess =>
  runProcess([
    ...['-v', 'error', '-re', '-stream_loop', '-1', '-i', clipPath(), '-c', 'copy'],
    ...['-output_ts_offset', String(seconds), '-f', format, target]
  ])

test('a chain over RTSP and RTMP carries again soon after its source has restarted', async () => {
  const { engine } = fixture
  const [srt, rtsp, rtmp] = [await freeUdpPort(), await freeTcpPort(), await freeTcpPort()]
  engine.configurePorts({ srt: { port: 0, 'pb-key-len': 0, passphrase: '' }, rtmp: { port: rtmp } })
  const access = { 'push-key': 'PUSH', 'play-key': 'PLAY', srt: true, rtmp: true, 'allow-ip': [] }
  engine.apply({ ...channel(3, { id: 0, name: 'Pushed', kind: 'pushed', channel: 3 }), access })
  engine.apply(
    channel(1, urlInput(101, `srt://:${srt}?mode=listener`), [
      { id: 11, name: 'A', protocol: RTSP, config: { port: rtsp, key: 'key' } }
    ])
  )
  engine.apply(
    channel(2, urlInput(102, `rtsp://127.0.0.1:${rtsp}/key?mw-tcp-first=1`), [
      { id: 21, name: 'B', protocol: RTMP, config: { url: `rtmp://127.0.0.1:${rtmp}/live`, key: 'PUSH' } }
    ])
  )
  const target = `srt://127.0.0.1:${srt}?pkt_size=1316`
  await fixture.waitForState(1, CONNECTION_STATE.waiting)
  const before = sendFrom(50, 'mpegts', target)
  await fixture.waitForState(3, CONNECTION_STATE.connected)
  await before.kill('SIGTERM')
  await until(() => engine.observe(1).connState !== CONNECTION_STATE.connected, 'the loss is detected')
  const outputBytes = () => engine.byteTotals(2).outputs.get(21) ?? 0
  const bytesBefore = outputBytes()
  sendFrom(0, 'mpegts', target)
  const took = await ownTime(() =>
    until(
      () => outputBytes() > bytesBefore + VIDEO_BYTES,
      () => `${outputBytes() - bytesBefore} more bytes, ${JSON.stringify([...engine.observe(2).outputs])}`
    )
  )
  assert.ok(took < RECOVERY_MS, `${took} ms`)
  await fixture.waitForState(3, CONNECTION_STATE.connected)
})

test('an RTSP player stays connected and gets increasing timestamps', async () => {
  const [udp, rtsp] = [await freeUdpPort(), await freeTcpPort()]
  const output = { id: 11, name: 'A', protocol: RTSP, config: { port: rtsp, key: 'key' } } as const
  fixture.engine.apply(channel(1, urlInput(101, `udp://127.0.0.1:${udp}`), [output]))
  const target = `udp://127.0.0.1:${udp}?pkt_size=1316`
  const before = sendFrom(50, 'mpegts', target)
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  const player = runProcess(
    [
      ...['-v', 'error', '-rtsp_transport', 'tcp', '-probesize', '200000', '-analyzeduration', '1000000'],
      ...['-read_intervals', '%+5', '-show_entries', 'packet=stream_index,dts', '-of', 'csv=p=0'],
      `rtsp://127.0.0.1:${rtsp}/key`
    ],
    'ffprobe'
  )
  await fixture.waitForState(1, CONNECTION_STATE.connected, 11)
  await before.kill()
  sendFrom(0, 'mpegts', target)
  await until(
    () => !player.isRunning(),
    () => player.output().slice(-500)
  )
  for (const track of [0, 1]) {
    const times = [...player.output().matchAll(/^(\d),(\d+),?$/gm)]
      .filter(([, packetTrack]) => Number(packetTrack) === track)
      .map((match) => Number(match[2]))
    assert.ok(times.length > 80, `${times.length} packets of track ${track}`)
    const jump = times.findIndex((time, n) => n > 0 && time < (times[n - 1] ?? 0))
    assert.equal(jump, -1, `track ${track}: ${times.slice(jump - 2, jump + 3)}`)
  }
})

test('an RTP input carries video again soon after its sender has restarted', async () => {
  const { engine } = fixture
  const [rtp, udp] = [await freeUdpPort(), await freeUdpPort()]
  const output = { id: 11, name: 'A', protocol: UDP, config: { 'dst-ip': '127.0.0.1', 'dst-port': udp } } as const
  engine.apply(channel(1, urlInput(101, `rtp://127.0.0.1:${rtp}`), [output]))
  await until(() => engine.processCount() > 0, 'the input runs')
  const target = `rtp://127.0.0.1:${rtp}?pkt_size=1316`
  const before = sendFrom(50, 'rtp_mpegts', target)
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  await before.kill()
  const outputBytes = () => engine.byteTotals(1).outputs.get(11) ?? 0
  const bytesBefore = outputBytes()
  sendFrom(0, 'rtp_mpegts', target)
  await until(() => outputBytes() > bytesBefore, 'the output carries again')
  const decoder = runProcess(['-v', 'error', '-i', `udp://127.0.0.1:${udp}`, '-frames:v', '10', '-f', 'null', '-'])
  await until(
    () => !decoder.isRunning(),
    () => `${JSON.stringify(engine.observe(1).input)} ${decoder.output().slice(-500)}`
  )
  assert.equal(engine.observe(1).connState, CONNECTION_STATE.connected)
})

test.run()
