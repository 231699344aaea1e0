// The clients that load the hub while jitter is measured, in a process of their own: API calls and log searches as fast
// as the hub responds, and firmware uploads one after the other. The parent process sends the sign-in and the requests
// for counts.
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SUCCESS } from '../../contract/codes.ts'
import { CHUNK_SIZE, finishUpload, startUpload, uploadChunk } from '../../contract/firmware.ts'
import { listLog } from '../../contract/log.ts'
import { queryChannel } from '../../contract/stream/channel.ts'
import { systemStatus } from '../../contract/system.ts'
import { firmwareFileName, writeFirmwareFile } from '../../fleet/firmware-file.ts'
import { MODELS } from '../../fleet/models.ts'
import { startRequests } from '../http-load.ts'

/** Connections of each of the two calls: 32 in all. */
const CALL_CONNECTIONS = 16
/** Connections that search the log. */
const SEARCH_CONNECTIONS = 4
/** Firmware files that are uploaded at the same time, and the size of one in bytes. */
const UPLOADS = 2
const UPLOAD_SIZE = 32 << 20

/** URL of the hub, the Cookie header of a session, and the channel that the calls query. */
export interface LoadTarget {
  url: string
  cookie: string
  channel: number
}
export type LoadRequest = { start: LoadTarget } | { ask: 'counts' }

/** What the clients have done so far. */
export interface LoadCounts {
  calls: number
  searches: number
  /** Bytes of firmware files. */
  uploaded: number
}

let counts = (): LoadCounts => ({ calls: 0, searches: 0, uploaded: 0 })

/** Creates a firmware file of a version of its own, so that several can be uploaded at once. */
function createFile(index: number): { name: string; bytes: Buffer<ArrayBuffer> } {
  const spec = { model: MODELS.streamSdi, version: `9.9.${index}`, size: UPLOAD_SIZE }
  const folder = mkdtempSync(join(tmpdir(), 'headend-bench-'))
  try {
    writeFirmwareFile(join(folder, 'file'), spec)
    return { name: firmwareFileName(spec), bytes: readFileSync(join(folder, 'file')) }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/**
 * Uploads the same file again and again; each time the hub checks it and replaces the one before it. Rejects when the
 * hub refuses it.
 */
async function keepUploading({ url, cookie }: LoadTarget, index: number, onBytes: (size: number) => void) {
  const { name, bytes } = createFile(index)
  const post = async (path: string, type: string, body: BodyInit) => {
    const response = await fetch(`${url}/api${path}`, {
      method: 'POST',
      headers: { cookie, 'content-type': type },
      body
    })
    const answer = (await response.json()) as { result: number; upload: string }
    if (answer.result !== SUCCESS) throw new Error(`${path}: result ${answer.result}`)
    return answer
  }
  const send = (path: string, request: object) => post(path, 'application/json', JSON.stringify(request))
  for (;;) {
    const { upload } = await send(startUpload.path, { name, size: bytes.length })
    for (let offset = 0; offset < bytes.length; offset += CHUNK_SIZE) {
      const chunk = bytes.subarray(offset, offset + CHUNK_SIZE)
      await post(`${uploadChunk.path}?upload=${upload}&offset=${offset}`, 'application/octet-stream', chunk)
      onBytes(chunk.length)
    }
    await send(finishUpload.path, { upload, add: true, force: true })
  }
}

function start(target: LoadTarget): void {
  const { url, cookie, channel } = target
  const request = (path: string, connections: number) => startRequests(`${url}/api${path}`, { cookie }, connections)
  const calls = [
    request(systemStatus.path, CALL_CONNECTIONS),
    request(`${queryChannel.path}?id=${channel}`, CALL_CONNECTIONS)
  ]
  // No line contains the text, so that each search reads all lines.
  const key = randomBytes(8).toString('hex')
  const searches = request(`${listLog.path}?type=operation&key=${key}&count=10`, SEARCH_CONNECTIONS)
  let uploaded = 0
  const uploads = Array.from({ length: UPLOADS }, (_, index) =>
    keepUploading(target, index, (size) => {
      uploaded += size
    })
  )
  counts = () => ({
    calls: calls.reduce((sum, load) => sum + load.count(), 0),
    searches: searches.count(),
    uploaded
  })
  // A failure ends this process, and so the measurement.
  void Promise.all([...uploads, ...[...calls, searches].map(({ failed }) => failed)])
}

process.on('message', (message: LoadRequest) => {
  if ('start' in message) start(message.start)
  else process.send?.(counts())
})
process.on('disconnect', () => process.exit())
