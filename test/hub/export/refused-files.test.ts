// Files that are refused as a whole: of a newer hub, compressed, too large, with entries that no export has.
import assert from 'node:assert/strict'
import { gzipSync } from 'node:zlib'
import { extract, pack } from 'tar-stream'
import { suite } from 'uvu'
import { EXPORT_FILE_MAX, uploadImport } from '../../../contract/backup/export.ts'
import { FILE_TYPE_ERROR, INVALID_ARG, TOO_LARGE, UNSUPPORTED, VERIFY_FAILED } from '../../../contract/codes.ts'
import { LANGUAGE_COOKIE } from '../../../contract/text/language.ts'
import { MIGRATIONS } from '../../../hub/database/migrations.ts'
import { SigningKey } from '../../../hub/export/signing-key.ts'
import { compare, downloadExport, upload } from '../../kit/hub/backup/import-export.ts'
import { admin, hubForEach } from '../../kit/hub/hub-for-each.ts'

const test = suite('refused files')
hubForEach(test)

type Files = Record<string, Buffer>

async function unpack(bytes: Buffer): Promise<Files> {
  const archive = extract()
  archive.end(bytes)
  const files: Files = {}
  for await (const entry of archive) {
    const chunks: Buffer[] = []
    for await (const chunk of entry as AsyncIterable<Buffer>) chunks.push(chunk)
    files[entry.header.name] = Buffer.concat(chunks)
  }
  return files
}

async function packFiles(files: Files): Promise<Buffer> {
  const archive = pack()
  for (const [name, bytes] of Object.entries(files)) archive.entry({ name }, bytes)
  archive.finalize()
  const chunks: Buffer[] = []
  for await (const chunk of archive as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** An export whose manifest has other values and a right signature. */
async function exportWith(values: object): Promise<Buffer> {
  const files = await unpack(await downloadExport(admin))
  const key = new SigningKey(':memory:')
  const publicKey = key.publicKey.toString('base64')
  const given = JSON.parse(String(files['manifest.json']))
  const manifest = Buffer.from(JSON.stringify({ ...given, key: publicKey, ...values }))
  const signature = Buffer.from(key.sign(manifest).toString('base64'))
  return packFiles({ ...files, 'manifest.json': manifest, 'manifest.sig': signature })
}

test('an export lists what it leaves out', async () => {
  const files = await unpack(await downloadExport(admin))
  const { 'left-out': leftOut } = JSON.parse(String(files['manifest.json']))
  for (const name of ['backup', 'firewall', 'web']) assert.ok(leftOut.settings.includes(name), name)
  assert.ok(leftOut.tables.includes('operation_log'))
  const { tables } = JSON.parse(String(files['data.json']))
  const contained = [...Object.keys(tables), ...tables.setting.map(({ name }: { name: string }) => name)]
  for (const name of [...leftOut.tables, ...leftOut.settings]) assert.ok(!contained.includes(name), name)
})

test('an export of this version that another key has signed is accepted', async () => {
  const { uploaded } = await compare(admin, await exportWith({}))
  assert.equal(uploaded.signer, 'other')
})

for (const [what, values] of [
  ['a newer schema', { 'schema-version': MIGRATIONS.length + 1 }],
  ['a newer format', { 'format-version': 2, files: 'elsewhere' }]
] as const)
  test(`an export with ${what} is refused with the reason and what to do`, async () => {
    const bytes = await exportWith(values)
    const { result, 'export-fault': fault, message } = await upload(admin, bytes)
    assert.deepEqual([result, fault], [UNSUPPORTED, 'newer'])
    assert.equal(message, 'The export was made by a newer hub\nUpdate this hub first.')
    admin.cookie += `; ${LANGUAGE_COOKIE}=zh`
    assert.equal((await upload(admin, bytes)).message, '该导出文件由更新版本的中控生成\n请先升级本中控。')
  })

test('a file of the maximum size is read, and one byte more is refused with the limit', async () => {
  // As tar an empty archive.
  assert.equal((await upload(admin, Buffer.alloc(EXPORT_FILE_MAX))).result, FILE_TYPE_ERROR)
  const { result, max } = (await upload(admin, Buffer.alloc(EXPORT_FILE_MAX + 1))) as { result: number; max?: number }
  assert.deepEqual([result, max], [TOO_LARGE, EXPORT_FILE_MAX])
})

test('an upload without an end is cut off at the limit', async () => {
  const head = '--b\r\ncontent-disposition: form-data; name="file"; filename="export.tar"\r\n\r\n'
  const block = new Uint8Array(1 << 20)
  let blocks = 0
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(Buffer.from(head)),
    pull(controller) {
      blocks++
      controller.enqueue(block)
    }
  })
  const response = await admin.post(`/api${uploadImport.path}`, body, {
    'content-type': 'multipart/form-data; boundary=b'
  })
  assert.equal(((await response.json()) as { result: number }).result, TOO_LARGE)
  const read = blocks * block.length
  assert.ok(read > EXPORT_FILE_MAX && read < EXPORT_FILE_MAX + 4 * block.length, `${read} bytes were read`)
})

test('a compressed export is refused, and nothing in it is decompressed', async () => {
  assert.equal((await upload(admin, gzipSync(await downloadExport(admin)))).result, FILE_TYPE_ERROR)
  const bomb = gzipSync(Buffer.alloc(EXPORT_FILE_MAX * 8))
  assert.ok(bomb.length < 1 << 20)
  assert.equal((await upload(admin, bomb)).result, FILE_TYPE_ERROR)
  const form = gzipSync(
    Buffer.from('--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\nx\r\n--b--')
  )
  const headers = { 'content-type': 'multipart/form-data; boundary=b', 'content-encoding': 'gzip' }
  const response = await admin.post(`/api${uploadImport.path}`, new Uint8Array(form), headers)
  assert.equal(((await response.json()) as { result: number }).result, INVALID_ARG)
})

test('an unknown entry is refused', async () => {
  assert.equal((await upload(admin, await packFiles({ '../../etc/passwd': Buffer.from('x') }))).result, VERIFY_FAILED)
  const files = await unpack(await downloadExport(admin))
  assert.equal((await upload(admin, await packFiles({ ...files, 'more.txt': Buffer.from('x') }))).result, VERIFY_FAILED)
})

test.run()
