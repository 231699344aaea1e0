// Audio that a target does not take is encoded once for all outputs that want it so. The targets are nginx and ffmpeg.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createSocket } from 'node:dgram'
import { suite } from 'uvu'
import { CONNECTION_STATE, RTMP, UDP } from '../../../contract/stream/protocols.ts'
import type { RtmpOutput, UdpOutput } from '../../../contract/stream/source.ts'
import type { WantedOutput } from '../../../engine/interfaces/channel.ts'
import { fixture, fixtureForEach, replaceFixture } from '../../kit/engine/engine-fixture.ts'
import { clipPath, type RunningProcess, runProcess } from '../../kit/engine/media.ts'
import { type NginxRtmp, startNginxRtmp } from '../../kit/engine/nginx-rtmp.ts'
import { channel, urlInput } from '../../kit/engine/wanted-channels.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { commandLineOf, descendantsOf } from '../../kit/system-processes.ts'
import { until } from '../../kit/until.ts'

const test = suite('encoded audio')
fixtureForEach(test)

const [TO_RTMP, TO_UDP, AS_IS] = [11, 12, 13]
let nginx: NginxRtmp
let [source, encodedPort, plainPort] = [0, 0, 0]

test.before.each(async () => {
  nginx = await startNginxRtmp()
  source = await freeUdpPort()
  encodedPort = await freeUdpPort()
  plainPort = await freeUdpPort()
})
test.after.each(() => nginx.close())

/** Sends the clip with its audio in another codec, in a loop. */
function sendAudio(codec: string, port = source): RunningProcess {
  const file = `${clipPath()}.${codec}.ts`
  const encoder = spawnSync('ffmpeg', [
    ...['-v', 'error', '-i', clipPath(), '-map', '0', '-c:v', 'copy', '-c:a', codec, '-ar', '48000', '-f', 'mpegts'],
    ...['-y', file]
  ])
  assert.equal(encoder.status, 0, String(encoder.stderr))
  const target = `udp://127.0.0.1:${port}?pkt_size=1316`
  return runProcess(['-v', 'error', '-re', '-stream_loop', '-1', '-i', file, '-c', 'copy', '-f', 'mpegts', target])
}

const rtmp = (settings: Partial<RtmpOutput> = { audio: 'aac' }): WantedOutput => ({
  id: TO_RTMP,
  name: 'RTMP',
  protocol: RTMP,
  config: { url: `rtmp://127.0.0.1:${nginx.rtmpPort}/live`, key: 'key', ...settings }
})

const udp = (id: number, port: number, settings: Partial<UdpOutput> = {}): WantedOutput => ({
  id,
  name: `UDP ${id}`,
  protocol: UDP,
  config: { 'dst-ip': '127.0.0.1', 'dst-port': port, ...settings }
})

const apply = (...outputs: WantedOutput[]) =>
  fixture.engine.apply(channel(1, urlInput(2, `udp://127.0.0.1:${source}`), outputs))

const isUp = (output: number) => fixture.waitForState(1, CONNECTION_STATE.connected, output)

/** Names of outputs that were interrupted. */
const downs = () => fixture.events.filter(({ kind }) => kind === 'output-down').map(({ name }) => name)

/** Processes that encode audio. */
const encoders = () => descendantsOf(process.pid).filter((pid) => commandLineOf(pid).includes('\0-copyts\0'))

/** Codecs, sample rates and audio channels of what arrives. */
async function probe(url: string): Promise<string[]> {
  const entries = ['-show_entries', 'stream=codec_name,sample_rate,channels', '-of', 'csv=p=0']
  const probing = ['-v', 'fatal', '-probesize', '400000', '-analyzeduration', '2000000']
  const ffprobe = runProcess([...probing, ...entries, url], 'ffprobe')
  await ffprobe.exited
  return [...new Set(ffprobe.output().split('\n').filter(Boolean))].sort()
}

const fromRtmp = () => probe(`rtmp://127.0.0.1:${nginx.rtmpPort}/live/key`)
const fromUdp = (port: number) => probe(`udp://127.0.0.1:${port}?timeout=20000000`)

for (const codec of ['mp2', 'ac3', 'libopus'])
  test(`${codec} reaches an RTMP server as AAC`, async () => {
    apply(rtmp())
    sendAudio(codec)
    await isUp(TO_RTMP)
    assert.deepEqual(await fromRtmp(), ['aac,48000,2', 'h264'])
  })

test('outputs that want the same share one encoder, another profile has its own, and the others get it as it is', async () => {
  apply(rtmp(), udp(TO_UDP, encodedPort, { audio: 'aac' }), udp(AS_IS, plainPort))
  sendAudio('mp2')
  await isUp(TO_RTMP)
  assert.deepEqual(await fromUdp(encodedPort), ['aac,48000,2', 'h264'])
  assert.equal(encoders().length, 1)
  assert.deepEqual(await fromUdp(plainPort), ['h264', 'mp2,48000,1'])

  const changed = { audio: 'aac-mono', 'audio-track': 1, 'audio-gain': -6, 'audio-delay': 200 } as const
  apply(rtmp(), udp(TO_UDP, encodedPort, changed), udp(AS_IS, plainPort))
  await until(() => encoders().length === 2, 'there are two encoders')
  assert.deepEqual(await fromUdp(encodedPort), ['aac,48000,1', 'h264'])
  assert.ok(!downs().includes('RTMP'), 'another output was not interrupted')
})

test('a killed encoder starts again, its output says why, and other outputs go on', async () => {
  const receiver = createSocket('udp4').bind(plainPort, '127.0.0.1')
  apply(rtmp(), udp(AS_IS, plainPort))
  sendAudio('mp2')
  for (const output of [TO_RTMP, AS_IS]) await isUp(output)
  const [first = 0] = encoders()
  process.kill(first, 'SIGKILL')
  const down = () => fixture.events.find(({ kind }) => kind === 'output-down')
  await until(() => down() !== undefined, 'the output is down')
  assert.deepEqual([down()?.name, down()?.reason], ['RTMP', 'program-ended SIGKILL'])
  await until(() => encoders().length === 1 && !encoders().includes(first), 'another encoder runs')
  await isUp(TO_RTMP)
  assert.deepEqual(await fromRtmp(), ['aac,48000,2', 'h264'])
  assert.deepEqual([...new Set(downs())], ['RTMP'])
  receiver.close()
})

test('a channel that switches to its backup goes on with the same encoder', async () => {
  const backup = await freeUdpPort()
  fixture.engine.apply({
    ...channel(1, urlInput(2, `udp://127.0.0.1:${source}`), [rtmp()]),
    backups: [urlInput(3, `udp://127.0.0.1:${backup}`)],
    switch: { 'after-s': 1, back: 'never', 'back-after-s': 10 }
  })
  const first = sendAudio('mp2')
  sendAudio('mp2', backup)
  await isUp(TO_RTMP)
  const [encoder] = encoders()
  await first.kill()
  await until(() => fixture.engine.observe(1).onAir?.inputId === 3, 'the backup is on air')
  await isUp(TO_RTMP)
  assert.deepEqual(await fromRtmp(), ['aac,48000,2', 'h264'])
  assert.deepEqual(encoders(), [encoder])
})

test('an encoder that does not run is replaced', async () => {
  await replaceFixture({ timeouts: { stall: 2000, start: 15_000 } })
  apply(rtmp())
  sendAudio('mp2')
  await isUp(TO_RTMP)
  const [first = 0] = encoders()
  process.kill(first, 'SIGSTOP')
  await until(() => encoders().length === 1 && !encoders().includes(first), 'another encoder runs')
  await isUp(TO_RTMP)
})

test('an output that gets the audio as it is again has no encoder, and names the codec that it cannot send', async () => {
  apply(rtmp())
  sendAudio('mp2')
  await isUp(TO_RTMP)
  apply(rtmp({ audio: 'as-is' }))
  await until(() => encoders().length === 0, 'the encoder has ended')
  const reasons = () => fixture.events.map(({ reason }) => reason)
  await until(
    () => reasons().includes('audio-unsupported MP2'),
    () => `the output has the reason: ${JSON.stringify(fixture.events)}`
  )
})

test('a track that the source does not have is named', async () => {
  apply(udp(TO_UDP, encodedPort, { audio: 'aac', 'audio-track': 2 }))
  sendAudio('mp2')
  const reason = () => fixture.engine.observe(1).outputs.get(TO_UDP)?.reason
  await until(
    () => reason() === 'audio-track-lost 2',
    () => `the output says ${reason()}`
  )
})

test.run()
