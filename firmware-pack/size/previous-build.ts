// What the console weighed before: the former commit is built once, beside, and its sizes are kept.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { MeasuredSizes } from '../../pack/budget.ts'
import { measure } from './budget.ts'
import type { Part } from './bundle-breakdown.ts'
import { readBundle } from '../bundle-files.ts'
import { findPreviousCommit, findPreviousTag } from '../../bundler/commit.ts'
import type { PreviousRelease } from '../format/release-notes.ts'

/** What the bundle is made of. */
const INPUTS = ['src', 'contract', 'static', 'bundler', 'rollup.config.mjs', 'package-lock.json']

/** What a commit tells when it is unpacked beside, from then on from a record; undefined where that does not work with today's packages. */
function measureCommit<Result>(
  root: string,
  commit: string,
  kind: string,
  look: (folder: string) => Result
): Result | undefined {
  const folder = join(root, `build/former-${process.pid}`)
  const record = join(root, 'build', `${kind}-${commit}.json`)
  if (existsSync(record)) return JSON.parse(readFileSync(record, 'utf8')) as Result
  try {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const archive = execFileSync('git', ['-C', root, 'archive', commit], { maxBuffer: 1 << 30 })
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    const result = look(folder)
    writeFileSync(record, JSON.stringify(result))
    return result
  } catch {
    return undefined
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function sizesOf(root: string, commit: string): MeasuredSizes | undefined {
  return measureCommit(root, commit, 'first-load', (cwd) => {
    execFileSync(process.execPath, ['node_modules/rollup/dist/bin/rollup', '-c', '--silent'], { cwd, stdio: 'ignore' })
    return measure(readBundle(join(cwd, 'dist')))
  })
}

/** Weighs the parts of a script by the code of its own commit, whose build they come from. */
const MEASURE_SCRIPT = `const { buildModules, weigh } = await import('./firmware-pack/bundle-breakdown.ts')
console.log(JSON.stringify(weigh(await buildModules())))`

/** The parts of the script in the commit before, if there is one that can weigh them. */
export function measurePreviousParts(root: string): Part[] | undefined {
  const commit = findPreviousCommit(root, INPUTS)
  return commit === undefined
    ? undefined
    : measureCommit(root, commit, 'parts', (cwd) => {
        const args = ['--input-type=module', '-e', MEASURE_SCRIPT]
        return JSON.parse(execFileSync(process.execPath, args, { cwd, encoding: 'utf8', stdio: 'pipe' })) as Part[]
      })
}

/** Sizes of the commit before, if there is one that builds. */
export function measurePreviousSizes(root: string): MeasuredSizes | undefined {
  const commit = findPreviousCommit(root, INPUTS)
  return commit ? sizesOf(root, commit) : undefined
}

/** The release before, if there is one, with its sizes if it builds. */
export function findPreviousRelease(root: string): PreviousRelease | undefined {
  const tagged = findPreviousTag(root)
  return tagged && { tag: tagged.tag, sizes: sizesOf(root, tagged.commit) }
}
