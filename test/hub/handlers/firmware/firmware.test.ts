import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
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
import { FIRMWARE_MANAGER, FIRMWARE_VIEW } from '../../../../contract/permissions.ts'
import { addFile, firmwareFile, piece, sendForm } from '../../../kit/firmware.ts'
import { addUser, startHub } from '../../../kit/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub-of-test.ts'
import { until } from '../../../kit/until.ts'

const test = suite('firmware')

hubForEach(test)

/** A body that breaks after some bytes, as a connection does. */
function broken(bytes: Uint8Array): ReadableStream<Uint8Array> {
  let given = false
  return new ReadableStream({
    pull(controller) {
      if (given) return controller.error(new Error('cut'))
      given = true
      controller.enqueue(bytes)
    }
  })
}

const file = firmwareFile('encodeAio', '1.5.0')

test('a form with a file is taken, tells what it is for, and becomes a firmware when it is adopted', async () => {
  const sent = await sendForm(admin, file)
  assert.equal(sent.result, 0)
  assert.match(sent['file-path'], /^[0-9a-f]{32}\.mwf$/)
  assert.equal(sent['file-size'], file.bytes.length)
  assert.deepEqual(sent['firmware-info'], {
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
  const { result, id } = await admin.send(addFirmware, { 'file-path': sent['file-path'] })
  assert.equal(result, 0)
  const { list } = await admin.send(listFirmware, {})
  assert.equal(list.length, 1)
  assert.equal(list[0]?.id, id)
  assert.equal(list[0]?.['file-path'], file.name)
  assert.equal(list[0]?.sha256, createHash('sha256').update(file.bytes).digest('hex'))
  assert.equal((await admin.send(addFirmware, { 'file-path': sent['file-path'] })).result, 16)
})

test('an upload in pieces goes on where a broken connection left it', async () => {
  const { upload, offset } = await admin.send(startUpload, { name: file.name, size: file.bytes.length })
  assert.equal(offset, 0)
  assert.equal((await piece(admin, upload, 0, file.bytes.subarray(0, 30_000))).offset, 30_000)
  await piece(admin, upload, 30_000, broken(file.bytes.subarray(30_000, 50_000)))
  const state = await admin.send(queryUpload, { upload })
  assert.deepEqual([state.offset, state.size, state.name], [50_000, file.bytes.length, file.name])
  const wrong = await piece(admin, upload, 30_000, file.bytes.subarray(30_000))
  assert.deepEqual([wrong.result, wrong.offset], [27, 50_000])
  assert.equal((await admin.send(finishUpload, { upload })).result, 50)
  assert.equal((await piece(admin, upload, 50_000, file.bytes.subarray(50_000))).offset, file.bytes.length)
  const done = await admin.send(finishUpload, { upload, add: true })
  assert.equal(done.result, 0)
  assert.equal((await admin.send(listFirmware, {})).list[0]?.id, done.id)
  assert.equal((await admin.send(queryUpload, { upload })).result, 16)
})

test('a new piece takes the place of one whose connection hangs', async () => {
  const { upload } = await admin.send(startUpload, { name: file.name, size: file.bytes.length })
  let give = (_: Uint8Array) => {}
  const hanging = piece(
    admin,
    upload,
    0,
    new ReadableStream({
      start(controller) {
        give = (bytes) => controller.enqueue(bytes)
      }
    })
  )
  give(file.bytes.subarray(0, 1000))
  await until(() => hub.hub.firmware.folder.size(upload) === 1000, 'the first bytes are here')
  const next = await piece(admin, upload, 1000, file.bytes.subarray(1000))
  assert.equal(next.offset, file.bytes.length)
  assert.equal((await hanging).result, 0)
  assert.equal((await admin.send(finishUpload, { upload, add: true })).result, 0)
})

test('an upload survives a restart of the hub; one that nothing came of for a day does not', async () => {
  const data = mkdtempSync(join(tmpdir(), 'headend-uploads-'))
  try {
    let first = await startHub({ data })
    const { upload } = await first.enter().send(startUpload, { name: file.name, size: file.bytes.length })
    const { upload: old } = await first.enter().send(startUpload, { name: file.name, size: 1000 })
    await piece(first.enter(), upload, 0, file.bytes.subarray(0, 10))
    await first.close()
    const yesterday = Date.now() / 1000 - 25 * 3600
    utimesSync(join(data, 'firmware', `${old}.mwf`), yesterday, yesterday)
    first = await startHub({ data })
    assert.equal((await first.enter().send(queryUpload, { upload })).offset, 10)
    assert.equal((await first.enter().send(queryUpload, { upload: old })).result, 16)
    assert.deepEqual(readdirSync(join(data, 'firmware')).sort(), [`${upload}.json`, `${upload}.mwf`])
    await first.close()
  } finally {
    rmSync(data, { recursive: true })
  }
})

test('what a file is called never leads out of the folder, and only .mwf is taken', async () => {
  const data = mkdtempSync(join(tmpdir(), 'headend-names-'))
  const other = await startHub({ data })
  try {
    const client = other.enter()
    const before = readdirSync(data).length
    for (const name of ['../../evil.mwf', '..\\..\\evil.mwf', '/etc/evil.mwf', 'a\u0000b.mwf']) {
      const { result } = await sendForm(client, { ...file, name })
      assert.equal(result, 0, name)
    }
    for (const name of ['evil.sh', '.mwf', 'evil.mwf.exe', `${'x'.repeat(300)}.mwf`])
      assert.equal((await sendForm(client, { ...file, name })).result, 23, name)
    assert.equal((await client.send(startUpload, { name: 'firmware.zip', size: 10 })).result, 23)
    assert.equal(readdirSync(data).length, before + 1)
    for (const name of readdirSync(join(data, 'firmware'))) assert.match(name, /^[0-9a-f]{32}\.(mwf|json)$/)
    assert.equal(statSync(join(data, 'firmware')).mode & 0o077, 0)
  } finally {
    await other.close()
    rmSync(data, { recursive: true })
  }
})

test('a damaged file, a broken header, a file that is none and one without a word are refused and leave nothing', async () => {
  const damaged = Buffer.from(file.bytes)
  damaged[damaged.length - 5] = (damaged.at(-5) ?? 0) ^ 1
  assert.equal((await sendForm(admin, { ...file, bytes: damaged })).result, 40)
  assert.equal((await sendForm(admin, { ...file, bytes: Buffer.from(file.bytes.subarray(0, -1)) })).result, 40)
  const header = Buffer.from(file.bytes)
  header.write('{{{', 18)
  assert.equal((await sendForm(admin, { ...file, bytes: header })).result, 21)
  const foreign = { name: 'readme.mwf', bytes: Buffer.from('nothing of ours') }
  assert.equal((await sendForm(admin, foreign)).result, 23)
  assert.equal((await sendForm(admin, file, 'other')).result, 7)
  const cut = await admin.post(
    '/api/firmware/upload',
    broken(Buffer.from(`--x\r\nContent-Disposition: form-data; name="file"; filename="a.mwf"\r\n\r\nabc`)),
    { 'content-type': 'multipart/form-data; boundary=x' }
  )
  assert.equal(((await cut.json()) as { result: number }).result, 50)
  assert.deepEqual(hub.hub.firmware.folder.notes(), [])
})

test('a vendor file is known by its name', async () => {
  const sent = await sendForm(admin, { name: 'ultra_stream_sdi_rev_a_1_5_79.mwf', bytes: Buffer.from('private') })
  const info = sent['firmware-info']
  assert.deepEqual(
    [info['product-id'], info['product-name'], info['hardware-ver'], info['marjor-ver'], info['build-number']],
    [0, 'ultra stream sdi', 'A', 1, 79]
  )
})

test('the checksum that the sender told is checked', async () => {
  const { bytes, name } = file
  const right = createHash('sha256').update(bytes).digest('hex')
  for (const [sha256, expected] of [
    [right, 0],
    ['0'.repeat(64), 40]
  ] as const) {
    const { upload } = await admin.send(startUpload, { name, size: bytes.length, sha256 })
    await piece(admin, upload, 0, bytes)
    assert.equal((await admin.send(finishUpload, { upload })).result, expected)
  }
})

test('what is larger than it may be, or than it should be, is refused', async () => {
  assert.equal((await admin.send(startUpload, { name: file.name, size: FIRMWARE_FILE_MAX + 1 })).result, 18)
  const { upload } = await admin.send(startUpload, { name: file.name, size: 1000 })
  assert.equal((await piece(admin, upload, 0, file.bytes.subarray(0, 1001))).result, 18)
})

test('50 MB stay free, with what other uploads still need; the answer has the numbers', async () => {
  const MB = 1 << 20
  const tight = await startHub({ firmware: { free: async () => 60 * MB } })
  try {
    const client = tight.enter()
    const refused = await client.send(startUpload, { name: file.name, size: 11 * MB })
    assert.equal(refused.result, 29)
    const numbers = refused as unknown as Record<string, number>
    assert.deepEqual([numbers['free-size'], numbers['need-size'], numbers['keep-size']], [60 * MB, 11 * MB, 50 * MB])
    const { upload, result } = await client.send(startUpload, { name: file.name, size: 9 * MB })
    assert.equal(result, 0)
    assert.equal((await client.send(startUpload, { name: file.name, size: 2 * MB })).result, 29)
    await client.send(cancelUpload, { upload })
    assert.equal((await client.send(startUpload, { name: file.name, size: 2 * MB })).result, 0)
  } finally {
    await tight.close()
  }
})

test('the same version of a product is there once; by force the new file takes its place', async () => {
  const first = await addFile(admin, file)
  const again = await sendForm(admin, file)
  const refused = await admin.send(addFirmware, { 'file-path': again['file-path'] })
  assert.deepEqual([refused.result, refused.id], [22, first])
  const forced = await admin.send(addFirmware, { 'file-path': again['file-path'], force: true })
  assert.equal(forced.result, 0)
  const { list } = await admin.send(listFirmware, {})
  assert.deepEqual(
    list.map(({ id }) => id),
    [forced.id]
  )
})

test('the list is by product, the newest version first, and answers only what changed', async () => {
  const ids = [
    await addFile(admin, firmwareFile('encodeAio', '1.4.9')),
    await addFile(admin, firmwareFile('encodeAio', '1.10.0', { test: true })),
    await addFile(admin, firmwareFile('streamSdi', '1.6.0'))
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
  assert.equal((await admin.send(deleteFirmware, { id: [ids[0] ?? 0, ids[2] ?? 0] })).result, 0)
  assert.deepEqual((await admin.send(listFirmware, { since: rev })).gone?.toSorted(), [ids[0], ids[2]])
  assert.equal((await admin.send(deleteFirmware, { id: ids[0] ?? 0 })).result, 16)
})

test('viewing and managing are rights of their own, and an upload is its owner’s alone', async () => {
  const viewer = await addUser(hub, 'viewer', FIRMWARE_VIEW)
  const manager = await addUser(hub, 'manager', FIRMWARE_VIEW | FIRMWARE_MANAGER)
  const nobody = await addUser(hub, 'nobody', 0)
  assert.equal((await viewer.send(listFirmware, {})).result, 0)
  assert.equal((await nobody.send(listFirmware, {})).result, 31)
  assert.equal((await sendForm(viewer, file)).result, 31)
  assert.equal((await sendForm(hub.client(), file)).result, 37)
  assert.equal((await viewer.send(startUpload, { name: file.name, size: 10 })).result, 31)
  const { upload } = await manager.send(startUpload, { name: file.name, size: 10 })
  assert.equal((await admin.send(queryUpload, { upload })).result, 16)
  assert.equal((await piece(admin, upload, 0, 'abc')).result, 16)
  assert.equal((await admin.send(cancelUpload, { upload })).result, 16)
  assert.equal((await manager.send(cancelUpload, { upload })).result, 0)
  assert.equal((await manager.send(cancelUpload, { upload })).result, 16)
})

test('each change leaves its line in the operation log, pieces do not', async () => {
  const id = await addFile(admin, file)
  await sendForm(admin, { ...file, name: 'x.txt' })
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
