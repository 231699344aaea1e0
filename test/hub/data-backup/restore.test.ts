// Archives that must not be restored, and restores that are interrupted.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  chownSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite } from 'uvu'
import { backUp } from '../../../hub/data-backup/create.ts'
import { restore } from '../../../hub/data-backup/restore.ts'
import { finishRestore, type RestorePlan, writeRestorePlan } from '../../../hub/data-backup/restore-plan.ts'
import { openStore } from '../../../hub/store/store.ts'
import { hashTree } from '../../kit/hub/file-tree.ts'

const test = suite('restore')
let folder: string
let data: string
let archive: string

/** A data folder with a database whose setting `name` has the value `text`. */
function createData(path: string, text: string): void {
  openStore(path).close()
  const database = new DatabaseSync(join(path, 'headend.sqlite'))
  database.prepare("INSERT INTO setting (name, value) VALUES ('name', ?)").run(JSON.stringify(text))
  database.close()
  mkdirSync(join(path, 'firmware'))
  writeFileSync(join(path, 'firmware', 'file'), text.repeat(5000))
}

test.before.each(async () => {
  folder = mkdtempSync(join(tmpdir(), 'headend-restore-'))
  data = join(folder, 'data')
  archive = join(folder, 'backup.tar')
  const source = join(folder, 'source')
  createData(source, 'restored')
  await backUp(source, archive)
  createData(data, 'current')
})
test.after.each(() => rmSync(folder, { recursive: true, force: true }))

/** Unpacks the archive, lets `edit` change the files, and packs it again. */
function repack(edit: (root: string) => void, ...args: string[]): void {
  const root = join(folder, 'unpacked')
  mkdirSync(root)
  const tar = (...words: string[]) => assert.equal(spawnSync('tar', words, { stdio: 'inherit' }).status, 0)
  tar('xf', archive, '-C', root)
  edit(root)
  const names = readdirSync(root).filter((name) => name !== 'manifest.json')
  const last = existsSync(join(root, 'manifest.json')) ? ['manifest.json'] : []
  tar('cf', archive, '--format=ustar', ...args, '-C', root, ...names, ...last)
}

function editManifest(root: string, edit: (manifest: { [name: string]: unknown; files: { path: string }[] }) => void) {
  const path = join(root, 'manifest.json')
  const manifest = JSON.parse(readFileSync(path, 'utf8'))
  edit(manifest)
  writeFileSync(path, JSON.stringify(manifest))
}

/** Changes the database of the archive and its hash in the manifest. */
function editDatabase(root: string, sql: string): void {
  const database = new DatabaseSync(join(root, 'headend.sqlite'), { defensive: false })
  database.exec(sql)
  database.close()
  const { 'headend.sqlite': sha256 } = hashTree(root)
  const { size } = statSync(join(root, 'headend.sqlite'))
  editManifest(root, ({ files }) =>
    Object.assign(files.find(({ path }) => path === 'headend.sqlite') ?? {}, { sha256, size })
  )
}

/** Overwrites a byte at a position from 0 to 1 of the archive. */
function flip(position: number): void {
  const bytes = readFileSync(archive)
  const offset = Math.floor(bytes.length * position)
  bytes[offset] = (bytes[offset] ?? 0) ^ 0xff
  writeFileSync(archive, bytes)
}

const cut = (share: number) =>
  writeFileSync(archive, readFileSync(archive).subarray(0, Math.floor(statSync(archive).size * share)))

const FAULTS: [name: string, spoil: () => void, reason: RegExp][] = [
  ['a text file', () => writeFileSync(archive, 'hello'.repeat(1000)), /cannot be read/],
  ['an empty file', () => writeFileSync(archive, ''), /incomplete: it has no manifest/],
  ...[0.1, 0.5, 0.9].map((share): [string, () => void, RegExp] => [
    `an archive cut at ${share}`,
    () => cut(share),
    /cannot be read|incomplete/
  ]),
  ['a damaged database', () => flip(0.3), /headend\.sqlite is damaged/],
  ['a damaged file', () => flip(0.95), /firmware\/file is damaged|cannot be read/],
  ['an archive without its manifest', () => repack((root) => rmSync(join(root, 'manifest.json'))), /has no manifest/],
  [
    'an unreadable manifest',
    () => repack((root) => writeFileSync(join(root, 'manifest.json'), '{')),
    /manifest is damaged/
  ],
  ['another manifest', () => repack((root) => writeFileSync(join(root, 'manifest.json'), '{}')), /not one of a backup/],
  [
    'a newer format',
    () => repack((root) => editManifest(root, (m) => Object.assign(m, { 'format-version': 2 }))),
    /newer hub/
  ],
  ['a missing file', () => repack((root) => rmSync(join(root, 'firmware/file'))), /firmware|missing/],
  ['an added file', () => repack((root) => writeFileSync(join(root, 'added'), 'x')), /does not list: added/],
  ['a lock file', () => repack((root) => writeFileSync(join(root, 'hub.lock'), 'x')), /not part of backups: hub\.lock/],
  ['a symbolic link', () => repack((root) => symlinkSync('/etc', join(root, 'link'))), /type symlink: link/],
  ['a path outside', () => repack(() => {}, '-P', '--transform=s,^device,../../device,'), /"\.\.\/\.\.\/device\.key"/],
  ['an absolute path', () => repack(() => {}, '-P', '--transform=s,^device,/tmp/device,'), /"\/tmp\/device\.key"/],
  ['a newer database', () => repack((root) => editDatabase(root, 'PRAGMA user_version=9999')), /newer hub/],
  ['a foreign database', () => repack((root) => editDatabase(root, 'PRAGMA application_id=9')), /another program/],
  ['a damaged index', () => repack((root) => editDatabase(root, BREAK_INDEX)), /is damaged/]
]

/** Removes the entries of an index, which `quick_check` does not notice. */
const BREAK_INDEX = `
  INSERT INTO setting (name, value) VALUES ('x', '1');
  PRAGMA writable_schema=ON;
  UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'device_catalog') WHERE name = 'sqlite_autoindex_setting_1';`

for (const [name, spoil, reason] of FAULTS)
  test(`${name} is not restored, and nothing is changed`, async () => {
    spoil()
    const before = hashTree(data)
    await assert.rejects(restore(data, archive), reason)
    assert.deepEqual(hashTree(data), before)
    assert.deepEqual(readdirSync(data).sort(), ['device.key', 'firmware', 'headend.sqlite', 'hub.lock'])
  })

test('a restore that was interrupted after any step is finished by the next start', async () => {
  await restore(data, archive)
  const expected = hashTree(data)
  for (let steps = 0; steps <= 6; steps++) {
    const path = join(folder, `data-${steps}`)
    createData(path, 'current')
    const current = hashTree(path)
    mkdirSync(join(path, 'restore-1'))
    for (const name of ['device.key', 'firmware', 'headend.sqlite'])
      cpSync(join(data, name), join(path, 'restore-1', name), { recursive: true })
    const plan: RestorePlan = {
      staging: 'restore-1',
      replaced: 'replaced-1',
      old: ['device.key', 'firmware', 'headend.sqlite']
    }
    writeRestorePlan(path, plan)
    if (steps > 0) mkdirSync(join(path, plan.replaced))
    const moves = [
      ...plan.old.map((name) => [join(path, name), join(path, plan.replaced, name)] as const),
      ...plan.old.map((name) => [join(path, plan.staging, name), join(path, name)] as const)
    ]
    for (const [from, to] of moves.slice(0, steps)) renameSync(from, to)
    assert.equal(finishRestore(path), join(path, plan.replaced))
    assert.deepEqual(hashTree(path), expected, `after ${steps} steps`)
    assert.deepEqual(hashTree(join(path, plan.replaced)), current, `after ${steps} steps`)
    assert.equal(finishRestore(path), undefined)
  }
})

test('root cannot restore into the data folder of another user, and the error contains the command for that user', async () => {
  if (process.getuid?.() === 0) chownSync(data, 65534, 65534)
  const { uid } = statSync(data)
  const before = hashTree(data)
  const command = `sudo -u '#${uid}' make restore FROM=${archive} DATA=${data}`
  await assert.rejects(restore(data, archive, 0), ({ message }: Error) => message.includes(command))
  assert.deepEqual(hashTree(data), before)
  await restore(data, archive, uid)
})

test('the files of a running engine stay where they are', async () => {
  mkdirSync(join(data, 'engine'))
  writeFileSync(join(data, 'engine/engine.sock'), '')
  await restore(data, archive)
  assert.ok(existsSync(join(data, 'engine/engine.sock')))
})

test('unpacked files of a restore that was interrupted before its plan are removed by the next one', async () => {
  mkdirSync(join(data, 'restore-20200101T000000Z'))
  writeFileSync(join(data, 'restore-20200101T000000Z/headend.sqlite'), 'half')
  await restore(data, archive)
  assert.ok(!readdirSync(data).some((name) => name.startsWith('restore-')))
})

test.run()
