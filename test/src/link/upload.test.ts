import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SUCCESS } from '../../../contract/codes.ts'
import { finishUpload, listFirmware, queryUpload, sendPiece, startUpload } from '../../../contract/firmware.ts'
import { door, setDoor } from '../../../src/link/exchange.ts'
import { forgetUpload, type Progress, sendFile, type UploadListener } from '../../../src/link/upload.ts'
import { openDocument } from '../../kit/document.ts'
import { firmwareFile } from '../../kit/firmware.ts'
import { type Client, startHub, type TestHub } from '../../kit/hub.ts'

const test = suite('upload')

test.after(openDocument())

const FILE = firmwareFile('encodeAio', '1.5.0', { size: 1_500_000 })

let hub: TestHub
let admin: Client
/** What was asked of the hub, by the paths of the calls. */
let asked: string[]
/** What the line does to a request before the hub gets it: nothing, or it fails. It may hand on a part of the body. */
let disturb: (path: string, body: Blob | undefined) => Promise<void> | void
let told: { begun: string[]; progress: Progress[]; broken: number }

const original = { ...door }

test.before.each(async () => {
  hub = await startHub()
  admin = hub.enter()
  asked = []
  disturb = () => {}
  told = { begun: [], progress: [], broken: 0 }
  forgetUpload()
  setDoor({
    async fetch(input, init = {}) {
      const path = String(input)
      asked.push(path.replace(/^\/api|\?.*/g, ''))
      const body = init.body as Blob | undefined
      await disturb(path, body)
      const headers = init.headers as Record<string, string> | undefined
      if (init.method === 'POST') return admin.post(path, body as BodyInit, headers)
      return admin.raw('GET', path, { headers })
    }
  })
})
test.after.each(async () => {
  setDoor(original)
  await hub.close()
})

const listener: UploadListener = {
  begun: (upload) => void told.begun.push(upload),
  progress: (progress) => void told.progress.push(progress),
  broken: () => void told.broken++
}
const file = (name = FILE.name, lastModified = 1) => new File([FILE.bytes], name, { lastModified })
const sent = (one = file(), signal = new AbortController().signal) => sendFile(one, signal, listener)
const times = (path: string) => asked.filter((one) => one === path).length

async function isWhole(): Promise<void> {
  const upload = told.begun.at(-1) ?? ''
  const { result, 'firmware-info': info } = await admin.send(finishUpload, { upload, add: true })
  assert.equal(result, SUCCESS)
  assert.equal(info['product-name'], 'Ultra Encode AIO')
  assert.equal((await admin.send(listFirmware, {})).total, 1)
}

test('a file goes in several pieces, and tells how far it is', async () => {
  assert.deepEqual(await sent(), { result: SUCCESS })
  assert.ok(times(sendPiece.path) >= 3, asked.join())
  const bytes = told.progress.map((one) => one.sent)
  assert.deepEqual(
    bytes,
    bytes.toSorted((a, b) => a - b)
  )
  assert.equal(bytes[0], 0)
  assert.equal(bytes.at(-1), FILE.bytes.length)
  assert.ok((told.progress.at(-1)?.rate ?? 0) > 0)
  assert.equal(told.broken, 0)
  await isWhole()
})

test('after a broken connection it asks how far the hub is, and goes on there', async () => {
  let cuts = 0
  disturb = async (path, body) => {
    if (!path.includes(sendPiece.path) || times(sendPiece.path) !== 2) return
    cuts++
    // The first half of the piece comes through before the line breaks.
    await admin.post(path, body?.slice(0, 100_000) as Blob, { 'content-type': 'application/octet-stream' })
    throw new TypeError('fetch failed')
  }
  assert.deepEqual(await sent(), { result: SUCCESS })
  assert.equal(cuts, 1)
  assert.equal(told.broken, 1)
  assert.equal(times(startUpload.path), 1)
  assert.equal(times(queryUpload.path), 1)
  const at = told.progress.findIndex((one, index) => index > 0 && one.rate === 0)
  assert.equal((told.progress[at]?.sent ?? 0) - (told.progress[at - 1]?.sent ?? 0), 100_000)
  await isWhole()
})

test('it waits as long as the hub is not heard', async () => {
  let left = 3
  disturb = () => {
    if (asked.length > 2 && left-- > 0) throw new TypeError('fetch failed')
  }
  assert.deepEqual(await sent(), { result: SUCCESS })
  assert.equal(told.broken, 3)
  await isWhole()
})

test('the same file chosen again goes on where it stopped; another one begins anew', async () => {
  const stop = new AbortController()
  disturb = () => {
    if (times(sendPiece.path) === 2) stop.abort(new Error('left'))
  }
  await assert.rejects(sent(file(), stop.signal), /left/)
  disturb = () => {}
  const first = told.begun[0] as string
  const { offset } = await admin.send(queryUpload, { upload: first })
  assert.ok(offset > 0)

  told.progress = []
  assert.deepEqual(await sent(file()), { result: SUCCESS })
  assert.deepEqual(told.begun, [first, first])
  assert.equal(told.progress[0]?.sent, offset)

  assert.deepEqual(await sent(file(FILE.name, 2)), { result: SUCCESS })
  assert.notEqual(told.begun[2], first)
  forgetUpload()
  assert.deepEqual(await sent(file(FILE.name, 2)), { result: SUCCESS })
  assert.equal(new Set(told.begun).size, 3)
})

test('what the hub refuses is answered with its word, and with what it says besides', async () => {
  const refused = await sent(file('readme.txt'))
  assert.equal(refused.result, 23)
  assert.equal(told.begun.length, 0)
  hub.hub.firmware.uploads.piece = async () => {
    throw Object.assign(new Error('full'), { code: 'ENOSPC' })
  }
  const full = await sent()
  assert.notEqual(full.result, SUCCESS)
  assert.equal(times(sendPiece.path), 1)
})

test('an upload that the hub knows no more is refused in the middle, not gone on with', async () => {
  disturb = async () => {
    if (times(sendPiece.path) === 2) hub.hub.firmware.folder.remove(told.begun[0] as string)
  }
  assert.equal((await sent()).result, 16)
  assert.equal(times(sendPiece.path), 2)
})

test.run()
