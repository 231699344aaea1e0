import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import { CONNECTION, SOURCE, SRT } from '../../../contract/stream/protocols.ts'
import { freeTcpPort, freeUdpPort } from '../../kit/free-port.ts'
import { bench, benchForEach } from '../bench.ts'
import { clip, look, run, send, until } from '../media.ts'
import { channel, source } from '../wanted.ts'

const test = suite('input')

let web: Server | undefined
let output = 0
benchForEach(test)
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
  bench.engine.apply(channel(1, source(2, text), [{ id: 3, name: 'Out', protocol: SRT, config }]))
}

async function moves(): Promise<void> {
  await bench.reaches(1, CONNECTION.connected)
  const seen = await look(`srt://127.0.0.1:${output}`)
  assert.equal(seen.codec, 'h264', seen.text)
  assert.ok(seen.different > 6, seen.text)
}

/** A web server on the loopback that answers what it is given. */
async function serve(files: Record<string, Buffer | string>): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  web = createServer((request, response) => {
    asked.push(request.url ?? '')
    const body = files[request.url ?? '']
    response.writeHead(body === undefined ? 404 : 200).end(body)
  })
  await new Promise<void>((resolve) => web?.listen(0, '127.0.0.1', resolve))
  const { port } = web.address() as { port: number }
  return { url: `http://127.0.0.1:${port}`, asked }
}

test('UDP waits for data without complaint, and carries it', async () => {
  const port = await freeUdpPort()
  apply(`udp://127.0.0.1:${port}`)
  await until('its process', () => bench.engine.processes() === 2)
  const { state, connState } = bench.engine.observe(1)
  assert.deepEqual([state, connState], [SOURCE.running, CONNECTION.waitingForData])
  send('mpegts', `udp://127.0.0.1:${port}?pkt_size=1316`)
  await moves()
})

test('RTP carries MPEG-TS', async () => {
  const port = await freeUdpPort()
  apply(`rtp://127.0.0.1:${port}`)
  const args = ['-v', 'error', '-re', '-stream_loop', '-1', '-i', clip(), '-c', 'copy', '-f', 'rtp_mpegts']
  run([...args, `rtp://127.0.0.1:${port}?pkt_size=1316`])
  await moves()
})

test('an SRT caller takes what a listener sends', async () => {
  const port = await freeUdpPort()
  send('mpegts', '-passphrase', '0123456789', `srt://127.0.0.1:${port}?mode=listener&pkt_size=1316`)
  apply(`srt://127.0.0.1:${port}?mode=caller&passphrase=0123456789`)
  await moves()
})

test('HLS comes at its own pace', async () => {
  const playlist = '#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n/clip.ts\n'.concat('#EXTINF:4,\n/clip.ts\n'.repeat(5))
  const { url } = await serve({ '/live.m3u8': playlist, '/clip.ts': readFileSync(clip()) })
  apply(`${url}/live.m3u8`)
  await moves()
  assert.ok(bench.engine.observe(1).kbps < 1500, `${bench.engine.observe(1).kbps} kbps`)
})

test('a playlist cannot name a file of this machine', async () => {
  const secret = join(dirname(clip()), 'secret.ts')
  writeFileSync(secret, readFileSync(clip()))
  const { url, asked } = await serve({
    '/live.m3u8': `#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nfile://${secret}\n#EXT-X-ENDLIST\n`
  })
  apply(`${url}/live.m3u8`)
  await until('it to fail', () => bench.engine.observe(1).connState > CONNECTION.connected)
  assert.ok(asked.includes('/live.m3u8'))
  assert.equal(bench.engine.counted(1).input, 0)
})

test('a missing file and one that is no media are streams that failed', async () => {
  const { url } = await serve({ '/text': 'just words '.repeat(500) })
  apply(`${url}/nothing`)
  await bench.reaches(1, CONNECTION.streamFailed)
  assert.match(bench.engine.observe(1).reason ?? '', /404/)
  apply(`${url}/text`)
  await bench.reaches(1, CONNECTION.streamFailed)
})

test('RTMP is taken from a server', async () => {
  const port = await freeTcpPort()
  // ffmpeg serves one player when it listens as an output.
  const target = `rtmp://127.0.0.1:${port}/live/x`
  run(['-v', 'error', '-re', '-i', clip(), '-c', 'copy', '-f', 'flv', '-listen', '1', target])
  apply(target)
  await bench.reaches(1, CONNECTION.connected)
})

test.run()
