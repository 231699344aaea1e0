// The main and the sub stream of an RTSP output, with ffprobe as their player.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SUB_STREAM } from '../../../contract/limits.ts'
import { CONNECTION_STATE, RTSP } from '../../../contract/stream/protocols.ts'
import type { RtspOutput } from '../../../contract/stream/source.ts'
import { fixture, fixtureForEach } from '../../kit/engine/engine-fixture.ts'
import { runProcess } from '../../kit/engine/media.ts'
import { parseUrl } from '../../kit/engine/wanted-channels.ts'
import { freeTcpPort, freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('RTSP sub stream')

let port: number
fixtureForEach(test)
test.before.each(async () => {
  port = await freeTcpPort()
})

/** Starts a channel with a picture of 1280 x 720 at about 3 Mbps. */
async function apply(config: Partial<RtspOutput>): Promise<void> {
  const source = await freeUdpPort()
  runProcess([
    ...['-v', 'error', '-re', '-f', 'lavfi', '-i', 'testsrc2=s=1280x720:r=25', '-f', 'lavfi', '-i', 'sine=r=48000'],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25', '-pix_fmt', 'yuv420p', '-b:v', '3M', '-c:a', 'aac'],
    ...['-f', 'mpegts', `udp://127.0.0.1:${source}?pkt_size=1316`]
  ])
  fixture.engine.apply({
    id: 1,
    name: 'Stage',
    enable: true,
    input: { id: 10, name: 'Camera', kind: 'url', url: parseUrl(`udp://127.0.0.1:${source}`) },
    outputs: [{ id: 3, name: 'Eye', protocol: RTSP, config: { port, key: 'hall', ...config } }]
  })
  await fixture.waitForState(1, CONNECTION_STATE.connected)
}

/** What ffprobe finds in three seconds of a stream. */
async function probe(key: string) {
  const player = runProcess(
    [
      ...['-rtsp_transport', 'tcp', '-v', 'error', '-read_intervals', '%+3', '-show_entries', 'packet=size,codec_type'],
      ...['-show_entries', 'stream=codec_name,width,height', '-of', 'csv=p=1', `rtsp://127.0.0.1:${port}/${key}`]
    ],
    'ffprobe'
  )
  await player.exited
  const text = player.output()
  const sizes = [...text.matchAll(/^packet,video,(\d+)/gm)].map(([, size]) => Number(size))
  const [, codec, width, height] = /^stream,(\w+),(\d+),(\d+)/m.exec(text) ?? []
  return {
    text,
    codec,
    size: [Number(width), Number(height)],
    hasAudio: /^stream,aac/m.test(text),
    frames: sizes.length,
    kbps: (sizes.reduce((sum, size) => sum + size, 0) * 8) / 1000 / (sizes.length / 25)
  }
}

test('main and sub stream play at the same time under a key each, the sub stream smaller and at a lower rate', async () => {
  await apply({ 'is-sub': true, 'sub-key': "hall.sub+(1)'s" })
  const [main, sub] = await Promise.all([probe('hall'), probe("hall.sub+(1)'s")])
  assert.deepEqual([main.codec, main.size, main.hasAudio], ['h264', [1280, 720], true], main.text.slice(-500))
  assert.deepEqual(
    [sub.codec, sub.size, sub.hasAudio],
    ['h264', [SUB_STREAM.width, SUB_STREAM.height], true],
    sub.text.slice(-500)
  )
  assert.ok(main.frames > 40 && sub.frames > 40, `${main.frames} and ${sub.frames} frames`)
  assert.ok(sub.kbps < SUB_STREAM.kbps && sub.kbps < main.kbps / 2, `${main.kbps} and ${sub.kbps} kbps`)
})

test('the picture is transcoded only while the sub stream is played', async () => {
  await apply({ 'is-sub': true, 'sub-key': 'small' })
  assert.equal(fixture.engine.processCount(), 1, 'the relay')
  const player = runProcess(
    ['-rtsp_transport', 'tcp', '-v', 'error', '-i', `rtsp://127.0.0.1:${port}/small`, '-c', 'copy', '-f', 'null', '-'],
    'ffmpeg'
  )
  await until(() => fixture.engine.processCount() === 2, 'ffmpeg transcodes')
  await fixture.waitForState(1, CONNECTION_STATE.connected, 3)
  await player.kill()
  await until(() => fixture.engine.processCount() === 1, 'nothing transcodes')
})

test('without a sub stream its key is refused', async () => {
  await apply({ 'is-sub': false, 'sub-key': 'small' })
  assert.match((await probe('small')).text, /404/)
  assert.deepEqual((await probe('hall')).size, [1280, 720])
})

test.run()
