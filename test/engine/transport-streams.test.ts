// Transport streams that pass through the relay: all tracks, one of several programs, long groups of pictures, and a
// killed relay.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { suite } from 'uvu'
import { CONNECTION_STATE, type RTP, SRT, UDP } from '../../contract/stream/protocols.ts'
import type { WantedOutput } from '../../engine/interfaces/channel.ts'
import { fixture, fixtureForEach } from '../kit/engine/engine-fixture.ts'
import { clipPath, runProcess, sendClip, startReceiver } from '../kit/engine/media.ts'
import { channel, urlInput } from '../kit/engine/wanted-channels.ts'
import { freeUdpPort } from '../kit/net/free-port.ts'
import { ownTime } from '../kit/own-time.ts'
import { childrenOf, commandLineOf } from '../kit/system-processes.ts'
import { until } from '../kit/until.ts'

const test = suite('transport streams')
fixtureForEach(test)

const datagramOutput = (protocol: typeof UDP | typeof RTP, port: number): WantedOutput => ({
  id: 3,
  name: 'Out',
  protocol,
  config: { 'dst-ip': '127.0.0.1', 'dst-port': port }
})

const LIVE = ['-v', 'error', '-re', '-stream_loop', '-1']
const TONES = ['-f', 'lavfi', '-i', 'sine=f=440', '-f', 'lavfi', '-i', 'sine=f=880']

/** Encodes a file beside the clip. */
function encode(name: string, args: readonly string[]): string {
  const path = `${clipPath()}.${name}.ts`
  const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=25']
  const video = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
  const encoder = spawnSync('ffmpeg', ['-v', 'error', ...picture, ...args, ...video, '-f', 'mpegts', '-y', path])
  assert.equal(encoder.status, 0, String(encoder.stderr))
  return path
}

/** Types of the streams that arrive, such as `video,audio`. */
function probe(url: string): Promise<string> {
  const process = runProcess(
    ['-v', 'quiet', '-show_entries', 'stream=index,codec_type', '-of', 'csv=p=0', url],
    'ffprobe'
  )
  // A stream of a program is listed twice.
  const streams = () => new Set(process.output().match(/^\d+,(video|audio)/gm))
  return process.exited.then(() =>
    [...streams()]
      .map((stream) => stream.split(',')[1])
      .sort()
      .join()
  )
}

for (const [scheme, format] of [
  ['udp', 'mpegts'],
  ['rtp', 'rtp_mpegts']
] as const)
  test(`all tracks of MPEG-TS over ${scheme} are passed on`, async () => {
    const [source, target] = [await freeUdpPort(), await freeUdpPort()]
    const file = encode('tracks', [
      ...TONES,
      '-t',
      '4',
      '-map',
      '0',
      '-map',
      '1',
      '-map',
      '2',
      '-g',
      '12',
      '-c:a',
      'aac'
    ])
    runProcess([
      ...[...LIVE, '-i', file, '-map', '0', '-c', 'copy', '-f', format],
      `${scheme}://127.0.0.1:${source}?pkt_size=1316`
    ])
    fixture.engine.apply(channel(1, urlInput(2, `${scheme}://127.0.0.1:${source}`), [datagramOutput(UDP, target)]))
    assert.equal(await probe(`udp://127.0.0.1:${target}`), 'audio,audio,video')
  })

test('the programs of a source are listed, and one of them can be chosen', async () => {
  const [source, target] = [await freeUdpPort(), await freeUdpPort()]
  const maps = ['-map', '0', '-map', '1', '-map', '0', '-map', '1', '-map', '2']
  const programs = ['-program', 'program_num=7:st=0:st=1', '-program', 'program_num=9:st=2:st=3:st=4']
  const file = encode('programs', [...TONES, '-t', '4', ...maps, ...programs, '-g', '12', '-c:a', 'aac'])
  runProcess([
    ...[...LIVE, '-i', file, '-map', '0', '-c', 'copy', ...programs, '-f', 'mpegts'],
    `udp://127.0.0.1:${source}?pkt_size=1316`
  ])
  const input = urlInput(2, `udp://127.0.0.1:${source}`)
  const output = datagramOutput(UDP, target)
  fixture.engine.apply(channel(1, input, [output]))
  const listed = () =>
    fixture.engine
      .observe(1)
      .input.programs?.map(({ number, streams }) => `${number}: ${streams.length}`)
      .join()
  await until(
    () => listed() === '7: 2,9: 3',
    () => `the programs are listed: ${listed()}`
  )
  assert.equal(await probe(`udp://127.0.0.1:${target}`), 'audio,audio,audio,video,video')
  for (const [program, types] of [
    [9, 'audio,audio,video'],
    [7, 'audio,video']
  ] as const) {
    fixture.engine.apply(channel(1, { ...input, program }, [output]))
    await until(
      () => fixture.engine.observe(1).input.connState === CONNECTION_STATE.connected,
      'the input is received again'
    )
    assert.equal(await probe(`udp://127.0.0.1:${target}`), types)
    assert.equal(listed(), '7: 2,9: 3')
  }
})

test('a player sees a picture at once although key frames are 10 s apart', async () => {
  const [source, port] = [await freeUdpPort(), await freeUdpPort()]
  const file = encode('long', ['-t', '10', '-g', '1000', '-x264-params', 'scenecut=0'])
  fixture.engine.apply(
    channel(1, urlInput(2, `udp://127.0.0.1:${source}`), [
      { id: 3, name: 'Out', protocol: SRT, config: { mode: 'listener', 'bind-port': port } }
    ])
  )
  // The source starts when the input listens, so that its first key frame is received.
  await fixture.waitForState(1, CONNECTION_STATE.waitingForData)
  runProcess([...LIVE, '-i', file, '-c', 'copy', '-f', 'mpegts', `udp://127.0.0.1:${source}?pkt_size=1316`])
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  await until(() => fixture.engine.observe(1).input.livingTimeS >= 2, 'the group of pictures is two seconds old')
  const fastProbe = ['-probesize', '200000', '-analyzeduration', '500000']
  const target = ['-frames:v', '1', '-f', 'null', '-']
  await runProcess(['-v', 'error', ...fastProbe, '-i', `srt://127.0.0.1:${port}`, ...target]).exited
  const { livingTimeS } = fixture.engine.observe(1).input
  assert.ok(livingTimeS < 10, `the next key frame came after 10 s, and the player has ended after ${livingTimeS} s`)
})

test('a killed relay is replaced within 5 s, and its outputs carry again', async () => {
  const [source, target, listener] = [await freeUdpPort(), await freeUdpPort(), await freeUdpPort()]
  sendClip('mpegts', `udp://127.0.0.1:${source}?pkt_size=1316`)
  const receiver = startReceiver(`udp://127.0.0.1:${target}`)
  fixture.engine.apply(
    channel(1, urlInput(2, `udp://127.0.0.1:${source}`), [
      datagramOutput(UDP, target),
      { id: 4, name: 'Player', protocol: SRT, config: { mode: 'listener', 'bind-port': listener } }
    ])
  )
  await fixture.waitForState(1, CONNECTION_STATE.connected, 3)
  const player = startReceiver(`srt://127.0.0.1:${listener}`)
  await fixture.waitForState(1, CONNECTION_STATE.connected, 4)
  const relays = () => childrenOf(process.pid).filter((pid) => commandLineOf(pid).includes('headend-relay'))
  const [pid = 0] = relays()
  process.kill(pid, 'SIGKILL')
  const took = await ownTime(async () => {
    await until(() => relays().some((each) => each !== pid), 'there is another relay')
    const before = [receiver.bytes(), player.bytes()]
    await until(
      () => receiver.bytes() > (before[0] ?? 0) + 10_000 && player.bytes() > (before[1] ?? 0) + 10_000,
      'both outputs carry again'
    )
  })
  assert.ok(took < 5000, `${took} ms`)
  assert.ok(player.isRunning(), 'the player stays connected')
  await fixture.waitForState(1, CONNECTION_STATE.connected, 3)
})

test.run()
