// Runs test files, each in a process of its own: a file that hangs or crashes does not affect others, and no file sees
// the modules, globals or timers of another.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join, relative } from 'node:path'
import { compileTsx, mapStack } from './compile-tsx.ts'
import type { Lane } from './lanes.ts'
import type { Report } from './report.ts'
import { makeFileFolder, makeRunFolder, removeFolder } from './run-folder.ts'
import { processorTimeOf } from './run-times.ts'
import { addSkipped, createFileResult, type FileResult, reportMissingTests } from './test-result.ts'

/** Milliseconds to wait for the output of a process that has exited. Its child processes may keep the pipe open. */
const OUTPUT_DELAY = 200

/** Milliseconds in which the process of a finished file must exit. */
const EXIT_LIMIT = 10_000

/** Milliseconds between two looks at the idle time of the processors. */
const IDLE_INTERVAL = 250

/** Share of idle time from which another file may start. */
const IDLE_MIN = 0.1

/** Running processes of test files. Each leads a process group that includes the processes its tests started. */
const running = new Set<ChildProcess>()

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

/** @param slot by which tests that run at the same time choose different ports */
function startFile(root: string, file: string, slot: number, folder: string): ChildProcess {
  const child = fork(join(import.meta.dirname, 'worker.ts'), [file], {
    cwd: root,
    detached: true,
    execArgv: ['--no-warnings'],
    env: {
      ...process.env,
      TMPDIR: folder,
      TEST_SLOT: String(slot),
      // Modules are compiled once for all processes, also for those that tests start.
      NODE_COMPILE_CACHE: join(root, 'build/compile-cache'),
      ...(process.stdout.isTTY && { FORCE_COLOR: '1' })
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc']
  })
  running.add(child)
  return child
}

/** Waits until the process of a file has finished, exceeded the time limit or ended. */
function waitForResult(child: ChildProcess, file: string, limit: number): Promise<FileResult> {
  const result = createFileResult(file)
  let title = ''
  /** Finished tests of the current suite. */
  let ended = 0
  return new Promise((resolve) => {
    const finish = (problem?: string) => {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit)
      result.processorTime = processorTimeOf(child.pid)
      if (problem) {
        result.passed += ended
        result.problems.push(title ? `${problem} in '${title}'.` : `${problem}.`)
        killGroup(child)
      }
      resolve(result)
    }
    const onMessage = (message: Report) => {
      if (message.kind === 'registered') result.registered++
      else if (message.kind === 'skipped') addSkipped(result, message.reason)
      else if (message.kind === 'started') title = message.title
      else if (message.kind === 'ended') ended++
      else if (message.kind === 'problem') result.problems.push(mapStack(message.text))
      else if (message.kind === 'suite') {
        result.queued += message.queued
        result.passed += message.passed
        if (message.errors) result.errors.push(mapStack(message.errors))
        title = ''
        ended = 0
      } else finish()
    }
    // Its last output may still be in the pipe.
    const onExit = (code: number | null, signal: string | null) =>
      void setTimeout(finish, OUTPUT_DELAY, `The process ended (${signal ?? `status ${code}`})`)
    const timer = setTimeout(() => finish(`Hung for ${limit} s`), limit * 1000)
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        result.output += chunk
      })
    child.on('message', onMessage).on('exit', onExit)
  })
}

/** Lets the process of a file exit, and kills the rest of its group. */
async function stopFile(child: ChildProcess): Promise<void> {
  const timer = setTimeout(killGroup, EXIT_LIMIT, child)
  const isRunning = child.exitCode === null && child.signalCode === null
  const exited = isRunning && once(child, 'exit')
  if (child.connected) child.disconnect()
  await exited
  clearTimeout(timer)
  killGroup(child)
}

async function runFile(root: string, file: string, limit: number, slot: number, folder: string): Promise<FileResult> {
  const began = performance.now()
  const child = startFile(root, file, slot, folder)
  const result = await waitForResult(child, file, limit)
  await stopFile(child)
  const left = removeFolder(folder)
  // A process that was killed, or has crashed, could not remove its files.
  if (left.length && !result.problems.length) result.problems.push(`Left in the temporary folder: ${left.join(', ')}`)
  return reportMissingTests({ ...result, ms: performance.now() - began })
}

/** Files of a lane that wait, and the number of those that run. */
interface Queue {
  lane: Lane
  files: string[]
  running: number
}

/** The queue whose next file may start now: the first in the order of the table. */
function findNext(queues: readonly Queue[]): Queue | undefined {
  const isQuiet = queues.every(({ running, files, lane }) => running === 0 && (lane.isAlone || files.length === 0))
  return queues.find(
    ({ lane, files, running }) => files.length > 0 && running < lane.processes && (isQuiet || !lane.isAlone)
  )
}

export interface RunOptions {
  lanes: readonly Lane[]
  /** Files of all lanes that run at the same time. Between these numbers another starts while processors are idle. */
  processes: { least: number; most: number }
  /** The share of processor time, 0 to 1, that was idle since its last call (`idle-time.ts`). */
  measureIdle: () => number
  /** Called with the result of each file when it has finished. */
  onResult: (result: FileResult) => void
}

/** Runs test files in their lanes. @param files absolute paths */
export async function runFiles(root: string, files: readonly string[], options: RunOptions): Promise<void> {
  const queues: Queue[] = options.lanes.map((lane) => ({ lane, files: [], running: 0 }))
  for (const file of files) queues.find(({ lane }) => lane.files.test(relative(root, file)))?.files.push(file)
  await compileTsx()
  const runFolder = makeRunFolder()
  const removeRunFolder = () => void removeFolder(runFolder)
  process.once('exit', removeRunFolder)
  const { least, most } = options.processes
  let started = 0
  const slots = Array.from({ length: most }, (_, slot) => slot)
  let idle = 0
  let timer: NodeJS.Timeout | undefined
  await new Promise<void>((resolve, reject) => {
    const run = async (queue: Queue, slot: number) => {
      queue.running++
      const file = queue.files.shift() as string
      const folder = makeFileFolder(runFolder, started++)
      options.onResult(await runFile(root, file, queue.lane.limit, slot, folder))
      queue.running--
      slots.unshift(slot)
      startNext()
    }
    const startNext = () => {
      const isFull = () => slots.length === 0 || (idle < IDLE_MIN && slots.length <= most - least)
      for (let queue = findNext(queues); queue && !isFull(); queue = findNext(queues)) {
        run(queue, slots.shift() as number).catch(reject)
        // What the new file uses is seen in the next interval.
        idle = 0
      }
      if (slots.length === most) resolve()
    }
    timer = setInterval(() => {
      idle = options.measureIdle()
      startNext()
    }, IDLE_INTERVAL)
    startNext()
  }).finally(() => clearInterval(timer))
  process.off('exit', removeRunFolder)
  removeRunFolder()
}
