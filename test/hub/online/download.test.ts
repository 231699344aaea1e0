import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync
} from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { FIRMWARE_SPACE_MIN } from '../../../contract/firmware.ts'
import type { OnlineFault } from '../../../contract/online.ts'
import { DOWNLOAD_TIMEOUT, type DownloadOptions, downloadFile, STALL_TIMEOUT } from '../../../hub/online/download.ts'
import { OnlineError } from '../../../hub/online/online-error.ts'
import { removePart } from '../../../hub/online/part-file.ts'
import { computeDigest } from '../../../pack/manifest.ts'
import { entityTag, type StaticServer, startStaticServer } from '../../kit/net/static-server.ts'
import { until } from '../../kit/until.ts'

const test = suite('download')
const bytes = randomBytes(1 << 20)
const half = bytes.length / 2
const KEEP = FIRMWARE_SPACE_MIN << 20
let server: StaticServer
let folder: string
let path: string
test.before.each(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headend-download-'))
  path = join(folder, 'file')
  server = await startStaticServer()
  server.files.set('/file', bytes)
})
test.after.each(async () => {
  mock.timers.reset()
  await server.close()
  rmSync(folder, { recursive: true })
})

const download = (more: Partial<DownloadOptions> = {}) =>
  downloadFile({
    address: new URL(`${server.address}/file`),
    path,
    digest: computeDigest(bytes),
    freeSpace: async () => KEEP + 2 * bytes.length,
    onProgress() {},
    signal: new AbortController().signal,
    ...more
  })

const assertFault = (work: Promise<unknown>, fault: OnlineFault, details?: object) =>
  assert.rejects(work, (error: unknown) => {
    assert.ok(error instanceof OnlineError, String(error))
    assert.equal(error.fault, fault)
    if (details) assert.deepEqual(error.details, details)
    return true
  })

function assertComplete(): void {
  assert.ok(readFileSync(path).equals(bytes))
  assert.deepEqual(readdirSync(folder), ['file'])
}

/** Answers the first request with this, later ones as a static server does. */
function answerOnce(answer: (response: ServerResponse, request: IncomingMessage) => void): void {
  server.answer = (request, response) => {
    server.answer = () => false
    answer(response, request)
    return true
  }
}

/** Sends the first half of the file, and ends the connection when it has arrived. */
async function downloadHalf(etag = entityTag(bytes)): Promise<void> {
  let connection: ServerResponse | undefined
  answerOnce((response) => {
    connection = response
    response.writeHead(200, { etag, 'content-length': bytes.length })
    response.write(bytes.subarray(0, half))
  })
  const onProgress = (received: number) => received === half && connection?.destroy()
  await assertFault(download({ onProgress }), 'cut-short')
  assert.ok(!existsSync(path))
}

test('a file is downloaded with its progress', async () => {
  const progress: number[] = []
  await download({ onProgress: (received) => progress.push(received) })
  assertComplete()
  assert.equal(progress[0], 0)
  assert.equal(progress.at(-1), bytes.length)
  assert.deepEqual(
    progress,
    [...progress].sort((a, b) => a - b)
  )
})

test('a download that breaks off is continued where it ended', async () => {
  await downloadHalf()
  const progress: number[] = []
  await download({ onProgress: (received) => progress.push(received) })
  assertComplete()
  assert.equal(progress[0], half)
  assert.deepEqual(
    server.requests.map(({ range }) => range),
    [undefined, `bytes=${half}-`]
  )
})

test('a file that arrived completely before the hub stopped is not requested again', async () => {
  await downloadHalf()
  writeFileSync(`${path}.part`, bytes)
  await download()
  assertComplete()
  assert.equal(server.requests.length, 1)
})

test('a file that has another version meanwhile is downloaded from its start', async () => {
  await downloadHalf('"another version"')
  await download()
  assertComplete()
})

test('a server without ranges, or with wrong ones, gives the whole file', async () => {
  const whole = (response: ServerResponse) => response.writeHead(200, { 'content-length': bytes.length }).end(bytes)
  const rest = bytes.subarray(half)
  const answers: ((response: ServerResponse) => unknown)[] = [
    whole,
    (response) => response.writeHead(416, { 'content-range': `bytes */${bytes.length}` }).end(),
    (response) => response.writeHead(206).end(rest),
    (response) =>
      response.writeHead(206, { 'content-range': `bytes 0-${bytes.length - 1}/${bytes.length}` }).end(bytes),
    (response) =>
      response.writeHead(206, { 'content-range': `bytes ${half}-${bytes.length}/${bytes.length + 1}` }).end()
  ]
  for (const answer of answers) {
    await downloadHalf()
    answerOnce(answer)
    await download()
    assertComplete()
    rmSync(path)
  }
})

test('a part that is damaged on the disk is found by the digest, and the file is downloaded again', async () => {
  await downloadHalf()
  writeFileSync(`${path}.part`, Buffer.alloc(half))
  await download()
  assertComplete()
  assert.deepEqual(
    server.requests.map(({ range }) => range),
    [undefined, `bytes=${half}-`, undefined]
  )
})

test('a part of another release, one without a note and one that is too long are not continued', async () => {
  await downloadHalf()
  const other = randomBytes(bytes.length)
  server.files.set('/other', other)
  await download({ address: new URL(`${server.address}/other`), digest: computeDigest(other) })
  assert.ok(readFileSync(path).equals(other))
  for (const prepare of [
    () => rmSync(`${path}.note.part`),
    () => writeFileSync(`${path}.note.part`, 'null'),
    () => writeFileSync(`${path}.part`, Buffer.alloc(bytes.length + 1))
  ]) {
    rmSync(path)
    await downloadHalf()
    prepare()
    await download()
    assertComplete()
  }
})

test('a file with other bytes is refused, and nothing of it is kept', async () => {
  server.files.set('/file', randomBytes(bytes.length))
  await assertFault(download(), 'wrong-digest')
  assert.deepEqual(readdirSync(folder), [])
})

test('a file that is larger or smaller than announced is refused', async () => {
  server.files.set('/file', Buffer.concat([bytes, Buffer.from('x')]))
  await assertFault(download(), 'too-large')
  server.files.set('/file', bytes.subarray(1))
  await assertFault(download(), 'cut-short')
  server.answer = (_, response) => Boolean(response.writeHead(200).end(Buffer.concat([bytes, bytes])))
  await assertFault(download(), 'too-large')
  assert.deepEqual(readdirSync(folder), [])
})

test('an endless file is left at the announced size', async () => {
  let size = 0
  server.answer = (_, response) => {
    response.writeHead(200)
    const write = () => {
      size = Math.max(size, statSync(`${path}.part`, { throwIfNoEntry: false })?.size ?? 0)
      if (!response.destroyed) response.write(bytes, write)
    }
    write()
    return true
  }
  await assertFault(download(), 'too-large')
  assert.ok(size <= bytes.length)
})

test('an answer with another status is no file', async () => {
  server.files.clear()
  await assertFault(download(), 'http-status', { status: 404 })
  server.answer = (_, response) => Boolean(response.writeHead(204).end())
  await assertFault(download(), 'http-status', { status: 204 })
  server.answer = (_, response) => Boolean(response.writeHead(206).end(bytes))
  await assertFault(download(), 'http-status', { status: 206 })
})

test('without enough space nothing is requested; only what is missing needs space', async () => {
  const free = KEEP + bytes.length - 1
  await assertFault(download({ freeSpace: async () => free }), 'no-space', { free, need: bytes.length })
  assert.deepEqual(server.requests, [])
  await downloadHalf()
  await assertFault(download({ freeSpace: async () => KEEP + half - 1 }), 'no-space', {
    free: KEEP + half - 1,
    need: half
  })
  await download({ freeSpace: async () => KEEP + half })
  assertComplete()
})

test('a disk that is full while the file arrives is named', async () => {
  const full = Object.assign(new Error('full'), { code: 'ENOSPC', syscall: 'write' })
  await assertFault(
    download({
      onProgress(received) {
        if (received > 0) throw full
      }
    }),
    'no-space'
  )
})

test('a cancelled download keeps what has arrived, until it is discarded', async () => {
  const controller = new AbortController()
  answerOnce((response) => {
    response.writeHead(200, { etag: entityTag(bytes), 'content-length': bytes.length })
    response.write(bytes.subarray(0, half))
  })
  const onProgress = (received: number) => received === half && controller.abort()
  await assertFault(download({ signal: controller.signal, onProgress }), 'cancelled')
  assert.equal(statSync(`${path}.part`).size, half)
  await assertFault(download({ signal: controller.signal }), 'cancelled')
  truncateSync(`${path}.part`, half - 1)
  await download()
  assertComplete()
  await downloadHalfAgain()
})

async function downloadHalfAgain(): Promise<void> {
  rmSync(path)
  await downloadHalf()
  removePart(path)
  assert.deepEqual(readdirSync(folder), [])
}

test('a server that stops sending is left after the time limit, and what has arrived is kept', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  answerOnce((response) => {
    response.writeHead(200, { etag: entityTag(bytes), 'content-length': bytes.length })
    response.write(bytes.subarray(0, half))
  })
  let received = 0
  const work = assertFault(
    download({
      onProgress(size) {
        received = size
      }
    }),
    'timeout'
  )
  await until(() => received === half, 'half of the file')
  mock.timers.tick(STALL_TIMEOUT)
  await work
  mock.timers.reset()
  await download()
  assertComplete()
})

test('a server that sends one byte at a time is left at the limit for the whole download', async () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  let response: ServerResponse | undefined
  answerOnce((answered) => {
    response = answered
    response.writeHead(200)
  })
  let received = 0
  let outcome: unknown
  const work = assertFault(
    download({
      onProgress(size) {
        received = size
      }
    }),
    'timeout'
  ).then(() => {
    outcome = 'timeout'
  })
  await until(() => response, 'a request')
  const step = STALL_TIMEOUT / 2
  let steps = 0
  for (; !outcome && steps < 10; steps += 1) {
    response?.write(bytes.subarray(received, received + 1))
    await until(() => outcome || received === steps + 1, 'a byte')
    mock.timers.tick(step)
  }
  assert.equal(outcome, undefined)
  mock.timers.tick(DOWNLOAD_TIMEOUT)
  await work
})

test.run()
