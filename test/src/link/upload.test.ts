import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { FILE_EXISTS, FILE_TYPE_ERROR, NOT_EXIST, SUCCESS } from '../../../contract/codes.ts'
import {
  cancelUpload,
  finishUpload,
  listFirmware,
  queryUpload,
  startUpload,
  uploadChunk
} from '../../../contract/firmware.ts'
import { setTransport, transport } from '../../../src/link/fetch-json.ts'
import { uploadFile } from '../../../src/link/upload.ts'
import { firmwareFile } from '../../kit/hub/firmware-upload.ts'
import { type Client, startHub, type TestHub } from '../../kit/hub/hub.ts'
import { openDocument } from '../../kit/runner/document.ts'
import { until } from '../../kit/until.ts'

const test = suite('upload')

test.after(openDocument())

const FILE = firmwareFile('encodeAio', '1.5.0', { size: 1_500_000 })

let hub: TestHub
let admin: Client
/** Paths of the calls that were made. */
let paths: string[]
/** Simulates the connection: called before each request, may throw, may pass on a part of the body. */
let simulateConnection: (path: string, body: Blob | undefined) => Promise<void> | void
/** Reported progress in bytes, and the number of reported interruptions. */
let progress: { sent: number[]; broken: number }
/** The user's answer to the question whether to replace the file. */
let confirmsReplace: boolean

const original = { ...transport }

test.before.each(async () => {
  hub = await startHub()
  admin = hub.clientAs()
  paths = []
  simulateConnection = () => {}
  progress = { sent: [], broken: 0 }
  confirmsReplace = false
  sessionStorage.clear()
  setTransport({
    async fetch(input, init = {}) {
      const path = String(input)
      paths.push(path.replace(/^\/api|\?.*/g, ''))
      const body = init.body as Blob | undefined
      await simulateConnection(path, body)
      const headers = init.headers as Record<string, string> | undefined
      if (init.method === 'POST') return admin.post(path, body as BodyInit, headers)
      return admin.raw('GET', path, { headers })
    }
  })
})
test.after.each(async () => {
  setTransport(original)
  await hub.close()
})

const testFile = (name = FILE.name, lastModified = 1) => new File([FILE.bytes], name, { lastModified })
const uploadTestFile = (file = testFile(), signal = new AbortController().signal) =>
  uploadFile(file, {
    signal,
    onProgress(bytes, broken) {
      if (broken) progress.broken++
      else progress.sent.push(bytes)
    },
    confirmReplace: async () => confirmsReplace
  })
const countCalls = (path: string) => paths.filter((calledPath) => calledPath === path).length
const listFiles = async () => (await admin.send(listFirmware, {})).list

test('a file is sent in several chunks with progress, and is then in the list of files', async () => {
  assert.equal((await uploadTestFile()).result, SUCCESS)
  assert.equal(countCalls(uploadChunk.path), 3)
  assert.deepEqual(
    progress.sent,
    progress.sent.toSorted((a, b) => a - b)
  )
  assert.equal(progress.sent[0], 0)
  assert.equal(progress.sent.at(-1), FILE.bytes.length)
  assert.equal(progress.broken, 0)
  const [one, ...more] = await listFiles()
  assert.equal(one?.['product-name'], 'Ultra Encode AIO')
  assert.equal(more.length, 0)
})

test('after a broken connection the upload queries the offset of the hub and continues there', async () => {
  let cuts = 0
  simulateConnection = async (path, body) => {
    if (!path.includes(uploadChunk.path) || countCalls(uploadChunk.path) !== 2) return
    cuts++
    // The first half of the chunk arrives before the connection breaks.
    await admin.post(path, body?.slice(0, 100_000) as Blob, { 'content-type': 'application/octet-stream' })
    throw new TypeError('fetch failed')
  }
  assert.equal((await uploadTestFile()).result, SUCCESS)
  assert.equal(cuts, 1)
  assert.equal(progress.broken, 1)
  assert.equal(countCalls(startUpload.path), 1)
  assert.equal(countCalls(queryUpload.path), 1)
  assert.equal((progress.sent[2] ?? 0) - (progress.sent[1] ?? 0), 100_000)
  assert.equal((await listFiles()).length, 1)
})

test('the upload waits while the hub is unreachable', async () => {
  let failuresLeft = 3
  simulateConnection = () => {
    if (paths.length > 2 && failuresLeft-- > 0) throw new TypeError('fetch failed')
  }
  assert.equal((await uploadTestFile()).result, SUCCESS)
  assert.equal(progress.broken, 3)
  assert.equal((await listFiles()).length, 1)
})

test('a completed upload whose response was lost is not a failure', async () => {
  simulateConnection = async (path, body) => {
    if (!path.includes(finishUpload.path) || countCalls(finishUpload.path) > 1) return
    await admin.post(path, body as Blob, { 'content-type': 'application/json' })
    throw new TypeError('fetch failed')
  }
  assert.equal((await uploadTestFile()).result, SUCCESS)
  assert.equal(progress.broken, 1)
  assert.equal((await listFiles()).length, 1)
})

test('selecting the same file again continues the upload; another file starts from the beginning', async () => {
  const interruption = Promise.withResolvers<void>()
  // As when the page is left: the upload stops.
  simulateConnection = () => {
    if (countCalls(uploadChunk.path) !== 2) return undefined
    interruption.resolve()
    return new Promise(() => {})
  }
  void uploadTestFile()
  await interruption.promise
  const [note] = hub.parts.firmware.folder.listUploads()
  const offset = hub.parts.firmware.folder.fileSize(note?.id ?? '')
  assert.ok(offset > 0)

  simulateConnection = () => {}
  progress.sent = []
  assert.equal((await uploadTestFile()).result, SUCCESS)
  assert.equal(progress.sent[0], offset)
  assert.equal(countCalls(startUpload.path), 1)

  progress.sent = []
  assert.equal((await uploadTestFile(testFile(FILE.name, 2))).result, FILE_EXISTS)
  assert.equal(progress.sent[0], 0)
  assert.equal(countCalls(startUpload.path), 2)
})

test('a rejection by the hub is returned with its other fields', async () => {
  const rejection = await uploadTestFile(testFile('readme.txt'))
  assert.equal(rejection.result, FILE_TYPE_ERROR)
  assert.deepEqual(progress.sent, [])
  hub.parts.firmware.uploads.writeChunk = async () => {
    throw Object.assign(new Error('full'), { code: 'ENOSPC' })
  }
  const full = await uploadTestFile()
  assert.notEqual(full.result, SUCCESS)
  assert.equal(countCalls(uploadChunk.path), 1)
})

test('a file of the same version is replaced only when the user confirms', async () => {
  await uploadTestFile()
  const [before] = await listFiles()
  assert.equal((await uploadTestFile()).result, FILE_EXISTS)
  assert.equal((await listFiles())[0]?.id, before?.id)
  confirmsReplace = true
  assert.equal((await uploadTestFile()).result, SUCCESS)
  const [now, ...more] = await listFiles()
  assert.notEqual(now?.id, before?.id)
  assert.equal(more.length, 0)
})

test('a cancelled upload is discarded on the hub too', async () => {
  const stop = new AbortController()
  simulateConnection = () => {
    if (countCalls(uploadChunk.path) === 2) stop.abort(new Error('ended'))
  }
  await assert.rejects(uploadTestFile(testFile(), stop.signal))
  await until(() => hub.parts.firmware.folder.listUploads().length === 0, 'the hub to discard it')
  assert.equal(countCalls(cancelUpload.path), 1)
  assert.equal((await listFiles()).length, 0)
})

test('an upload that no longer exists on the hub ends with an error', async () => {
  simulateConnection = async () => {
    const [note] = hub.parts.firmware.folder.listUploads()
    if (countCalls(uploadChunk.path) === 2 && note) hub.parts.firmware.folder.remove(note.id)
  }
  assert.equal((await uploadTestFile()).result, NOT_EXIST)
  assert.equal(countCalls(uploadChunk.path), 2)
})

test.run()
