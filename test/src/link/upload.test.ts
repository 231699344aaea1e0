import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { FILE_EXISTS, SUCCESS } from '../../../contract/codes.ts'
import {
  cancelUpload,
  finishUpload,
  listFirmware,
  queryUpload,
  sendPiece,
  startUpload
} from '../../../contract/firmware.ts'
import { door, setDoor } from '../../../src/link/fetch-json.ts'
import { sendFile } from '../../../src/link/upload.ts'
import { openDocument } from '../../kit/document.ts'
import { firmwareFile } from '../../kit/firmware.ts'
import { type Client, startHub, type TestHub } from '../../kit/hub.ts'
import { until } from '../../kit/until.ts'

const test = suite('upload')

test.after(openDocument())

const FILE = firmwareFile('encodeAio', '1.5.0', { size: 1_500_000 })

let hub: TestHub
let admin: Client
/** What was asked of the hub, by the paths of the calls. */
let asked: string[]
/** What the line does to a request before the hub gets it: nothing, or it fails. It may hand on a part of the body. */
let disturb: (path: string, body: Blob | undefined) => Promise<void> | void
/** What was told: bytes, and how often that the hub is not heard. */
let told: { sent: number[]; broken: number }
/** Whether the same version that is there is to be replaced. */
let replaces: boolean

const original = { ...door }

test.before.each(async () => {
  hub = await startHub()
  admin = hub.enter()
  asked = []
  disturb = () => {}
  told = { sent: [], broken: 0 }
  replaces = false
  sessionStorage.clear()
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

const file = (name = FILE.name, lastModified = 1) => new File([FILE.bytes], name, { lastModified })
const sent = (one = file(), signal = new AbortController().signal) =>
  sendFile(one, {
    signal,
    told(bytes, broken) {
      if (broken) told.broken++
      else told.sent.push(bytes)
    },
    replace: async () => replaces
  })
const times = (path: string) => asked.filter((one) => one === path).length
const files = async () => (await admin.send(listFirmware, {})).list

test('a file goes in several pieces, tells how far it is, and is then among the files', async () => {
  assert.equal((await sent()).result, SUCCESS)
  assert.equal(times(sendPiece.path), 3)
  assert.deepEqual(
    told.sent,
    told.sent.toSorted((a, b) => a - b)
  )
  assert.equal(told.sent[0], 0)
  assert.equal(told.sent.at(-1), FILE.bytes.length)
  assert.equal(told.broken, 0)
  const [one, ...more] = await files()
  assert.equal(one?.['product-name'], 'Ultra Encode AIO')
  assert.equal(more.length, 0)
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
  assert.equal((await sent()).result, SUCCESS)
  assert.equal(cuts, 1)
  assert.equal(told.broken, 1)
  assert.equal(times(startUpload.path), 1)
  assert.equal(times(queryUpload.path), 1)
  assert.equal((told.sent[2] ?? 0) - (told.sent[1] ?? 0), 100_000)
  assert.equal((await files()).length, 1)
})

test('it waits as long as the hub is not heard', async () => {
  let left = 3
  disturb = () => {
    if (asked.length > 2 && left-- > 0) throw new TypeError('fetch failed')
  }
  assert.equal((await sent()).result, SUCCESS)
  assert.equal(told.broken, 3)
  assert.equal((await files()).length, 1)
})

test('what was done is no failure where its answer was lost', async () => {
  disturb = async (path, body) => {
    if (!path.includes(finishUpload.path) || times(finishUpload.path) > 1) return
    await admin.post(path, body as Blob, { 'content-type': 'application/json' })
    throw new TypeError('fetch failed')
  }
  assert.equal((await sent()).result, SUCCESS)
  assert.equal(told.broken, 1)
  assert.equal((await files()).length, 1)
})

test('the same file chosen again goes on where it stopped; another one begins anew', async () => {
  const left = Promise.withResolvers<void>()
  // As when the page is left: nothing more comes of it.
  disturb = () => {
    if (times(sendPiece.path) !== 2) return undefined
    left.resolve()
    return new Promise(() => {})
  }
  void sent()
  await left.promise
  const [note] = hub.hub.firmware.folder.notes()
  const offset = hub.hub.firmware.folder.size(note?.id ?? '')
  assert.ok(offset > 0)

  disturb = () => {}
  told.sent = []
  assert.equal((await sent()).result, SUCCESS)
  assert.equal(told.sent[0], offset)
  assert.equal(times(startUpload.path), 1)

  told.sent = []
  assert.equal((await sent(file(FILE.name, 2))).result, FILE_EXISTS)
  assert.equal(told.sent[0], 0)
  assert.equal(times(startUpload.path), 2)
})

test('what the hub refuses is answered with its word, and with what it says besides', async () => {
  const refused = await sent(file('readme.txt'))
  assert.equal(refused.result, 23)
  assert.deepEqual(told.sent, [])
  hub.hub.firmware.uploads.piece = async () => {
    throw Object.assign(new Error('full'), { code: 'ENOSPC' })
  }
  const full = await sent()
  assert.notEqual(full.result, SUCCESS)
  assert.equal(times(sendPiece.path), 1)
})

test('the same version takes the place of the one that is there only where that is wanted', async () => {
  await sent()
  const [before] = await files()
  assert.equal((await sent()).result, FILE_EXISTS)
  assert.equal((await files())[0]?.id, before?.id)
  replaces = true
  assert.equal((await sent()).result, SUCCESS)
  const [now, ...more] = await files()
  assert.notEqual(now?.id, before?.id)
  assert.equal(more.length, 0)
})

test('what is ended by the user is thrown away, on the hub too', async () => {
  const stop = new AbortController()
  disturb = () => {
    if (times(sendPiece.path) === 2) stop.abort(new Error('ended'))
  }
  await assert.rejects(sent(file(), stop.signal))
  await until(() => hub.hub.firmware.folder.notes().length === 0, 'the hub has let go of it')
  assert.equal(times(cancelUpload.path), 1)
  assert.equal((await files()).length, 0)
})

test('an upload that the hub knows no more is refused in the middle, not gone on with', async () => {
  disturb = async () => {
    const [note] = hub.hub.firmware.folder.notes()
    if (times(sendPiece.path) === 2 && note) hub.hub.firmware.folder.remove(note.id)
  }
  assert.equal((await sent()).result, 16)
  assert.equal(times(sendPiece.path), 2)
})

test.run()
