// Runs test files in processes of their own kind. A file that hangs or takes its process down costs itself only.
import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { alias } from '../../bundler/sources.ts'
import { bundleTests } from './bundle.ts'
import type { Order, Report } from './report.ts'
import { emptyTally, judge, type Tally } from './tally.ts'

export interface Group {
  files: readonly string[]
  processes: number
  /** Milliseconds a file may take. */
  timeout: number
}

/** Milliseconds to wait for the output of a process that is gone. What it started may hold the pipe open for ever. */
const LAST_WORDS = 200

/** Processes under way, each the head of a group with what its tests started. */
const running = new Set<ChildProcess>()

function end(child: ChildProcess): void {
  running.delete(child)
  try {
    if (child.pid) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // It and all it started are gone already.
  }
}

process.on('exit', () => running.forEach(end))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))

function start(root: string): ChildProcess {
  const child = fork(join(import.meta.dirname, 'worker.ts'), {
    cwd: root,
    detached: true,
    execArgv: ['--enable-source-maps', '--no-warnings'],
    env: { ...process.env, ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc']
  })
  running.add(child)
  return child
}

/** Removes what runs left that were killed. */
function sweep(build: string): void {
  for (const name of readdirSync(build)) {
    const [, pid] = /^test-(\d+)-/.exec(name) ?? []
    if (pid && !isAlive(Number(pid))) rmSync(join(build, name), { recursive: true, force: true })
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Runs one file in `child`. The answer comes when it is through, hangs, or has taken the process down. */
function runIn(child: ChildProcess, file: string, bundle: string, timeout: number): Promise<Tally> {
  const tally = emptyTally(file)
  const began = performance.now()
  let title = ''
  /** Tests of the suite under way that came to their end. */
  let ended = 0
  return new Promise((resolve) => {
    const read = (chunk: Buffer) => {
      tally.output += chunk
    }
    const finish = (problem?: string) => {
      clearTimeout(timer)
      for (const stream of [child.stdout, child.stderr]) stream?.off('data', read)
      child.off('message', hear).off('exit', exit)
      if (problem) {
        tally.passed += ended
        tally.problems.push(title ? `${problem} in '${title}'.` : `${problem}.`)
        end(child)
      }
      resolve(judge({ ...tally, ms: performance.now() - began }))
    }
    const hear = (said: Report) => {
      if (said.kind === 'registered') tally.registered++
      else if (said.kind === 'started') title = said.title
      else if (said.kind === 'ended') ended++
      else if (said.kind === 'problem') tally.problems.push(said.text)
      else if (said.kind === 'suite') {
        tally.handed += said.handed
        tally.passed += said.passed
        if (said.errors) tally.errors.push(said.errors)
        title = ''
        ended = 0
      } else finish()
    }
    // Its last words may still be in the pipe.
    const exit = (code: number | null, signal: string | null) =>
      void setTimeout(finish, LAST_WORDS, `The process ended (${signal ?? `status ${code}`})`)
    const timer = setTimeout(() => finish(`Hung for ${timeout / 1000} s`), timeout)
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', read)
    child.on('message', hear).on('exit', exit)
    child.send({ bundle, withDocument: file.endsWith('.tsx') } satisfies Order)
  })
}

/**
 * Runs `group.files`, several at a time.
 * @param told hears of each file when it is through
 */
export async function runFiles(root: string, group: Group, told: (tally: Tally) => void): Promise<void> {
  // Inside the project, so that packages are found; one folder a run, so that two runs do not meet.
  const folder = join(root, 'build', `test-${process.pid}-${Date.now()}`)
  mkdirSync(folder, { recursive: true })
  sweep(join(root, 'build'))
  const { bundles, refused } = await bundleTests(root, group.files, folder, alias)
  const left = [...group.files]

  async function work(): Promise<void> {
    let child: ChildProcess | undefined
    for (let file = left.shift(); file; file = left.shift()) {
      const refusal = refused.get(file)
      if (refusal) {
        told({ ...emptyTally(file), problems: [refusal] })
        continue
      }
      if (!child || !running.has(child)) child = start(root)
      told(await runIn(child, file, bundles.get(file) as string, group.timeout))
    }
    if (child) end(child)
  }

  try {
    await Promise.all(Array.from({ length: group.processes }, work))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
