import assert from 'node:assert/strict'
import { execFile, execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import { verifyPack } from '../../firmware-pack/verify-pack.ts'
import type { Budget } from '../../pack/budget.ts'
import { projectFiles, root, textOf } from '../house/sources.ts'

const test = suite('two packs')

const folder = mkdtempSync(join(tmpdir(), 'headend-packs-'))
chmodSync(folder, 0o755)
test.after(() => rmSync(folder, { recursive: true, force: true }))

/** Another user. Only root can switch users, and the user needs access to the folder. */
const OTHER = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups']
const mayBeOther = spawnSync(OTHER[0] ?? '', [...OTHER.slice(1), 'test', '-r', join(root, 'package.json')]).status === 0

/** Shifts the clock of Node by 40 days. */
const LATER = `const Real = Date
globalThis.Date = class extends Real {
  constructor(...args) { super(...(args.length ? args : [Real.now() + 40 * 864e5])) }
  static now() { return Real.now() + 40 * 864e5 }
}`

/** Copies the working tree with its commit. */
function copyTo(copy: string): void {
  execFileSync('git', ['clone', '--quiet', '--no-hardlinks', '--no-checkout', root, copy])
  execFileSync('git', ['-C', copy, 'reset', '--quiet'])
  for (const path of projectFiles()) {
    mkdirSync(dirname(join(copy, path)), { recursive: true })
    cpSync(join(root, path), join(copy, path))
  }
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
}

interface World {
  folder: string
  umask: string
  env: Record<string, string>
  otherUser?: boolean
  /** Packs the console that is built in this folder, instead of building it again. */
  isBuilt?: boolean
  /** A file left by an earlier build. */
  left?: string
}

/** Builds and packs in a separate folder. */
async function pack({ folder: copy, umask, env, otherUser, isBuilt, left }: World): Promise<Map<string, Buffer>> {
  copyTo(copy)
  if (left) {
    mkdirSync(join(copy, 'dist'))
    writeFileSync(join(copy, 'dist', left), 'left')
  }
  if (otherUser) execFileSync('chown', ['-R', '65534:65534', copy])
  if (isBuilt) cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true })
  const build = isBuilt ? [] : ['node node_modules/rollup/dist/bin/rollup -c --silent']
  const script = [`umask ${umask}`, ...build, 'node firmware-pack/pack.ts'].join(' && ')
  const [command = '', ...args] = [...(otherUser ? OTHER : []), 'bash', '-c', script]
  const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(':')
  const keys = { SIGNING_KEY: '', SWU_KEY: '' }
  await promisify(execFile)(command, args, { cwd: copy, env: { ...process.env, ...keys, ...env, PATH: path } })
  const out = join(copy, 'firmware-pack/out')
  assert.equal(verifyPack(out, JSON.parse(textOf('size-budget.json')) as Budget, {}).development, true)
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [file.slice(out.length + 1), readFileSync(file)])
  )
}

test('two packs are equal, independent of folder, user, day, umask, time zone and locale', async () => {
  const later = join(folder, 'later.cjs')
  writeFileSync(later, LATER)
  chmodSync(later, 0o644)
  const deeper = join(folder, 'deeper/in a folder/b')
  const elsewhere = {
    TZ: 'Asia/Shanghai',
    LC_ALL: 'C.UTF-8',
    LANG: 'zh_CN.UTF-8',
    HOME: folder,
    SOURCE_DATE_EPOCH: '86400'
  }
  const [one, other] = await Promise.all([
    pack({ folder: join(folder, 'a'), umask: '022', env: { TZ: 'UTC', LC_ALL: 'C' }, isBuilt: true }),
    pack({
      folder: deeper,
      umask: '077',
      env: { ...elsewhere, NODE_OPTIONS: `--require=${later}` },
      otherUser: mayBeOther,
      left: 'left.txt'
    })
  ])
  for (const ending of ['.tar.gz', '.squashfs', '.update', '.swu', 'bom.json', 'release-notes.md'])
    assert.ok(
      [...one.keys()].some((name) => name.endsWith(ending)),
      ending
    )
  assert.deepEqual([...one.keys()], [...other.keys()])
  for (const [name, bytes] of one) assert.ok(bytes.equals(other.get(name) as Buffer), `${name} differs`)
})

test.run()
