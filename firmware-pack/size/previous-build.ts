// Sizes of the previous console: builds the previous commit once in a temporary folder and caches the sizes.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findPreviousCommit, findPreviousTag } from '../../bundler/commit.ts'
import type { MeasuredSizes } from '../../pack/budget.ts'
import { readBundle } from '../bundle-files.ts'
import type { PreviousRelease } from '../format/release-notes.ts'
import { measure as measureBundle } from './budget.ts'
import type { Part } from './bundle-breakdown.ts'

/** Sources of the bundle. */
const INPUTS = ['src', 'contract', 'static', 'bundler', 'rollup.config.mjs', 'package-lock.json']

/**
 * Unpacks a commit into a temporary folder and calls `measure` with it. Results are cached in `build/`.
 * @returns the result, or undefined when that fails, for example with the installed packages
 */
function measureCommit<Result>(
  root: string,
  commit: string,
  kind: string,
  measure: (folder: string) => Result
): Result | undefined {
  const folder = join(root, `build/previous-${process.pid}`)
  const record = join(root, 'build', `${kind}-${commit}.json`)
  if (existsSync(record)) return JSON.parse(readFileSync(record, 'utf8')) as Result
  try {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder, { recursive: true })
    const archive = execFileSync('git', ['-C', root, 'archive', commit], { maxBuffer: 1 << 30 })
    execFileSync('tar', ['-x', '-C', folder], { input: archive })
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
    const result = measure(folder)
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
    return measureBundle(readBundle(join(cwd, 'dist')))
  })
}

/** Measures the parts of the script with the code of its own commit. */
const MEASURE_SCRIPT = `const { buildModules, measureParts } = await import('./firmware-pack/size/bundle-breakdown.ts')
console.log(JSON.stringify(measureParts(await buildModules())))`

/** Parts of the script in the previous commit; undefined when there is none or it cannot be measured. */
export function measurePreviousParts(root: string): Part[] | undefined {
  const commit = findPreviousCommit(root, INPUTS)
  return commit === undefined
    ? undefined
    : measureCommit(root, commit, 'parts', (cwd) => {
        const args = ['--input-type=module', '-e', MEASURE_SCRIPT]
        return JSON.parse(execFileSync(process.execPath, args, { cwd, encoding: 'utf8', stdio: 'pipe' })) as Part[]
      })
}

/** Sizes of the previous commit; undefined when there is none or it does not build. */
export function measurePreviousSizes(root: string): MeasuredSizes | undefined {
  const commit = findPreviousCommit(root, INPUTS)
  return commit ? sizesOf(root, commit) : undefined
}

/** The previous release, with its sizes if it builds; undefined when there is none. */
export function findPreviousRelease(root: string): PreviousRelease | undefined {
  const tagged = findPreviousTag(root)
  return tagged && { tag: tagged.tag, sizes: sizesOf(root, tagged.commit) }
}
