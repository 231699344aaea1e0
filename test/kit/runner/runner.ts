// Runs test files in processes: a file that hangs, crashes or leaves something in its process does not affect others,
// because its process ends with it.
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join, relative } from 'node:path'
import { compileTsx, mapStack } from './compile-tsx.ts'
import type { Lane } from './lanes.ts'
import type { FileToRun, Report } from './report.ts'
import { makeFileFolder, makeRunFolder, removeFolder } from './run-folder.ts'
import { processorTimeOf } from './run-times.ts'
import { addSkipped, countTests, createFileResult, type FileResult, reportMissingTests } from './test-result.ts'

/** Milliseconds to wait for the output of a process that has exited. Its child processes may keep the pipe open. */
const OUTPUT_DELAY = 200

/** Milliseconds in which the process of a finished file must exit. */
const EXIT_LIMIT = 10_000

/** Milliseconds between two looks at the idle time of the processors. */
const IDLE_INTERVAL = 250

/** Share of idle time from which one more file may run. */
const IDLE_MIN = 0.1

/** Share of idle time below which one file fewer may run. */
const IDLE_LOW = 0.03

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

/** One of the files that run at a time. */
interface Slot {
  /** By which tests that run at the same time choose different ports. */
  number: number
  /** The process of the last file, if it can run another. */
  child?: ChildProcess
  /** The files that it has run. */
  files: string[]
}

/** @param slot number of the slot */
function startProcess(root: string, slot: number): ChildProcess {
  const child = fork(join(import.meta.dirname, 'worker.ts'), [], {
    cwd: root,
    detached: true,
    // Loading the product makes much garbage: with a larger young generation the collector takes a tenth less of the
    // processor time of a file.
    execArgv: ['--no-warnings', '--max-semi-space-size=64'],
    env: {
      ...process.env,
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

/**
 * Has a process run a file, and waits until it has finished, exceeded the time limit or ended.
 * @returns the result, and what the file has left in the process; undefined if the process was killed or has ended
 */
function runIn(child: ChildProcess, next: FileToRun, limit: number): Promise<[FileResult, left: string[] | undefined]> {
  const result = createFileResult(next.file)
  const processorTime = processorTimeOf(child.pid)
  let title = ''
  /** Finished tests of the current suite. */
  let ended = 0
  return new Promise((resolve) => {
    const finish = (left?: string[], problem?: string) => {
      clearTimeout(timer)
      child.off('message', onMessage).off('exit', onExit)
      result.processorTime = processorTimeOf(child.pid) - processorTime
      if (problem) {
        result.passed += ended
        result.problems.push(title ? `${problem} in '${title}'.` : `${problem}.`)
        killGroup(child)
      }
      resolve([result, left])
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
      } else finish(message.left)
    }
    // Its last output may still be in the pipe.
    const onExit = (code: number | null, signal: string | null) =>
      void setTimeout(finish, OUTPUT_DELAY, undefined, `The process ended (${signal ?? `status ${code}`})`)
    const timer = setTimeout(() => finish(undefined, `Hung for ${limit} s`), limit * 1000)
    for (const stream of [child.stdout, child.stderr])
      stream?.removeAllListeners('data').on('data', (chunk: Buffer) => {
        result.output += chunk
      })
    child.on('message', onMessage).on('exit', onExit)
    child.send(next)
  })
}

/** Lets a process exit, and kills the rest of its group. */
async function stopProcess(child: ChildProcess): Promise<void> {
  const timer = setTimeout(killGroup, EXIT_LIMIT, child)
  const isRunning = child.exitCode === null && child.signalCode === null
  const exited = isRunning && once(child, 'exit')
  if (child.connected) child.disconnect()
  await exited
  clearTimeout(timer)
  killGroup(child)
}

/** Ends the process of a slot, if it has one. */
async function endSlot(slot: Slot): Promise<void> {
  if (slot.child) await stopProcess(slot.child)
  slot.child = undefined
  slot.files = []
}

/**
 * Runs a file in the process of the slot, or in a new one if that has run enough files for the lane of this one. A
 * process in which a test has failed, or a file has left something, runs no other.
 */
async function runFile(root: string, file: string, lane: Lane, slot: Slot, folder: string): Promise<FileResult> {
  const began = performance.now()
  const filesMax = lane.filesPerProcess ?? 1
  if (slot.child && slot.files.length >= filesMax) await endSlot(slot)
  slot.child ??= startProcess(root, slot.number)
  const { child } = slot
  const [result, left] = await runIn(child, { file, folder }, lane.limit)
  slot.files.push(file)
  const { files } = slot
  const mayRunMore = !countTests(reportMissingTests(result)).failed && left?.length === 0
  if (!mayRunMore || files.length >= filesMax) await endSlot(slot)
  const names = removeFolder(folder)
  // A process that was killed, or has crashed, could not remove its files.
  if (names.length && !result.problems.length) result.problems.push(`Left in the temporary folder: ${names.join(', ')}`)
  const complete = reportMissingTests({ ...result, ms: performance.now() - began })
  if (countTests(complete).failed && files.length > 1)
    complete.problems.push(`The same process had run: ${files.slice(0, -1).map((path) => relative(root, path))}`)
  return complete
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
  /** Files of all lanes that run at the same time: between these numbers more while processors are idle. */
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
  const slots = Array.from({ length: most }, (_, number): Slot => ({ number, files: [] }))
  /** Files that may run now. A file that ends is replaced at once, because many take less than an interval. */
  let level = least
  let timer: NodeJS.Timeout | undefined
  await new Promise<void>((resolve, reject) => {
    const run = async (queue: Queue, slot: Slot) => {
      queue.running++
      const file = queue.files.shift() as string
      const folder = makeFileFolder(runFolder, started++)
      options.onResult(await runFile(root, file, queue.lane, slot, folder))
      queue.running--
      slots.unshift(slot)
      startNext()
    }
    const startNext = () => {
      for (let queue = findNext(queues); queue && most - slots.length < level; queue = findNext(queues))
        run(queue, slots.shift() as Slot).catch(reject)
      if (slots.length === most) resolve()
    }
    timer = setInterval(() => {
      const idle = options.measureIdle()
      if (idle >= IDLE_MIN) level = Math.max(least, Math.min(most, most - slots.length + 1))
      else if (idle < IDLE_LOW) level = Math.max(least, level - 1)
      startNext()
    }, IDLE_INTERVAL)
    startNext()
  }).finally(() => clearInterval(timer))
  await Promise.all(slots.map(endSlot))
  process.off('exit', removeRunFolder)
  removeRunFolder()
}
