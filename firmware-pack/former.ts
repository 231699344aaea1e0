// What the console weighed before: the former commit is built once, beside, and its sizes are kept.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Measured } from '../pack/budget.ts'
import { measure } from './budget.ts'
import { readBundle } from './bundle-files.ts'
import { formerCommit, formerTag } from './commit.ts'
import type { Former } from './notes.ts'

/** What the bundle is made of. */
const INPUTS = ['src', 'contract', 'static', ':(glob)*.mjs', 'package-lock.json']

function build(root: string, commit: string, folder: string): Measured {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const archive = execFileSync('git', ['-C', root, 'archive', commit], { maxBuffer: 1 << 30 })
  execFileSync('tar', ['-x', '-C', folder], { input: archive })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  execFileSync(process.execPath, ['node_modules/rollup/dist/bin/rollup', '-c', '--silent'], {
    cwd: folder,
    stdio: 'ignore'
  })
  return measure(readBundle(join(folder, 'dist')))
}

/** Sizes of a commit, or undefined where it does not build with today's packages. */
function sizesOf(root: string, commit: string): Measured | undefined {
  const folder = join(root, `build/former-${process.pid}`)
  const record = join(root, 'build', `sizes-${commit}.json`)
  if (existsSync(record)) return JSON.parse(readFileSync(record, 'utf8')) as Measured
  try {
    const sizes = build(root, commit, folder)
    writeFileSync(record, JSON.stringify(sizes))
    return sizes
  } catch {
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Sizes of the commit before, if there is one that builds. */
export function formerSizes(root: string): Measured | undefined {
  const commit = formerCommit(root, INPUTS)
  return commit ? sizesOf(root, commit) : undefined
}

/** The release before, if there is one, with its sizes if it builds. */
export function formerRelease(root: string): Former | undefined {
  const tagged = formerTag(root)
  return tagged && { tag: tagged.tag, sizes: sizesOf(root, tagged.commit) }
}
