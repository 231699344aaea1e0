// RTMP carries fewer codecs than MPEG-TS.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import { CONNECTION_STATE, RTMP, SOURCE_STATE } from '../../../contract/stream/protocols.ts'
import type { PortRefusal } from '../../../engine/interfaces/ports.ts'
import { clipPath, runProcess } from '../../kit/engine/media.ts'
import { urlInput } from '../../kit/engine/wanted-channels.ts'
import { freeTcpPort, freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'
import { fixture, fixtureForEach, pushedChannel } from './shared-ports-fixture.ts'

const test = suite('unsupported codecs')
const refusals: PortRefusal[] = []
fixtureForEach(test, { onPortRefusal: (refusal) => refusals.push(refusal) })

/** Encodes a clip and sends it in a loop. */
function sendEncoded(video: string, audio: string, target: string): void {
  const file = `${clipPath()}.${video}-${audio}.ts`
  const encoder = spawnSync('ffmpeg', [
    ...['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25', '-f', 'lavfi', '-i', 'sine', '-t', '2'],
    ...['-c:v', video, '-g', '12', '-pix_fmt', 'yuv420p', '-c:a', audio, '-f', 'mpegts', '-y', file]
  ])
  assert.equal(encoder.status, 0, String(encoder.stderr))
  runProcess([
    '-v',
    'error',
    '-re',
    '-stream_loop',
    '-1',
    '-i',
    file,
    '-map',
    '0',
    '-c',
    'copy',
    '-f',
    'mpegts',
    target
  ])
}

for (const [video, audio, reason] of [
  ['mpeg2video', 'aac', 'codec-unsupported MPEG-2'],
  ['libx264', 'ac3', 'audio-unsupported AC-3'],
  ['libx264', 'libopus', 'audio-unsupported Opus'],
  ['libx265', 'aac', 'codec-unsupported HEVC']
] as const)
  test(`an RTMP player and an RTMP output are refused with the reason: ${reason}`, async () => {
    refusals.length = 0
    const [udp, rtmp] = [await freeUdpPort(), await freeTcpPort()]
    const url = `rtmp://127.0.0.1:${rtmp}/live`
    runProcess(['-v', 'error', '-listen', '1', '-i', `${url}/key`, '-f', 'null', '-'])
    const outputs = [{ id: 11, name: 'A', protocol: RTMP, config: { url, key: 'key' } } as const]
    fixture.engine.apply(pushedChannel({}, { input: urlInput(2, `udp://127.0.0.1:${udp}`), outputs }))
    await fixture.openPorts()
    // The target of the output accepts only one attempt.
    const states = new Set<string>()
    const sampling = setInterval(() => {
      const { state, reason } = fixture.engine.observe(1).outputs.get(11) ?? {}
      states.add(`${state} ${reason}`)
    }, 50)
    sendEncoded(video, audio, `udp://127.0.0.1:${udp}?pkt_size=1316`)
    await fixture.waitForState(1, CONNECTION_STATE.connected)
    const player = fixture.playRtmp()
    await until(
      () => refusals.length > 0,
      () => `the player is refused: ${JSON.stringify([refusals, fixture.listClients(false)])}`
    )
    await player.exited
    assert.deepEqual([refusals[0]?.reason, refusals[0]?.channelId], [reason, 1])
    assert.deepEqual(fixture.listClients(false), [])
    const next = fixture.playRtmp()
    await next.exited
    assert.equal(refusals.at(-1)?.reason, reason)
    await until(
      () => states.has(`${SOURCE_STATE.unsupported} ${reason}`),
      () => `the output has had the reason: ${[...states]}`
    )
    clearInterval(sampling)
  })

test.run()
