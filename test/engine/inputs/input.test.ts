import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import { CONNECTION_STATE, RTSP, SOURCE_STATE, SRT } from '../../../contract/stream/protocols.ts'
import { fixture, fixtureForEach } from '../../kit/engine/engine-fixture.ts'
import { clipPath, decodeFrames, runProcess, sendClip } from '../../kit/engine/media.ts'
import { channel, urlInput } from '../../kit/engine/wanted-channels.ts'
import { freeTcpPort, freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('input')

let web: Server | undefined
let output = 0
fixtureForEach(test)
test.before.each(async () => {
  output = await freeUdpPort()
})
test.after.each(() => {
  web?.closeAllConnections()
  web?.close()
  web = undefined
})

function apply(text: string): void {
  const config = { mode: 'listener', 'bind-port': output } as const
  fixture.engine.apply(channel(1, urlInput(2, text), [{ id: 3, name: 'Out', protocol: SRT, config }]))
}

/** Waits until the input carries, and checks that the output shows moving video. */
async function assertOutputMoves(): Promise<void> {
  await fixture.waitForState(1, CONNECTION_STATE.connected)
  const decoded = await decodeFrames(`srt://127.0.0.1:${output}`)
  assert.equal(decoded.codec, 'h264', decoded.log)
  assert.ok(decoded.distinctFrames > 6, decoded.log)
}

/** Starts a web server with the given files. `requests` lists the requested paths. */
async function serve(files: Record<string, Buffer | string>): Promise<{ url: string; requests: string[] }> {
  const requests: string[] = []
  web = createServer((request, response) => {
    requests.push(request.url ?? '')
    const body = files[request.url ?? '']
    response.writeHead(body === undefined ? 404 : 200).end(body)
  })
  await new Promise<void>((resolve) => web?.listen(0, '127.0.0.1', resolve))
  const { port } = web.address() as { port: number }
  return { url: `http://127.0.0.1:${port}`, requests }
}

test('a UDP input waits for data without a failure, and carries it', async () => {
  const port = await freeUdpPort()
  apply(`udp://127.0.0.1:${port}`)
  await until(() => fixture.engine.observe(1).input.connState === CONNECTION_STATE.waitingForData, 'it waits for data')
  const { state, connState } = fixture.engine.observe(1)
  assert.deepEqual([state, connState], [SOURCE_STATE.running, CONNECTION_STATE.waitingForData])
  sendClip('mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`)
  await assertOutputMoves()
})

test('RTP carries MPEG-TS', async () => {
  const port = await freeUdpPort()
  apply(`rtp://127.0.0.1:${port}`)
  const args = ['-v', 'error', '-re', '-stream_loop', '-1', '-i', clipPath(), '-c', 'copy', '-f', 'rtp_mpegts']
  runProcess([...args, `rtp://127.0.0.1:${port}?pkt_size=1316`])
  await assertOutputMoves()
})

test('an SRT caller receives from a listener', async () => {
  const port = await freeUdpPort()
  sendClip('mpegts', '-passphrase', '0123456789', `srt://127.0.0.1:${port}?mode=listener&pkt_size=1316`)
  apply(`srt://127.0.0.1:${port}?mode=caller&passphrase=0123456789`)
  await assertOutputMoves()
})

test('HLS is read in real time', async () => {
  const playlist = '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n/clip.ts\n'.concat('#EXTINF:4,\n/clip.ts\n'.repeat(5))
  const { url } = await serve({ '/live.m3u8': playlist, '/clip.ts': readFileSync(clipPath()) })
  apply(`${url}/live.m3u8`)
  await assertOutputMoves()
  assert.ok(fixture.engine.observe(1).kbps < 1500, `${fixture.engine.observe(1).kbps} kbps`)
})

/** Copies the clip with its audio twice. */
function clipWithTwoAudioTracks(): string {
  const path = `${clipPath()}.two.ts`
  const maps = ['-map', '0:v', '-map', '0:a', '-map', '0:a']
  assert.equal(spawnSync('ffmpeg', ['-v', 'error', '-i', clipPath(), ...maps, '-c', 'copy', '-y', path]).status, 0)
  return path
}

const inputFormat = (id = 1) => fixture.engine.observe(id).input.format
const untilAudioTracks = (count: number, id = 1) =>
  until(
    () => inputFormat(id)?.audio.length === count,
    () => `${count} audio tracks: ${JSON.stringify(fixture.engine.observe(id).input)}`
  )

test('all audio tracks of the best variant of a playlist are received, and of no other variant', async () => {
  const playlist = (clip: string) => `#EXTM3U\n#EXT-X-TARGETDURATION:4\n${`#EXTINF:4,\n${clip}\n`.repeat(6)}`
  const variants = [
    '#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=80x45\n/small.m3u8',
    '#EXT-X-STREAM-INF:BANDWIDTH=300000,RESOLUTION=160x90\n/large.m3u8'
  ]
  const { url, requests } = await serve({
    '/live.m3u8': `#EXTM3U\n${variants.join('\n')}\n`,
    '/small.m3u8': playlist('/small.ts'),
    '/large.m3u8': playlist('/large.ts'),
    '/small.ts': readFileSync(clipPath()),
    '/large.ts': readFileSync(clipWithTwoAudioTracks())
  })
  apply(`${url}/live.m3u8`)
  await untilAudioTracks(2)
  assert.equal(inputFormat()?.video?.codec, 'H.264')
  const last = () => requests.at(-1)
  await until(
    () => last() === '/large.ts',
    () => `only the best variant is read: ${requests}`
  )
})

test('all audio tracks of an RTSP source are received', async () => {
  const [udp, rtsp] = [await freeUdpPort(), await freeTcpPort()]
  const server = { id: 11, name: 'Server', protocol: RTSP, config: { port: rtsp, key: 'key' } } as const
  await fixture.engine.apply(channel(1, urlInput(2, `udp://127.0.0.1:${udp}`), [server]))
  const target = `udp://127.0.0.1:${udp}?pkt_size=1316`
  const source = ['-v', 'error', '-re', '-stream_loop', '-1', '-i', clipWithTwoAudioTracks(), '-map', '0']
  runProcess([...source, '-c', 'copy', '-f', 'mpegts', target])
  await untilAudioTracks(2)
  await fixture.engine.apply(channel(2, urlInput(3, `rtsp://127.0.0.1:${rtsp}/key?mw-tcp-first=1`), []))
  await untilAudioTracks(2, 2)
})

test('a track that MPEG-TS cannot carry is named', async () => {
  const path = `${clipPath()}.mov`
  const args = [
    '-v',
    'error',
    '-i',
    clipPath(),
    '-c:v',
    'copy',
    '-c:a',
    'pcm_mulaw',
    '-ar',
    '8000',
    '-movflags',
    '+faststart',
    '-y',
    path
  ]
  assert.equal(spawnSync('ffmpeg', args).status, 0)
  const { url } = await serve({ '/clip.mov': readFileSync(path) })
  apply(`${url}/clip.mov`)
  await until(
    () => inputFormat()?.['not-carried']?.join() === 'pcm_mulaw',
    () => `the codec is named: ${JSON.stringify(inputFormat())}`
  )
})

test('a playlist cannot open a file of this machine', async () => {
  const secret = join(dirname(clipPath()), 'secret.ts')
  writeFileSync(secret, readFileSync(clipPath()))
  const { url, requests } = await serve({
    '/live.m3u8': `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nfile://${secret}\n#EXT-X-ENDLIST\n`
  })
  apply(`${url}/live.m3u8`)
  await until(() => fixture.engine.observe(1).connState > CONNECTION_STATE.connected, 'the input fails')
  assert.ok(requests.includes('/live.m3u8'))
  assert.equal(fixture.engine.byteTotals(1).input, 0)
})

test('a missing file and a file without media give the state streamFailed', async () => {
  const { url } = await serve({ '/text': 'only text '.repeat(500) })
  apply(`${url}/nothing`)
  await fixture.waitForState(1, CONNECTION_STATE.streamFailed)
  assert.match(fixture.engine.observe(1).reason ?? '', /404/)
  apply(`${url}/text`)
  await fixture.waitForState(1, CONNECTION_STATE.streamFailed)
})

test('an RTMP input receives from a server', async () => {
  const port = await freeTcpPort()
  // ffmpeg serves one player when it listens as an output.
  const target = `rtmp://127.0.0.1:${port}/live/x`
  runProcess(['-v', 'error', '-re', '-i', clipPath(), '-c', 'copy', '-f', 'flv', '-listen', '1', target])
  apply(target)
  await fixture.waitForState(1, CONNECTION_STATE.connected)
})

test.run()
