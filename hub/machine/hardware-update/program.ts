// Runs the program of the image that updates the hardware of the machine (docs/architecture/hardware-update.md). It is
// foreign code: it may hang, print anything, and end at any time.
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'

/** Commands of the program: its only argument. */
export type ProgramCommand = 'status' | 'update' | 'cancel'

/** Characters of a line. */
export const LINE_MAX = 4096
/** Characters of what the program says of a failure. */
export const WORDS_MAX = 500
/** Processes of the program at once. More exist only if the system cannot end them. */
export const PROCESS_MAX = 4
/** Milliseconds in which the rest of the output must arrive after the program has ended. */
const DRAIN_TIME = 1000
/** Characters of the error output that are kept. */
const ERROR_OUTPUT_MAX = 2000
/** The program does not get the environment of the hub. */
const ENVIRONMENT = { PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', LANG: 'C.UTF-8' }

/** How a run ended: without a fault, the program has exited with status 0. */
export interface ProgramEnd {
  fault?: 'not-started' | 'timeout' | 'output' | 'exit'
  /** What the program said, or the line that does not belong to the protocol; may be empty. */
  words: string
}

export interface ProgramRun {
  command: ProgramCommand
  /** Lines that it may print. */
  lineCount: number
  /** Called with each line. If it throws, the line does not belong to the protocol, and the program is ended. */
  onLine(line: string): void
  /** Ends the program; its end is then a `timeout`. */
  signal: AbortSignal
}

type Process = ChildProcessByStdio<null, Readable, Readable>

/** Text of a program for screens and logs: without control characters, and short. */
export const cleanWords = (text: string): string =>
  text
    .replace(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, WORDS_MAX)

/** Ends the program and the processes that it has started. */
function killGroup({ pid }: Process): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}

const notStarted = ({ code, message }: NodeJS.ErrnoException): ProgramEnd => ({
  fault: 'not-started',
  words: code ?? message
})

export class Program {
  readonly #path: string
  readonly #processes = new Set<Process>()

  /** @param path of the program */
  constructor(path: string) {
    this.#path = path
  }

  /** Runs the program once. @returns how it ended; never rejects, and does not wait for a process that was ended */
  run(run: ProgramRun): Promise<ProgramEnd> {
    const { command, signal } = run
    if (signal.aborted || this.#processes.size >= PROCESS_MAX) return Promise.resolve({ fault: 'timeout', words: '' })
    // A process group of its own, so that its children end with it.
    const options = { cwd: '/', env: ENVIRONMENT, detached: true }
    const child = spawn(this.#path, [command], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    if (child.pid === undefined) return once(child, 'error').then(([error]) => notStarted(error))
    this.#processes.add(child)
    child.on('close', () => this.#processes.delete(child))
    return superviseRun(child, run)
  }
}

function superviseRun(child: Process, { lineCount, onLine, signal }: ProgramRun): Promise<ProgramEnd> {
  return new Promise((resolve) => {
    let hasEnded = false
    const end = (how: ProgramEnd) => {
      hasEnded = true
      signal.removeEventListener('abort', onAbort)
      resolve(how)
    }
    const endEarly = (how: ProgramEnd) => {
      end(how)
      killGroup(child)
    }
    const onAbort = () => endEarly({ fault: 'timeout', words: '' })
    signal.addEventListener('abort', onAbort)
    let count = 0
    const lines = readLines(child.stdout, (line) => {
      if (hasEnded || !line.trim()) return
      count += 1
      if (count > lineCount || line.length > LINE_MAX) return endEarly({ fault: 'output', words: '' })
      try {
        onLine(line)
      } catch {
        endEarly({ fault: 'output', words: cleanWords(line) })
      }
    })
    let errorOutput = ''
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      errorOutput = (errorOutput + chunk).slice(-ERROR_OUTPUT_MAX)
    })
    let drain: NodeJS.Timeout | undefined
    child.on('exit', () => {
      // A process that the program has left behind may hold the pipes open.
      drain = setTimeout(() => {
        for (const stream of [child.stdout, child.stderr]) stream.destroy()
      }, DRAIN_TIME)
    })
    child.on('close', (status) => {
      clearTimeout(drain)
      lines.end()
      const words = cleanWords(errorOutput)
      end(status === 0 ? { words } : { fault: 'exit', words })
    })
  })
}

/** Calls back with each line, and with the beginning of one that is too long. `end`: no more output comes. */
function readLines(stream: Readable, onLine: (line: string) => void): { end(): void } {
  let rest = ''
  stream.setEncoding('utf8').on('data', (chunk: string) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
    if (rest.length <= LINE_MAX) return
    onLine(rest)
    rest = ''
  })
  return { end: () => onLine(rest) }
}
