// Runs test files in worker processes. A file that hangs or crashes its process does not affect other files.
import { type ChildProcess, fork } from 'node:child_process'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { alias } from '../../../bundler/sources.ts'
import { bundleTests } from './bundle-tests.ts'
import type { Report, RunRequest } from './report.ts'
import { addSkipped, createFileResult, type FileResult, reportMissingTests } from './test-result.ts'

export interface TestGroup {
  files: readonly string[]
  processes: number
  /** Time limit for a file, in milliseconds. */
  timeout: number
}

/** Milliseconds to wait for the output of a process that has exited. Its child processes may keep the pipe open. */
const OUTPUT_DELAY = 200

/** Bytes of memory with which a worker process is replaced. Modules of test files stay in memory, and Node ends at a heap of 4 GiB. */
const MEMORY_MAX = 800_000_000

/** Running worker processes. Each leads a process group that includes the processes its tests started. */
const running = new Set<ChildProcess>()
/** Number of workers so far, over all groups. A process that replaces another is the same worker. */
let workerCount = 0

function killGroup(child: ChildProcess): void {
  running.delete(child)
  try {
    if (child.pid) process.kill(-child.pid, 'SIGKILL')
  } catch {
    // The whole group has exited already.
  }
}

process.on('exit', () => running.forEach(killGroup))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => process.exit(1))

/** @param worker its number, by which tests that run at the same time choose different ports */
function startWorker(root: string, worker: number): ChildProcess {
  const child = fork(join(import.meta.dirname, 'worker.ts'), {
    cwd: root,
    detached: true,
    execArgv: ['--enable-source-maps', '--no-warnings'],
    env: { ...process.env, TEST_WORKER: String(worker), ...(process.stdout.isTTY && { FORCE_COLOR: '1' }) },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc']
  })
  running.add(child)
  return child
}

/** Removes the folders of test runs that were killed. */
function removeStaleFolders(build: string): void {
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

/** Runs a file in `child`. Resolves when the file has finished, exceeded the time limit or ended the process. */
function runIn(child: ChildProcess, file: string, bundle: string, timeout: number): Promise<FileResult> {
  const result = createFileResult(file)
  const began = performance.now()
  let title = ''
  /** Finished tests of the current suite. */
  let ended = 0
  return new Promise((resolve) => {
    const appendOutput = (chunk: Buffer) => {
      result.output += chunk
    }
    const finish = (problem?: string) => {
      clearTimeout(timer)
      for (const stream of [child.stdout, child.stderr]) stream?.off('data', appendOutput)
      child.off('message', onMessage).off('exit', exit)
      if (problem) {
        result.passed += ended
        result.problems.push(title ? `${problem} in '${title}'.` : `${problem}.`)
        killGroup(child)
      }
      resolve(reportMissingTests({ ...result, ms: performance.now() - began }))
    }
    const onMessage = (message: Report) => {
      if (message.kind === 'registered') result.registered++
      else if (message.kind === 'skipped') addSkipped(result, message.reason)
      else if (message.kind === 'started') title = message.title
      else if (message.kind === 'ended') ended++
      else if (message.kind === 'problem') result.problems.push(message.text)
      else if (message.kind === 'suite') {
        result.queued += message.queued
        result.passed += message.passed
        if (message.errors) result.errors.push(message.errors)
        title = ''
        ended = 0
      } else {
        finish()
        if (message.memory > MEMORY_MAX) killGroup(child)
      }
    }
    // Its last output may still be in the pipe.
    const exit = (code: number | null, signal: string | null) =>
      void setTimeout(finish, OUTPUT_DELAY, `The process ended (${signal ?? `status ${code}`})`)
    const timer = setTimeout(() => finish(`Hung for ${timeout / 1000} s`), timeout)
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', appendOutput)
    child.on('message', onMessage).on('exit', exit)
    child.send({ bundle, withDocument: file.endsWith('.tsx') } satisfies RunRequest)
  })
}

/**
 * Runs the files of a group in several processes at once.
 * @param onResult called with the result of each file when it has finished
 */
export async function runFiles(root: string, group: TestGroup, onResult: (result: FileResult) => void): Promise<void> {
  // Inside the project, so that Node finds the packages; a folder for each run, so that runs do not interfere.
  const folder = join(root, 'build', `test-${process.pid}-${Date.now()}`)
  mkdirSync(folder, { recursive: true })
  removeStaleFolders(join(root, 'build'))
  const { bundles, failures } = await bundleTests(root, group.files, folder, alias)
  const queue = [...group.files]

  async function work(): Promise<void> {
    const worker = workerCount++
    let child: ChildProcess | undefined
    for (let file = queue.shift(); file; file = queue.shift()) {
      const failure = failures.get(file)
      if (failure) {
        onResult({ ...createFileResult(file), problems: [failure] })
        continue
      }
      if (!child || !running.has(child)) child = startWorker(root, worker)
      onResult(await runIn(child, file, bundles.get(file) as string, group.timeout))
    }
    if (child) killGroup(child)
  }

  try {
    await Promise.all(Array.from({ length: group.processes }, work))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
