// Runs the fuzz targets of the parsers in C, which `make fuzz-targets` builds with libFuzzer and sanitizers.
import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import type { Test } from 'uvu'

const ROOT = resolve(import.meta.dirname, '../../..')
const CORPUS = join(ROOT, 'test/engine/native/fuzz/corpus')
/** Where an input is kept that a parser does not survive. */
const FINDINGS = join(ROOT, 'build/fuzz/findings')
/** Bytes of the longest input, seconds for one on a busy machine, and megabytes of memory. */
const LIMITS = ['-max_len=8192', '-timeout=60', '-rss_limit_mb=1024']
/** Lines of a report. */
const REPORT_LINES = 60

/** The names of the targets. */
export const FUZZ_TARGETS: readonly string[] = readdirSync(CORPUS)

export interface FuzzResult {
  exitCode: number | null
  output: string
}

export const corpusOf = (target: string): readonly string[] => readdirSync(join(CORPUS, target))

/** Builds the targets if their sources have changed. */
export function buildFuzzTargets(): void {
  execFileSync('make', ['-s', 'fuzz-targets'], { cwd: ROOT, stdio: 'pipe' })
  mkdirSync(FINDINGS, { recursive: true })
}

async function outputOf(child: ChildProcess): Promise<FuzzResult> {
  const lines: string[] = []
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    lines.push(text)
    if (lines.length > REPORT_LINES) lines.shift()
  })
  const exitCode = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { exitCode, output: lines.join('') }
}

/**
 * Runs a target for some seconds, first with its corpus. It has the lowest priority, so that tests beside it keep their
 * time.
 */
export async function fuzz(target: string, seconds: number): Promise<FuzzResult> {
  const found = mkdtempSync(join(tmpdir(), 'headend-fuzz-'))
  const program = join(ROOT, 'build/fuzz', target)
  const bounds = [`-max_total_time=${seconds}`, `-artifact_prefix=${FINDINGS}/${target}-`, ...LIMITS]
  const argv = ['nice', '-n', '19', 'setpriv', '--pdeathsig', 'KILL', program, ...bounds, found, join(CORPUS, target)]
  try {
    return await outputOf(spawn('setpriv', ['--pdeathsig', 'KILL', ...argv], { stdio: ['ignore', 'ignore', 'pipe'] }))
  } finally {
    rmSync(found, { recursive: true })
  }
}

/** Asserts that a target has read its corpus, and that no input has ended it. */
export function assertNoFinding(target: string, { exitCode, output }: FuzzResult): void {
  const folder = relative(ROOT, join(CORPUS, target))
  assert.ok(exitCode === 0, `${output}\nCorrect the parser, and add the input to ${folder}/.`)
  const runs = Number(/Done (\d+) runs/.exec(output)?.[1] ?? 0)
  assert.ok(runs > corpusOf(target).length, `${runs} runs\n${output}`)
}

/** Adds a test for each target. All run at once, each for some seconds. */
export function addFuzzTests(test: Test, seconds: number): void {
  const results = new Map<string, Promise<FuzzResult>>()
  test.before(() => {
    buildFuzzTargets()
    for (const target of FUZZ_TARGETS) results.set(target, fuzz(target, seconds))
  })
  for (const target of FUZZ_TARGETS)
    test(`${target} survives what a stranger sends`, async () => {
      assertNoFinding(target, (await results.get(target)) ?? { exitCode: null, output: '' })
    })
}
