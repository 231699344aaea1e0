// MPEG-TS over HTTP from servers that nobody here wrote (ffmpeg), and from one that sends a file without its length.
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import { CONNECTION_STATE, UDP } from '../../../contract/stream/protocols.ts'
import { openHttpStream } from '../../../engine/inputs/http-stream.ts'
import { fixture, fixtureForEach } from '../../kit/engine/engine-fixture.ts'
import { clipPath, runProcess } from '../../kit/engine/media.ts'
import { channel, parseUrl, urlInput } from '../../kit/engine/wanted-channels.ts'
import { freeTcpPort } from '../../kit/net/free-port.ts'
import { sendPaced } from '../../kit/net/send-paced.ts'
import { until } from '../../kit/until.ts'

const test = suite('HTTP stream')
fixtureForEach(test)

/** Applies a channel from the URL to a UDP socket. Returns the bytes received so far. */
async function receive(url: string): Promise<{ bytes: () => number; close(): void }> {
  let bytes = 0
  const socket = createSocket('udp4', ({ length }) => {
    bytes += length
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const config = { 'dst-ip': '127.0.0.1', 'dst-port': socket.address().port }
  fixture.engine.apply(channel(1, urlInput(2, url), [{ id: 11, name: 'Out', protocol: UDP, config }]))
  return { bytes: () => bytes, close: () => socket.close() }
}

test('an endless stream is copied without delay: what the server sends arrives, and nothing is held back', async () => {
  const media = readFileSync(clipPath())
  let send: ((data: Buffer) => void) | undefined
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'video/mp2t' })
    send = (data) => response.write(data)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const output = await receive(`http://127.0.0.1:${(server.address() as AddressInfo).port}/live`)
  await until(() => send !== undefined, 'the engine requests the stream')
  // The clip of 4 s is sent in real time, in steps of 40 ms. ffmpeg would hold back more than a quarter of it.
  const step = Math.ceil(media.length / 100 / 188) * 188
  const half = Math.ceil(media.length / 2 / step) * step
  const steps = Array.from({ length: half / step }, (_, index) => media.subarray(index * step, (index + 1) * step))
  await sendPaced(steps, 40, (part) => send?.(part))
  await until(
    () => output.bytes() > half - 10_000,
    () => `${output.bytes()} of ${half} bytes`
  )
  output.close()
  server.closeAllConnections()
  server.close()
})

test('a server of ffmpeg that accepts one connection is received', async () => {
  const port = await freeTcpPort()
  runProcess([
    ...['-v', 'error', '-re', '-stream_loop', '-1', '-i', clipPath(), '-map', '0', '-c', 'copy'],
    ...['-f', 'mpegts', '-listen', '1', `http://127.0.0.1:${port}/live.ts`]
  ])
  const output = await receive(`http://127.0.0.1:${port}/live.ts`)
  await fixture.waitForState(1, CONNECTION_STATE.connected, 11)
  await until(() => output.bytes() > 50_000, 'media arrives')
  output.close()
})

test('a file that is sent without its length, and at once, is read in real time', async () => {
  clipPath(20)
  const media = readFileSync(clipPath(20))
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'video/mp2t' })
    response.end(media)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const output = await receive(`http://127.0.0.1:${(server.address() as AddressInfo).port}/file`)
  await fixture.waitForState(1, CONNECTION_STATE.connected, 11)
  await until(() => fixture.engine.processCount() > 1, 'the file is paced')
  const [before, startedAt] = [output.bytes(), performance.now()]
  await until(() => output.bytes() > before + media.length / 2, 'ten seconds of it arrive')
  assert.ok(performance.now() - startedAt > 3000)
  output.close()
  server.closeAllConnections()
  server.close()
})

test('a redirect to another protocol is not followed, and no host is looked up for it', async () => {
  const server = createServer((_, response) => response.writeHead(302, { location: 'file:///etc/passwd' }).end())
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const hosts: string[] = []
  const resolveHost = async (host: string) => {
    hosts.push(host)
    return host
  }
  const url = parseUrl(`http://127.0.0.1:${(server.address() as AddressInfo).port}/live`)
  assert.deepEqual(await openHttpStream(url, resolveHost, undefined), {})
  assert.deepEqual(hosts, ['127.0.0.1'])
  server.close()
})

test.run()
