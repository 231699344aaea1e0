import assert from 'node:assert/strict'
import { createServer, get, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import type { HlsStore } from '../../../engine/interfaces/leg-parts.ts'
import { handleHlsRequest } from '../../../engine/server/media-requests.ts'
import { until } from '../../kit/until.ts'

const test = suite('media requests')

/** More than the system takes for a client that does not read. */
const BYTES = Buffer.alloc(64 << 20, 7)

let server: Server
let releases = 0

test.before(async () => {
  const store: Partial<HlsStore> = {
    isAllowed: () => true,
    isPlaying: () => true,
    recordFetch() {},
    segment: () => ({ bytes: BYTES, release: () => releases++ })
  }
  const keyThrottle = { isBlocked: () => false, isIssued: () => true, recordWrongKey() {}, listBlocked: () => [] }
  const engine = { hlsStores: new Map([['eye', store]]), keyThrottle } as unknown as Parameters<
    typeof handleHlsRequest
  >[0]
  server = createServer((request, response) => handleHlsRequest(engine, request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
})

test.after(() => {
  server.closeAllConnections()
  server.close()
})

const fetchSegment = () =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const { port } = server.address() as AddressInfo
    get({ port, path: '/hls/eye/1.ts', agent: false }, resolve).on('error', reject)
  })

test('a segment is read until a player has it whole, or has left', async () => {
  const response = await fetchSegment()
  assert.equal(releases, 0)
  let length = 0
  for await (const chunk of response) length += chunk.length
  assert.equal(length, BYTES.length)
  await until(() => releases === 1, 'the end of the first response')
  const abandoned = await fetchSegment()
  assert.equal(releases, 1)
  abandoned.destroy()
  await until(() => releases === 2, 'the end of the second response')
})

test.run()
