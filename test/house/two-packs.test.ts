import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import { verify } from '../../firmware-pack/verify.ts'
import { projectFiles, root } from './sources.ts'

const test = suite('two packs')

const folder = mkdtempSync(join(tmpdir(), 'headend-packs-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

/** A copy of the working tree that knows its commit. */
function copyTo(copy: string): void {
  execFileSync('git', ['clone', '--quiet', '--shared', '--no-checkout', root, copy])
  execFileSync('git', ['-C', copy, 'reset', '--quiet'])
  for (const path of projectFiles()) cpSync(join(root, path), join(copy, path))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
}

/** Builds and packs in a folder of its own. */
async function pack(copy: string, umask: string, env: Record<string, string>): Promise<Map<string, Buffer>> {
  copyTo(copy)
  const script = `umask ${umask} && node node_modules/rollup/dist/bin/rollup -c --silent && node firmware-pack/pack.ts`
  const path = [join(root, 'node_modules/.bin'), process.env.PATH].join(':')
  await promisify(execFile)('bash', ['-c', script], { cwd: copy, env: { ...process.env, ...env, PATH: path } })
  const out = join(copy, 'firmware-pack/out')
  assert.deepEqual(verify(out), [])
  const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  return new Map(
    files
      .map((entry) => join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [file.slice(out.length + 1), readFileSync(file)])
  )
}

test('are equal to the byte, whatever the folder, umask, time zone and locale', async () => {
  const [one, other] = await Promise.all([
    pack(join(folder, 'a'), '022', { TZ: 'UTC', LC_ALL: 'C' }),
    pack(join(folder, 'deeper/in a folder/b'), '077', { TZ: 'Asia/Shanghai', LC_ALL: 'C.UTF-8', LANG: 'zh_CN.UTF-8' })
  ])
  assert.ok(one && other)
  assert.ok([...one.keys()].some((name) => name.endsWith('.tar.gz')))
  assert.deepEqual([...one.keys()], [...other.keys()])
  for (const [name, bytes] of one) assert.ok(bytes.equals(other.get(name) as Buffer), `${name} differs`)
})

test.run()
