// Uploads of console updates: which are accepted, and with which reasons others are refused.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite } from 'uvu'
import { UPDATE_STATE } from '../../../contract/update.ts'
import { createImage } from '../../../firmware-pack/format/image.ts'
import { createPayload } from '../../../firmware-pack/payload.ts'
import { UploadRefused } from '../../../hub/firmware/uploads.ts'
import { ENTRIES_MAX, sizeOfListing, unpackCommand } from '../../../pack/squashfs.ts'
import { createTar, readTar } from '../../../pack/tar.ts'
import { createUpdate } from '../../../pack/update.ts'
import { consoleFiles, createTestUpdate, developmentSigner, generateSigningKey } from '../../kit/hub/console-update.ts'
import {
  closeUpdaters,
  folder,
  installUpdate,
  listFiles,
  ONE,
  refusal,
  removeFolder,
  script,
  slotWithUse,
  startUpdater,
  TWO
} from '../../kit/hub/console-updater.ts'
import { until } from '../../kit/until.ts'

const test = suite('console updater')
test.after.each(closeUpdaters)
test.after(removeFolder)

/** Bytes of all files below a folder; 0 for those that are removed meanwhile. */
function folderSize(path: string): number {
  const names = existsSync(path) ? readdirSync(path, { recursive: true }) : []
  const stats = names.map((name) => statSync(join(path, String(name)), { throwIfNoEntry: false }))
  return stats.reduce((sum, file) => sum + (file?.isFile() ? file.size : 0), 0)
}

interface TarFile {
  path: string
  bytes: Buffer
}

/** A signed pack whose page loads a script that the pack does not contain. */
function withoutScript(mark: string): Buffer {
  const bundle = Object.entries(consoleFiles(mark)).map(([path, text]) => ({ path, bytes: Buffer.from(text) }))
  const { manifest, files } = createPayload(bundle, '1.0.0', { id: mark.repeat(40), time: 0, changed: false })
  manifest.files = manifest.files.filter(({ path }) => path === 'index.html')
  const text = Buffer.from(JSON.stringify(manifest))
  const pages = files.filter(({ path }) => path.startsWith('www/index.html'))
  const image = createImage([{ path: 'manifest.json', bytes: text }, ...pages], 0)
  return createUpdate(text, manifest, image, developmentSigner())
}

test('an invalid pack is refused with its reason, and changes nothing', async () => {
  const updater = startUpdater(undefined, { budget: { html: {}, css: {}, js: {}, total: { raw: 5000 }, requests: 3 } })
  await installUpdate(updater, ONE)
  updater.confirm(script('1'))
  const files = listFiles(updater.data)
  const other = generateSigningKey()
  const [statement, signature, manifest, image] = readTar(TWO) as [TarFile, TarFile, TarFile, TarFile]
  const pack = (...entries: TarFile[]) => createTar(entries, 0)
  const replaceText = ({ path, bytes }: TarFile, from: string, to: string) => ({
    path,
    bytes: Buffer.from(bytes.toString('latin1').replace(from, to), 'latin1')
  })
  const flipped = Buffer.from(image.bytes)
  flipped.writeUInt8(flipped.readUInt8(200) ^ 1, 200)
  const large = { ...consoleFiles('4'), 'assets/more-12345678.js': 'x'.repeat(9000) }
  const cases: [why: string, bytes: Uint8Array, code: number, fault: string][] = [
    ['another key', createTestUpdate('2', { signer: other.signer }), 36, 'wrong-key'],
    ['a changed statement', pack(replaceText(statement, '1.0.1', '9.0.1'), signature, manifest, image), 40, 'tampered'],
    ['a changed manifest', pack(statement, signature, replaceText(manifest, '1.0.1', '9.0.1'), image), 40, 'tampered'],
    ['a changed image', pack(statement, signature, manifest, { ...image, bytes: flipped }), 40, 'tampered'],
    [
      'a removed development flag',
      pack(replaceText(statement, '"development": true,', ''), signature, manifest, image),
      40,
      'tampered'
    ],
    ['a truncated pack', TWO.subarray(0, TWO.length >> 1), 50, 'cut-short'],
    ['missing files', pack(statement, signature), 23, 'not-a-pack'],
    ['another file', Buffer.alloc(4096, 'x'), 23, 'not-a-pack'],
    ['no page', createTestUpdate('5', { files: { 'assets/app-55555555.js': 'x' } }), 9, 'format'],
    ['no script', withoutScript('6'), 9, 'format'],
    ['a console that is too large', createTestUpdate('4', { files: large }), 18, 'over-budget']
  ]
  for (const [why, bytes, code, fault] of cases) {
    assert.deepEqual(await refusal(updater.uploadBytes(bytes)), { code, fault }, why)
    const status = updater.status()
    assert.deepEqual(
      [status.state, status['update-fault'], slotWithUse(updater, 'ready')],
      [UPDATE_STATE.failed, fault, undefined]
    )
    assert.equal(updater.servedMark(), '1')
    assert.deepEqual(listFiles(updater.data), files, why)
  }
  const { part, is, limit } = updater.status()
  assert.deepEqual([part, limit, (is ?? 0) > 9000], ['total raw', 5000, true])
  // Cancelling clears the failure.
  updater.cancel()
  assert.deepEqual([updater.stateBits(), updater.status()['update-fault']], [UPDATE_STATE.idle, undefined])
  assert.equal((await refusal(() => updater.cancel())).code, 16)
})

/** A signed pack whose image holds zeros of `size` bytes beside a valid console, in one file or in several. */
function withZeros(size: number, files: number): Buffer {
  const bundle = Object.entries(consoleFiles('7')).map(([path, text]) => ({ path, bytes: Buffer.from(text) }))
  const { manifest, files: content } = createPayload(bundle, '1.0.0', { id: '7'.repeat(40), time: 0, changed: false })
  const [text] = content
  assert.ok(text)
  const source = join(folder, `zeros-${files}`)
  for (const { path, bytes } of content) {
    mkdirSync(dirname(join(source, path)), { recursive: true })
    writeFileSync(join(source, path), bytes)
  }
  for (let n = 0; n < files; n++) {
    writeFileSync(join(source, `zeros-${n}`), '')
    truncateSync(join(source, `zeros-${n}`), Math.floor(size / files))
  }
  const image = join(folder, `zeros-${files}.squashfs`)
  execFileSync('mksquashfs', [source, image, '-noappend', '-no-duplicates', '-no-sparse', '-no-progress'], {
    stdio: 'ignore'
  })
  return createUpdate(text.bytes, manifest, readFileSync(image), developmentSigner())
}

test('an image that unpacks to 900 MB is refused before it is unpacked, as one file and as many', async () => {
  const updater = startUpdater()
  for (const files of [1, 900]) {
    const bomb = withZeros(900 << 20, files)
    assert.ok(bomb.length < 2 << 20, String(bomb.length))
    let largest = 0
    const watch = setInterval(() => {
      largest = Math.max(largest, folderSize(join(updater.data, 'console')))
    }, 5)
    assert.deepEqual(await refusal(updater.uploadBytes(bomb)), { code: 18, fault: 'over-budget' })
    clearInterval(watch)
    const { part, is } = updater.status()
    assert.deepEqual([part, (is ?? 0) >= 900 << 20], ['image', true])
    assert.ok(largest < 8 << 20, `${largest} bytes on disk`)
    assert.deepEqual(listFiles(updater.data), [])
  }
})

test('while an image is unpacked no file grows beyond the limit, even if the listing lies', async () => {
  withZeros(900 << 20, 1)
  const [image, target] = [join(folder, 'zeros-1.squashfs'), join(folder, 'unpacked')]
  const { program, args } = unpackCommand(image, target, 8 << 20)
  assert.throws(() => execFileSync(program, args, { stdio: 'ignore' }))
  const { size } = statSync(join(target, 'zeros-0'))
  assert.ok(size <= 8 << 20, String(size))
})

test('an image with too many files, or with a device file, is refused', () => {
  const line = (type: string) => `${type}rw-r--r-- 0/0   3 2026-11-22 19:10 squashfs-root/x`
  assert.equal(sizeOfListing([line('-'), line('d'), line('-')].join('\n')), 6)
  assert.throws(
    () =>
      sizeOfListing(
        Array(ENTRIES_MAX + 1)
          .fill(line('-'))
          .join('\n')
      ),
    /more than 4096 files/
  )
  assert.throws(() => sizeOfListing(line('c')), /device files/)
})

test('packs signed with the development key are refused unless it is trusted, and without keys all packs are', async () => {
  const signingKey = generateSigningKey()
  const updater = startUpdater(undefined, { trusted: [generateSigningKey().publicKey, signingKey.publicKey] })
  assert.deepEqual(await refusal(updater.uploadBytes(ONE)), { code: 36, fault: 'development' })
  const validUpdate = createTestUpdate('6', { signer: signingKey.signer })
  await installUpdate(updater, validUpdate)
  updater.confirm(script('6'))
  // A console signed with a key that is no longer trusted is not served.
  const stricter = startUpdater(updater.data, { trusted: [generateSigningKey().publicKey] })
  assert.deepEqual([stricter.servedMark(), stricter.status()['update-fault']], ['0', 'damaged'])

  const installed = startUpdater()
  await installUpdate(installed, ONE)
  installed.confirm(script('1'))
  const without = startUpdater(installed.data, { trusted: [] })
  assert.deepEqual([without.servedMark(), without.status()['update-fault']], ['0', 'damaged'])

  const closed = startUpdater(undefined, { trusted: [] })
  assert.deepEqual([closed.stateBits(), closed.status()['enable-update']], [UPDATE_STATE.unavailable, false])
  assert.deepEqual(await refusal(closed.uploadBytes(validUpdate)), { code: 38, fault: 'no-keys' })
})

test('a cancelled or broken upload leaves no files, and blocks other uploads while it runs', async () => {
  const updater = startUpdater()
  const { promise: never } = Promise.withResolvers<void>()
  const hanging = updater.upload(ONE.length, async (write) => {
    await write(ONE.subarray(0, ONE.length >> 1))
    await never
  })
  const pendingRefusal = refusal(hanging)
  await until(() => updater.status().progress > 0, 'half of it is received')
  assert.deepEqual([updater.stateBits(), updater.status().progress], [UPDATE_STATE.uploading, 50])
  assert.equal((await refusal(updater.uploadBytes(ONE))).code, 43)
  updater.cancel()
  assert.equal((await pendingRefusal).code, 42)
  assert.deepEqual([listFiles(updater.data), updater.stateBits()], [[], UPDATE_STATE.idle])

  const brokenUpload = updater.upload(0, async (write) => {
    await write(ONE.subarray(0, 1000))
    throw new UploadRefused(50)
  })
  assert.equal((await refusal(brokenUpload)).code, 50)
  assert.deepEqual([listFiles(updater.data), updater.stateBits()], [[], UPDATE_STATE.failed])
})

test('an upload needs free space, and has a maximum size', async () => {
  const updater = startUpdater(undefined, { freeSpace: async () => 10 << 20 })
  assert.equal((await refusal(updater.uploadBytes(ONE))).code, 29)
  const wide = startUpdater()
  const tooLarge = wide.upload(0, async (write) => {
    await write(ONE)
    for (let n = 0; n < 20; n++) await write(new Uint8Array(1 << 20))
  })
  assert.equal((await refusal(tooLarge)).code, 18)
  assert.equal((await refusal(wide.upload(1 << 30, async () => {}))).code, 18)
  assert.deepEqual(listFiles(wide.data), [])
})

test('an uploaded update is installed by its ID, an older version needs force, and it can be discarded', async () => {
  const updater = startUpdater()
  await installUpdate(updater, TWO)
  updater.confirm(script('2'))
  const uploaded = await updater.uploadBytes(ONE)
  assert.equal(uploaded.older, true)
  assert.equal((await refusal(() => updater.install('0'.repeat(64), false))).code, 1004)
  assert.equal((await refusal(() => updater.install(uploaded.id, false))).code, 1009)
  updater.cancel()
  assert.equal((await refusal(() => updater.install(uploaded.id, true))).code, 16)
  assert.deepEqual(listFiles(updater.data), ['a', 'state.json'])
  await installUpdate(updater, ONE, true)
  assert.equal(updater.servedMark(), '1')
})

test.run()
