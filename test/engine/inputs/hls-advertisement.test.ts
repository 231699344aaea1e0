// An HLS source whose clock jumps at an advertisement and at the return from it.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import { buildInputCommand } from '../../../engine/inputs/input-command.ts'
import { clipPath, setUpMedia } from '../../kit/engine/media.ts'
import { checkStream } from '../../kit/engine/transport-stream.ts'
import { parseUrl } from '../../kit/engine/wanted-channels.ts'

const test = suite('HLS input with an advertisement')
setUpMedia(test)

/** Times at which the segments begin: each is 4 s long, and the clock jumps by 4 s after each. */
const STARTS = [10, 18, 26]

let server: Server
test.before.each(async () => {
  const clip = clipPath()
  const segments = STARTS.map((start) => {
    const path = `${clip}.${start}.ts`
    spawnSync('ffmpeg', ['-v', 'error', '-i', clip, '-c', 'copy', '-output_ts_offset', String(start), '-y', path])
    return readFileSync(path)
  })
  const entries = segments.map((_, index) => `#EXT-X-DISCONTINUITY\n#EXTINF:4,\n${index}.ts\n`)
  const playlist = `#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:4\n${entries.join('')}#EXT-X-ENDLIST\n`
  server = createServer(({ url = '' }, response) => {
    const [, index] = /(\d)\.ts$/.exec(url) ?? []
    response.end(index === undefined ? playlist : segments[Number(index)])
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})
test.after.each(() => {
  server.close()
})

test('the clock continues where that of the source jumps', async () => {
  const { port } = server.address() as AddressInfo
  const { args } = buildInputCommand(parseUrl(`http://127.0.0.1:${port}/live.m3u8`), { variant: 0 })
  const receiver = spawn('ffmpeg', args)
  const chunks: Buffer[] = []
  receiver.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  receiver.stderr.resume()
  await new Promise((resolve) => receiver.on('close', resolve))
  const stream = Buffer.concat(chunks)
  assert.ok(stream.length > 200_000, `${stream.length} bytes`)
  assert.deepEqual(checkStream(stream).unmarked, [])
})

test.run()
