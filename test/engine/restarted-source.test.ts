// A source that begins anew has an earlier clock than before, while what carries it further stays open.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION, RTMP, RTSP, UDP } from '../../contract/stream/protocols.ts'
import { freeTcpPort, freeUdpPort } from '../kit/free-port.ts'
import { bench, benchForEach } from './bench.ts'
import { clip, type Running, run, until } from './media.ts'
import { channel, source } from './wanted.ts'

const test = suite('began anew')
benchForEach(test)

/** Milliseconds after the end of a cause. */
const BACK = 10_000
/** Bytes that only pictures and sound together come to in that time, of which the sound is a fifth. */
const PICTURES = 120_000

/** Sends the clip for ever, with a clock that begins at so many seconds. */
const sendFrom = (seconds: number, format: string, target: string): Running =>
  run([
    ...['-v', 'error', '-re', '-stream_loop', '-1', '-i', clip(), '-c', 'copy'],
    ...['-output_ts_offset', String(seconds), '-f', format, target]
  ])

test('a chain over RTSP carries again soon after its source began anew', async () => {
  const { engine } = bench
  const [srt, rtsp, rtmp] = [await freeUdpPort(), await freeTcpPort(), await freeTcpPort()]
  engine.usePorts({ srt: { port: 0, 'pb-key-len': 0, passphrase: '' }, rtmp: { port: rtmp } })
  const door = { pushKey: 'PUSH', playKey: 'PLAY', srt: true, rtmp: true, allowIp: [] }
  engine.apply({ ...channel(3, { id: 0, name: 'Pushed', kind: 'pushed', channel: 3 }), door })
  engine.apply(
    channel(1, source(101, `srt://:${srt}?mode=listener`), [
      { id: 11, name: 'A', protocol: RTSP, config: { port: rtsp, key: 'key' } }
    ])
  )
  engine.apply(
    channel(2, source(102, `rtsp://127.0.0.1:${rtsp}/key?mw-tcp-first=1`), [
      { id: 21, name: 'B', protocol: RTMP, config: { url: `rtmp://127.0.0.1:${rtmp}/live`, key: 'PUSH' } }
    ])
  )
  const target = `srt://127.0.0.1:${srt}?pkt_size=1316`
  await bench.reaches(1, CONNECTION.waiting)
  const before = sendFrom(50, 'mpegts', target)
  await bench.reaches(3, CONNECTION.connected)
  await before.kill('SIGTERM')
  await until('the loss is seen', () => engine.observe(1).connState !== CONNECTION.connected)
  const carried = () => engine.counted(2).outputs.get(21) ?? 0
  const was = carried()
  sendFrom(0, 'mpegts', target)
  await until(
    () => `${carried() - was} bytes more, ${JSON.stringify([...engine.observe(2).outputs])}`,
    () => carried() > was + PICTURES,
    BACK
  )
  await bench.reaches(3, CONNECTION.connected)
})

test('who plays over RTSP stays, and is given times that never go back', async () => {
  const [udp, rtsp] = [await freeUdpPort(), await freeTcpPort()]
  const output = { id: 11, name: 'A', protocol: RTSP, config: { port: rtsp, key: 'key' } } as const
  bench.engine.apply(channel(1, source(101, `udp://127.0.0.1:${udp}`), [output]))
  const target = `udp://127.0.0.1:${udp}?pkt_size=1316`
  const before = sendFrom(50, 'mpegts', target)
  await bench.reaches(1, CONNECTION.connected)
  const player = run(
    [
      ...['-v', 'error', '-rtsp_transport', 'tcp', '-probesize', '200000', '-analyzeduration', '1000000'],
      ...['-read_intervals', '%+5', '-show_entries', 'packet=stream_index,dts', '-of', 'csv=p=0'],
      `rtsp://127.0.0.1:${rtsp}/key`
    ],
    'ffprobe'
  )
  await bench.reaches(1, CONNECTION.connected, 11)
  await before.kill()
  sendFrom(0, 'mpegts', target)
  await until(
    () => player.text().slice(-500),
    () => !player.running()
  )
  for (const track of [0, 1]) {
    const times = [...player.text().matchAll(/^(\d),(\d+),?$/gm)]
      .filter(([, of]) => Number(of) === track)
      .map((one) => Number(one[2]))
    assert.ok(times.length > 80, `${times.length} packets of track ${track}`)
    const back = times.findIndex((time, n) => n > 0 && time < (times[n - 1] ?? 0))
    assert.equal(back, -1, `track ${track}: ${times.slice(back - 2, back + 3)}`)
  }
})

test('pictures come again over RTP soon after who sends them began anew', async () => {
  const { engine } = bench
  const [rtp, udp] = [await freeUdpPort(), await freeUdpPort()]
  const output = { id: 11, name: 'A', protocol: UDP, config: { 'dst-ip': '127.0.0.1', 'dst-port': udp } } as const
  engine.apply(channel(1, source(101, `rtp://127.0.0.1:${rtp}`), [output]))
  await until('it is awaited', () => engine.processes() > 0)
  const target = `rtp://127.0.0.1:${rtp}?pkt_size=1316`
  const before = sendFrom(50, 'rtp_mpegts', target)
  await bench.reaches(1, CONNECTION.connected)
  await before.kill()
  sendFrom(0, 'rtp_mpegts', target)
  await new Promise((resolve) => setTimeout(resolve, 1000))
  const seen = run(['-v', 'error', '-i', `udp://127.0.0.1:${udp}`, '-frames:v', '10', '-f', 'null', '-'])
  await until(
    () => `${JSON.stringify(engine.observe(1).input)} ${seen.text().slice(-500)}`,
    () => !seen.running(),
    BACK
  )
  assert.equal(engine.observe(1).connState, CONNECTION.connected)
})

test.run()
