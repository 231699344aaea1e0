// Starts and stops the child processes that carry media. No child process outlives the engine.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync } from 'node:fs'
import type { Readable, Writable } from 'node:stream'
import type { MissingPartDetail } from '../../contract/stream/missing-part.ts'
import { NotInstalledError } from '../interfaces/errors.ts'
import type { Launch, Launcher, Process } from '../interfaces/launcher.ts'
import { endedBySignal } from './failure.ts'
import { findProgram } from './find-program.ts'
import { encodeHiddenArgs, HIDE_ARGS_FD, HIDE_ARGS_LIBRARY, type HiddenArgs, INSTALL_HIDE_ARGS } from './hidden-args.ts'
import { openPrivateFile } from './private-files.ts'
import { Watchdog, type WatchedProgram } from './watchdog.ts'

/** Milliseconds between SIGTERM and SIGKILL. */
const GRACE = 1000
/** Lines of stderr that are kept to explain an exit, and characters of each. */
const LINES = 30
const LINE_LENGTH = 1000

/** Proxy variables are removed, so that no stream bypasses the proxy that applies the address policy. */
const { no_proxy: _, http_proxy: __, ...ENVIRONMENT } = process.env

interface ProcessObserver {
  /** `stop` was called; the promise resolves when it has ended. */
  onStop(stopped: Promise<void>): void
  onEnd(process: MediaProcess): void
  /** The process has written a line to descriptor 3. */
  onMessage(process: MediaProcess): void
  isStuck(process: MediaProcess): boolean
}

/** A child process with its callbacks. */
class MediaProcess implements Process, WatchedProgram {
  readonly pid: number | undefined
  readonly stdin: Writable | undefined
  readonly #child: ChildProcess
  readonly #launch: Launch
  readonly #observer: ProcessObserver
  /** The last lines of stderr. */
  readonly #lines: string[] = []
  readonly #ended = Promise.withResolvers<void>()
  #isStopping = false
  #isKilled = false
  #hasEnded = false

  constructor(child: ChildProcess, launch: Launch, observer: ProcessObserver) {
    this.pid = child.pid
    this.stdin = child.stdin ?? undefined
    this.#child = child
    this.#launch = launch
    this.#observer = observer
    this.#readOutput()
    child.on('error', (error) => {
      this.#lines.push(error.message)
      if (child.pid === undefined) this.#handleEnd()
    })
    child.on('close', (_, signal) => {
      if (signal && !this.#isKilled) this.#lines.push(endedBySignal(signal))
      this.#handleEnd()
    })
  }

  stop(): Promise<void> {
    if (!this.#isStopping && !this.#hasEnded) {
      this.#isStopping = true
      this.#child.stdin?.destroy()
      this.#child.kill('SIGTERM')
      const timer = setTimeout(() => this.#child.kill('SIGKILL'), GRACE)
      this.#observer.onStop(this.#ended.promise.then(() => clearTimeout(timer)))
    }
    return this.#ended.promise
  }

  isStuck(): boolean {
    return this.#observer.isStuck(this)
  }

  kill(reason: string): void {
    this.#isKilled = true
    this.#lines.push(reason)
    this.#child.kill('SIGKILL')
  }

  /** Output after `stop` is read and discarded. */
  #readOutput(): void {
    const { onStderrLine, onStdout, onProgress, onMessage } = this.#launch
    readLines(this.#child.stderr, (text) => {
      this.#lines.push(text.slice(0, LINE_LENGTH))
      if (this.#lines.length > LINES) this.#lines.shift()
      if (!this.#isStopping) onStderrLine?.(text)
    })
    if (onStdout) this.#child.stdout?.on('data', (chunk: Buffer) => this.#isStopping || onStdout(chunk))
    const messages = this.#child.stdio[3] as Readable | undefined
    if (onProgress) {
      const readProgress = createProgressReader(this.#launch.hiddenArgs !== undefined, onProgress)
      readLines(messages, (text) => {
        this.#observer.onMessage(this)
        if (!this.#isStopping) readProgress(text)
      })
    }
    if (onMessage)
      readLines(messages, (text) => {
        this.#observer.onMessage(this)
        if (!this.#isStopping) onMessage(text)
      })
    // Stderr explains why the other end of a pipe closed, so EPIPE adds nothing.
    for (const pipe of this.#child.stdio) pipe?.on('error', () => {})
  }

  #handleEnd(): void {
    if (this.#hasEnded) return
    this.#hasEnded = true
    this.#observer.onEnd(this)
    this.#ended.resolve()
    this.#launch.onExit?.()
    if (!this.#isStopping) this.#launch.onEnd(this.#lines)
  }
}

/**
 * Reads lines of descriptor 3.
 * @param isObserved whether the preloaded library reports unacknowledged bytes. Each of its reports is later than the
 * size before it, so the difference never counts bytes that the target has not acknowledged.
 */
function createProgressReader(isObserved: boolean, onProgress: NonNullable<Launch['onProgress']>) {
  let totalSize: number | undefined
  return (text: string): void => {
    const [, name, value] = /^(total_size|unacknowledged)=(\d+)$/.exec(text) ?? []
    if (name === 'total_size') {
      totalSize = Number(value)
      if (!isObserved) onProgress(totalSize, 0)
    } else if (name && totalSize !== undefined) onProgress(Math.max(0, totalSize - Number(value)), Number(value))
  }
}

class ProcessLauncher implements Launcher {
  readonly #running = new Set<Process>()
  readonly #stopping = new Set<Promise<void>>()
  readonly #watchdog = new Watchdog()
  readonly #ffmpeg: string
  readonly #hideArgsLibrary: string
  readonly #setpriv = findProgram('setpriv')
  #ffmpegPath: string | undefined

  constructor(ffmpeg: string, hideArgsLibrary: string) {
    this.#ffmpeg = ffmpeg
    this.#hideArgsLibrary = hideArgsLibrary
    this.#ffmpegPath = findProgram(ffmpeg)
  }

  run(launch: Launch): Process {
    try {
      return this.#run(launch)
    } catch (error) {
      launch.onExit?.()
      throw error
    }
  }

  #run(launch: Launch): Process {
    const program = launch.program === undefined ? this.#findFfmpeg() : findProgram(launch.program)
    if (program === undefined) throw new NotInstalledError(launch.program ?? this.#ffmpeg)
    const hidden = encodeHiddenArgs(launch)
    if (hidden && !findProgram(this.#hideArgsLibrary))
      throw new NotInstalledError('headend-hide-args', INSTALL_HIDE_ARGS)
    const process = new MediaProcess(this.#spawn(program, launch, hidden), launch, {
      onStop: (stopped) => {
        this.#stopping.add(stopped)
        stopped.then(() => this.#stopping.delete(stopped))
      },
      onEnd: (ended) => {
        this.#running.delete(ended)
        this.#watchdog.remove(ended)
      },
      onMessage: (sender) => this.#watchdog.handleMessage(sender),
      isStuck: (watched) => this.#watchdog.isStuck(watched)
    })
    this.#running.add(process)
    this.#watchdog.add(process, launch.hasHeartbeat ?? false)
    return process
  }

  listMissing(): MissingPartDetail[] {
    const missing: MissingPartDetail[] = []
    if (this.#findFfmpeg() === undefined) missing.push('no-ffmpeg apt-get install -y ffmpeg')
    if (findProgram(this.#hideArgsLibrary) === undefined) missing.push(`no-hide-args ${INSTALL_HIDE_ARGS}`)
    if (this.#setpriv === undefined) missing.push('no-setpriv apt-get install -y util-linux')
    return missing
  }

  async waitForStops(): Promise<void> {
    while (this.#stopping.size > 0) await Promise.all(this.#stopping)
  }

  processCount(): number {
    return this.#running.size
  }

  processorWait(): number {
    return this.#watchdog.processorWait()
  }

  async stopAll(): Promise<void> {
    await Promise.all([...this.#running].map((process) => process.stop()))
  }

  /** Searches again while ffmpeg is missing, so that it can be installed without a restart. */
  #findFfmpeg(): string | undefined {
    this.#ffmpegPath ??= findProgram(this.#ffmpeg)
    return this.#ffmpegPath
  }

  #spawn(program: string, launch: Launch, hidden: HiddenArgs | undefined): ChildProcess {
    const descriptors: number[] = []
    const openFile = (text: string | undefined) => {
      if (text === undefined) return 'ignore'
      const descriptor = openPrivateFile(text)
      descriptors.push(descriptor)
      return descriptor
    }
    try {
      const [file, args] = this.#commandLine(program, launch, hidden)
      return spawn(file, args, {
        env: hidden
          ? {
              ...ENVIRONMENT,
              ...launch.environment,
              LD_PRELOAD: this.#hideArgsLibrary,
              HIDE_ARGS_FD: String(HIDE_ARGS_FD)
            }
          : { ...ENVIRONMENT, ...launch.environment },
        stdio: [
          launch.stdinSocket ?? (launch.pipeStdin ? 'pipe' : 'ignore'),
          launch.stdoutSocket ?? (launch.onStdout ? 'pipe' : 'ignore'),
          'pipe',
          launch.onProgress || launch.onMessage ? 'pipe' : 'ignore',
          openFile(launch.privateFile),
          openFile(hidden?.records)
        ]
      })
    } finally {
      for (const descriptor of descriptors) closeSync(descriptor)
      launch.stdinSocket?.destroy()
      launch.stdoutSocket?.destroy()
    }
  }

  /**
   * With setpriv the kernel ends the child when this process ends for any reason. Without it a child ends when it next
   * uses its pipes, so one that waits for a peer keeps running. The library that hides arguments does the same itself,
   * because setpriv would show them.
   */
  #commandLine(program: string, launch: Launch, hidden: HiddenArgs | undefined): [string, readonly string[]] {
    if (hidden) return [program, hidden.args]
    if (this.#setpriv === undefined) return [program, launch.args]
    return [this.#setpriv, ['--pdeathsig', launch.deathSignal ?? 'KILL', program, ...launch.args]]
  }
}

/**
 * @param ffmpeg name or path of ffmpeg
 * @param hideArgsLibrary path of the library that hides arguments
 */
export const createLauncher = (ffmpeg = 'ffmpeg', hideArgsLibrary = HIDE_ARGS_LIBRARY): Launcher =>
  new ProcessLauncher(ffmpeg, hideArgsLibrary)

/** Characters of an incomplete line that are kept. */
const LINE_MAX = 4096

/** Calls `onLine` for each non-empty line of a stream. Lines end with CR or LF. */
function readLines(stream: Readable | null | undefined, onLine: (text: string) => void): void {
  let rest = ''
  stream?.setEncoding('utf8')
  stream?.on('data', (text: string) => {
    const lines = (rest + text).split(/[\r\n]+/)
    rest = (lines.pop() ?? '').slice(-LINE_MAX)
    for (const line of lines) if (line.trim() !== '') onLine(line)
  })
  stream?.on('end', () => {
    if (rest.trim() !== '') onLine(rest)
  })
}
