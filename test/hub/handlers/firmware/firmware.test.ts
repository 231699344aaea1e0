import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { FIRMWARE_MANAGER, FIRMWARE_VIEW } from '../../../../contract/access/permissions.ts'
import {
  FILE_TYPE_ERROR,
  FORMAT_ERROR,
  INVALID_ARG,
  NEED_MORE_DATA,
  NO_SPACE,
  NOT_EXIST,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  SUCCESS,
  TOO_LARGE,
  VERIFY_FAILED
} from '../../../../contract/codes.ts'
import {
  addFirmware,
  cancelUpload,
  deleteFirmware,
  FIRMWARE_FILE_MAX,
  finishUpload,
  listFirmware,
  queryUpload,
  startUpload
} from '../../../../contract/firmware.ts'
import { listLog } from '../../../../contract/log.ts'
import { firmwareFile, sendChunk, uploadFile, uploadForm } from '../../../kit/hub/firmware-upload.ts'
import { addUser, startHub } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { until } from '../../../kit/until.ts'

const test = suite('firmware')

hubForEach(test)

/** A body that breaks after some bytes, as a connection does. */
function brokenStream(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let isSent = false
  return new ReadableStream({
    pull(controller) {
      if (isSent) return controller.error(new Error('cut'))
      isSent = true
      controller.enqueue(bytes)
    }
  })
}

const file = firmwareFile('encodeAio', '1.5.0')

test('a file uploaded as a form is identified, and becomes a firmware when it is adopted', async () => {
  const uploaded = await uploadForm(admin, file)
  assert.equal(uploaded.result, SUCCESS)
  assert.match(uploaded['file-path'], /^[0-9a-f]{32}\.mwf$/)
  assert.equal(uploaded['file-size'], file.bytes.length)
  assert.deepEqual(uploaded['firmware-info'], {
    'product-id': 787,
    'product-name': 'Ultra Encode AIO',
    'firmware-id': 0,
    'marjor-ver': 1,
    'minor-ver': 5,
    'build-number': 0,
    'build-time': 1770802200,
    'hardware-ver': 'A'
  })
  assert.equal((await admin.send(listFirmware, {})).total, 0)
  const { result, id } = await admin.send(addFirmware, { 'file-path': uploaded['file-path'] })
  assert.equal(result, SUCCESS)
  const { list } = await admin.send(listFirmware, {})
  assert.equal(list.length, 1)
  assert.equal(list[0]?.id, id)
  assert.equal(list[0]?.['file-path'], file.name)
  assert.equal(list[0]?.sha256, createHash('sha256').update(file.bytes).digest('hex'))
  assert.equal((await admin.send(addFirmware, { 'file-path': uploaded['file-path'] })).result, NOT_EXIST)
})

test('an upload in pieces continues after a broken connection', async () => {
  const { upload, offset } = await admin.send(startUpload, { name: file.name, size: file.bytes.length })
  assert.equal(offset, 0)
  assert.equal((await sendChunk(admin, upload, 0, file.bytes.subarray(0, 30_000))).offset, 30_000)
  await sendChunk(admin, upload, 30_000, brokenStream(file.bytes.subarray(30_000, 50_000)))
  const state = await admin.send(queryUpload, { upload })
  assert.deepEqual([state.offset, state.size, state.name], [50_000, file.bytes.length, file.name])
  const wrongOffset = await sendChunk(admin, upload, 30_000, file.bytes.subarray(30_000))
  assert.deepEqual([wrongOffset.result, wrongOffset.offset], [27, 50_000])
  assert.equal((await admin.send(finishUpload, { upload })).result, NEED_MORE_DATA)
  assert.equal((await sendChunk(admin, upload, 50_000, file.bytes.subarray(50_000))).offset, file.bytes.length)
  const finished = await admin.send(finishUpload, { upload, add: true })
  assert.equal(finished.result, SUCCESS)
  assert.equal((await admin.send(listFirmware, {})).list[0]?.id, finished.id)
  assert.equal((await admin.send(queryUpload, { upload })).result, NOT_EXIST)
})

test('a new piece replaces one whose connection hangs', async () => {
  const { upload } = await admin.send(startUpload, { name: file.name, size: file.bytes.length })
  let enqueue = (_: Uint8Array) => {}
  const hanging = sendChunk(
    admin,
    upload,
    0,
    new ReadableStream({
      start(controller) {
        enqueue = (bytes) => controller.enqueue(bytes)
      }
    })
  )
  enqueue(file.bytes.subarray(0, 1000))
  await until(() => hub.parts.firmware.folder.fileSize(upload) === 1000, 'the first bytes have arrived')
  const next = await sendChunk(admin, upload, 1000, file.bytes.subarray(1000))
  assert.equal(next.offset, file.bytes.length)
  assert.equal((await hanging).result, SUCCESS)
  assert.equal((await admin.send(finishUpload, { upload, add: true })).result, SUCCESS)
})

test('an upload survives a restart of the hub; an unfinished one is deleted after a day', async () => {
  const data = mkdtempSync(join(tmpdir(), 'headend-uploads-'))
  try {
    let first = await startHub({ data })
    const { upload } = await first.clientAs().send(startUpload, { name: file.name, size: file.bytes.length })
    const { upload: old } = await first.clientAs().send(startUpload, { name: file.name, size: 1000 })
    await sendChunk(first.clientAs(), upload, 0, file.bytes.subarray(0, 10))
    await first.close()
    const yesterday = Date.now() / 1000 - 25 * 3600
    utimesSync(join(data, 'firmware', `${old}.mwf`), yesterday, yesterday)
    first = await startHub({ data })
    assert.equal((await first.clientAs().send(queryUpload, { upload })).offset, 10)
    assert.equal((await first.clientAs().send(queryUpload, { upload: old })).result, NOT_EXIST)
    assert.deepEqual(readdirSync(join(data, 'firmware')).sort(), [`${upload}.json`, `${upload}.mwf`])
    await first.close()
  } finally {
    rmSync(data, { recursive: true })
  }
})

test('file names cannot leave the folder, and only .mwf files are accepted', async () => {
  const data = mkdtempSync(join(tmpdir(), 'headend-names-'))
  const other = await startHub({ data })
  try {
    const client = other.clientAs()
    const before = readdirSync(data).length
    for (const name of ['../../evil.mwf', '..\\..\\evil.mwf', '/etc/evil.mwf']) {
      const { result } = await uploadForm(client, { ...file, name })
      assert.equal(result, SUCCESS, name)
    }
    for (const name of ['evil.sh', '.mwf', 'evil.mwf.exe', `${'x'.repeat(300)}.mwf`])
      assert.equal((await uploadForm(client, { ...file, name })).result, FILE_TYPE_ERROR, name)
    // A header of a form cannot have this character (RFC 9110, 5.5).
    assert.equal((await uploadForm(client, { ...file, name: 'a\u0000b.mwf' })).result, INVALID_ARG)
    assert.equal((await client.send(startUpload, { name: 'firmware.zip', size: 10 })).result, FILE_TYPE_ERROR)
    assert.equal(readdirSync(data).length, before + 1)
    for (const name of readdirSync(join(data, 'firmware'))) assert.match(name, /^[0-9a-f]{32}\.(mwf|json)$/)
    assert.equal(statSync(join(data, 'firmware')).mode & 0o077, 0)
  } finally {
    await other.close()
    rmSync(data, { recursive: true })
  }
})

test('damaged, invalid and incomplete files are refused and deleted', async () => {
  const damaged = Buffer.from(file.bytes)
  damaged[damaged.length - 5] = (damaged.at(-5) ?? 0) ^ 1
  assert.equal((await uploadForm(admin, { ...file, bytes: damaged })).result, VERIFY_FAILED)
  assert.equal(
    (await uploadForm(admin, { ...file, bytes: Buffer.from(file.bytes.subarray(0, -1)) })).result,
    VERIFY_FAILED
  )
  const header = Buffer.from(file.bytes)
  header.write('{{{', 18)
  assert.equal((await uploadForm(admin, { ...file, bytes: header })).result, FORMAT_ERROR)
  const otherFile = { name: 'readme.mwf', bytes: Buffer.from('nothing of ours') }
  assert.equal((await uploadForm(admin, otherFile)).result, FILE_TYPE_ERROR)
  assert.equal((await uploadForm(admin, file, 'other')).result, INVALID_ARG)
  const truncated = await admin.post(
    '/api/firmware/upload',
    brokenStream(Buffer.from(`--x\r\nContent-Disposition: form-data; name="file"; filename="a.mwf"\r\n\r\nabc`)),
    { 'content-type': 'multipart/form-data; boundary=x' }
  )
  assert.equal(((await truncated.json()) as { result: number }).result, NEED_MORE_DATA)
  assert.deepEqual(hub.parts.firmware.folder.listUploads(), [])
})

test('a vendor file is identified by its name', async () => {
  const uploaded = await uploadForm(admin, { name: 'ultra_stream_sdi_rev_a_1_5_79.mwf', bytes: Buffer.from('private') })
  const info = uploaded['firmware-info']
  assert.deepEqual(
    [info['product-id'], info['product-name'], info['hardware-ver'], info['marjor-ver'], info['build-number']],
    [0, 'ultra stream sdi', 'A', 1, 79]
  )
})

test('the checksum of the request is checked', async () => {
  const { bytes, name } = file
  const checksum = createHash('sha256').update(bytes).digest('hex')
  for (const [sha256, expected] of [
    [checksum, 0],
    ['0'.repeat(64), 40]
  ] as const) {
    const { upload } = await admin.send(startUpload, { name, size: bytes.length, sha256 })
    await sendChunk(admin, upload, 0, bytes)
    assert.equal((await admin.send(finishUpload, { upload })).result, expected)
  }
})

test('a file that exceeds the maximum or its declared size is refused', async () => {
  assert.equal((await admin.send(startUpload, { name: file.name, size: FIRMWARE_FILE_MAX + 1 })).result, TOO_LARGE)
  const { upload } = await admin.send(startUpload, { name: file.name, size: 1000 })
  assert.equal((await sendChunk(admin, upload, 0, file.bytes.subarray(0, 1001))).result, TOO_LARGE)
})

test('50 MB stay free on the disk, pending uploads included; the response has the numbers', async () => {
  const MB = 1 << 20
  const smallDisk = await startHub({ firmware: { freeSpace: async () => 60 * MB } })
  try {
    const client = smallDisk.clientAs()
    const refusal = await client.send(startUpload, { name: file.name, size: 11 * MB })
    assert.equal(refusal.result, NO_SPACE)
    const sizes = refusal as unknown as Record<string, number>
    assert.deepEqual([sizes['free-size'], sizes['need-size'], sizes['keep-size']], [60 * MB, 11 * MB, 50 * MB])
    const { upload, result } = await client.send(startUpload, { name: file.name, size: 9 * MB })
    assert.equal(result, SUCCESS)
    assert.equal((await client.send(startUpload, { name: file.name, size: 2 * MB })).result, NO_SPACE)
    await client.send(cancelUpload, { upload })
    assert.equal((await client.send(startUpload, { name: file.name, size: 2 * MB })).result, SUCCESS)
  } finally {
    await smallDisk.close()
  }
})

test('a version of a product exists once; with force a new file replaces it', async () => {
  const first = await uploadFile(admin, file)
  const secondUpload = await uploadForm(admin, file)
  const refusal = await admin.send(addFirmware, { 'file-path': secondUpload['file-path'] })
  assert.deepEqual([refusal.result, refusal.id], [22, first])
  const replaced = await admin.send(addFirmware, { 'file-path': secondUpload['file-path'], force: true })
  assert.equal(replaced.result, SUCCESS)
  const { list } = await admin.send(listFirmware, {})
  assert.deepEqual(
    list.map(({ id }) => id),
    [replaced.id]
  )
})

test('the list is sorted by product, newest version first, and supports delta responses', async () => {
  const ids = [
    await uploadFile(admin, firmwareFile('encodeAio', '1.4.9')),
    await uploadFile(admin, firmwareFile('encodeAio', '1.10.0', { test: true })),
    await uploadFile(admin, firmwareFile('streamSdi', '1.6.0'))
  ]
  const { list, rev } = await admin.send(listFirmware, {})
  assert.deepEqual(
    list.map(({ id }) => id),
    [ids[1], ids[0], ids[2]]
  )
  assert.deepEqual(
    list.map((row) => row['firmware-id']),
    [1, 0, 0]
  )
  assert.deepEqual((await admin.send(listFirmware, { since: rev })).list, [])
  assert.equal((await admin.send(listFirmware, { 'product-id': 769 })).total, 1)
  assert.equal((await admin.send(listFirmware, { 'hardware-ver': 'B' })).total, 0)
  assert.equal((await admin.send(deleteFirmware, { id: [ids[0] ?? 0, ids[2] ?? 0] })).result, SUCCESS)
  assert.deepEqual((await admin.send(listFirmware, { since: rev })).gone?.toSorted(), [ids[0], ids[2]])
  assert.equal((await admin.send(deleteFirmware, { id: ids[0] ?? 0 })).result, NOT_EXIST)
})

test('viewing and managing firmware are separate permissions, and an upload belongs to its user', async () => {
  const viewer = await addUser(hub, 'viewer', FIRMWARE_VIEW)
  const manager = await addUser(hub, 'manager', FIRMWARE_VIEW | FIRMWARE_MANAGER)
  const outsider = await addUser(hub, 'nobody', 0)
  assert.equal((await viewer.send(listFirmware, {})).result, SUCCESS)
  assert.equal((await outsider.send(listFirmware, {})).result, NOT_PERMITTED)
  assert.equal((await uploadForm(viewer, file)).result, NOT_PERMITTED)
  assert.equal((await uploadForm(hub.client(), file)).result, NOT_LOGGED_IN)
  assert.equal((await viewer.send(startUpload, { name: file.name, size: 10 })).result, NOT_PERMITTED)
  const { upload } = await manager.send(startUpload, { name: file.name, size: 10 })
  assert.equal((await admin.send(queryUpload, { upload })).result, NOT_EXIST)
  assert.equal((await sendChunk(admin, upload, 0, 'abc')).result, NOT_EXIST)
  assert.equal((await admin.send(cancelUpload, { upload })).result, NOT_EXIST)
  assert.equal((await manager.send(cancelUpload, { upload })).result, SUCCESS)
  assert.equal((await manager.send(cancelUpload, { upload })).result, NOT_EXIST)
})

test('each change is in the operation log, pieces of an upload are not', async () => {
  const id = await uploadFile(admin, file)
  await uploadForm(admin, { ...file, name: 'x.txt' })
  await admin.send(deleteFirmware, { id })
  const { list } = await admin.send(listLog, { type: 'operation' })
  assert.deepEqual(list.map(({ event, detail, code }) => [event, detail, code]).reverse(), [
    ['/firmware/upload/start', file.name, 0],
    ['/firmware/upload/finish', 'Ultra Encode AIO A 1.5.0', 0],
    ['/firmware/upload', 'x.txt', 23],
    ['/firmware/del', 'Ultra Encode AIO A 1.5.0', 0]
  ])
})

test.run()
