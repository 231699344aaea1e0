// Starts and ends the processes that carry media, so that none outlives the hub.
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { accessSync, closeSync, constants, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import type { SrtFigures } from '../srt/srt-stats.ts'

/** Milliseconds between SIGTERM and SIGKILL. */
const GRACE = 1000
/** Lines of stderr kept for the explanation of an exit. */
const LINES = 30

/** Where `make native` puts what keeps addresses out of the list of processes (engines/veil). */
export const VEIL = join(import.meta.dirname, '../../build/headend-hide-args.so')
/** What installs it. */
export const INSTALL_VEIL = 'apt-get install -y gcc libc6-dev && make native'
/** The descriptor at which it reads. */
const VEILED = 5

/** None of the environment leads a stream around the proxy that judges where it goes. */
const { no_proxy: _, http_proxy: __, ...ENVIRONMENT } = process.env

export interface Launch {
  /** Path of another program than ffmpeg. */
  program?: string
  args: readonly string[]
  /**
   * What must appear in no process list, in a file without a name at `/dev/fd/4`. For ffmpeg options of an output, one `name=value` a
   * line, for which the arguments say `-fpre /dev/fd/4`; our own program reads its order there.
   */
  preset?: string
  /**
   * The arguments of ffmpeg that must appear in no process list, and that it takes nowhere else. They come to it by a library that is
   * loaded into it; without that library nothing is run.
   */
  hides?: readonly string[]
  /**
   * With `hides`: the names that may be looked up, each with the IPv4 address that was judged, and with `:<port>` for one port alone.
   * Where one is given ffmpeg reaches no other.
   */
  places?: Readonly<Record<string, string>>
  /** Bytes from stdout. */
  gives?: (chunk: Buffer) => void
  /** Stdin is a pipe for media; otherwise it is closed. */
  takes?: boolean
  /** Bytes written so far, as `-progress pipe:3` reports; the first report means that the target is open. */
  progress?: (totalSize: number) => void
  /** Each line of descriptor 3, of a program that speaks there. */
  says?: (text: string) => void
  /** What SRT counted since the connection began, where it is not a process that carries it and this is known. */
  figures?: (figures: SrtFigures) => void
  /** Each line of stderr as it comes. */
  line?: (text: string) => void
  /** Once, when it has ended and all its output was handed on; `lines` are its last words. Never after `stop`. */
  ended: (lines: readonly string[]) => void
}

export interface Process {
  readonly pid: number | undefined
  readonly input: Writable | undefined
  /** SIGTERM, and SIGKILL after a second. Resolves when the process is gone. */
  stop(): Promise<void>
}

export interface Launcher {
  run(launch: Launch): Process
  /** A sentence for each program that is not there: what does not work, and the command that installs it. */
  missing(): string[]
  /** Resolves when every process that was told to stop is gone, and with it its port. */
  quiet(): Promise<void>
  /** Processes that run now. */
  count(): number
  stopAll(): Promise<void>
}

/** A program that carries media is not there. */
export class NotInstalled extends Error {
  readonly program: string
  /** The command that installs it, where it is not the system's own by that name. */
  readonly install: string | undefined
  constructor(program: string, install?: string) {
    super(`${program} is not installed`)
    this.program = program
    this.install = install
  }
}

/**
 * @param veil path of the library that hides arguments
 * @throws NotInstalled on `run` when ffmpeg is not there, or the library when something is to be hidden
 */
export function createLauncher(ffmpeg = 'ffmpeg', veil = VEIL): Launcher {
  const running = new Set<Process>()
  const stopping = new Set<Promise<void>>()
  let program = find(ffmpeg)
  const guard = find('setpriv')

  function run(launch: Launch): Process {
    // Looked for again, so that installing it is enough.
    program ??= find(ffmpeg)
    const runs = launch.program === undefined ? program : find(launch.program)
    if (runs === undefined) throw new NotInstalled(launch.program ?? ffmpeg)
    const veiled = veiling(launch)
    if (veiled && !find(veil)) throw new NotInstalled('headend-hide-args', INSTALL_VEIL)
    // The kernel ends the child when the hub dies, however it dies. Without setpriv a child ends when it next reads or writes
    // its pipe to the hub; one that waits for a peer stays. What hides arguments sees to it itself: setpriv would show them again.
    const [file, args] = veiled
      ? [runs, veiled.args]
      : guard
        ? [guard, ['--pdeathsig', 'KILL', runs, ...launch.args]]
        : [runs, launch.args]
    const files: number[] = []
    const open = (text: string | undefined) => {
      if (text === undefined) return 'ignore'
      files.push(privateFile(text))
      return files.at(-1)
    }
    let child: ChildProcess
    try {
      const wanted = [launch.takes ? 'pipe' : 'ignore', launch.gives ? 'pipe' : 'ignore', 'pipe'] as const
      const speaks = launch.progress || launch.says ? 'pipe' : 'ignore'
      child = spawn(file, args, {
        env: veiled ? { ...ENVIRONMENT, LD_PRELOAD: veil, VEIL: String(VEILED) } : ENVIRONMENT,
        stdio: [...wanted, speaks, open(launch.preset), open(veiled?.told)]
      })
    } finally {
      for (const descriptor of files) closeSync(descriptor)
    }
    const lines: string[] = []
    let asked = false
    let gone = false
    const end = Promise.withResolvers<void>()
    const process: Process = {
      pid: child.pid,
      input: child.stdin ?? undefined,
      stop() {
        if (!asked && !gone) {
          asked = true
          child.stdin?.destroy()
          child.kill('SIGTERM')
          const kill = setTimeout(() => child.kill('SIGKILL'), GRACE)
          const done = end.promise.then(() => clearTimeout(kill))
          stopping.add(done)
          done.then(() => stopping.delete(done))
        }
        return end.promise
      }
    }
    running.add(process)
    readLines(child.stderr, (text) => {
      lines.push(text.slice(0, 1000))
      if (lines.length > LINES) lines.shift()
      if (!asked) launch.line?.(text)
    })
    if (launch.gives) child.stdout?.on('data', (chunk: Buffer) => asked || launch.gives?.(chunk))
    if (launch.progress)
      readLines(child.stdio[3] as Readable | undefined, (text) => {
        const size = /^total_size=(\d+)$/.exec(text)
        if (size && !asked) launch.progress?.(Number(size[1]))
      })
    if (launch.says) readLines(child.stdio[3] as Readable | undefined, (text) => asked || launch.says?.(text))
    // A peer that went away is explained by stderr; the broken pipe adds nothing.
    for (const pipe of child.stdio) pipe?.on('error', () => {})
    const close = () => {
      if (gone) return
      gone = true
      running.delete(process)
      end.resolve()
      if (!asked) launch.ended(lines)
    }
    child.on('error', (error) => {
      lines.push(error.message)
      if (child.pid === undefined) close()
    })
    child.on('close', close)
    return process
  }

  return {
    run,
    missing() {
      const none: string[] = []
      program ??= find(ffmpeg)
      if (program === undefined) none.push('ffmpeg is missing, so no channel can run: apt-get install -y ffmpeg')
      if (find(veil) === undefined)
        none.push(
          `what keeps logins and keys out of the list of processes is missing, so RTMP, RTSP and HTTP are not carried: ${INSTALL_VEIL}`
        )
      if (guard === undefined)
        none.push(
          'setpriv is missing, so a process that waits for a peer stays when the hub is killed: apt-get install -y util-linux'
        )
      return none
    },
    async quiet() {
      while (stopping.size > 0) await Promise.all(stopping)
    },
    count: () => running.size,
    async stopAll() {
      await Promise.all([...running].map((process) => process.stop()))
    }
  }
}

/** The path of a program; undefined when it is not there. */
export function find(program: string): string | undefined {
  const places = isAbsolute(program)
    ? [program]
    : (process.env.PATH ?? '').split(delimiter).map((at) => join(at, program))
  return places.find((place) => {
    try {
      accessSync(place, constants.X_OK)
      return true
    } catch {
      return false
    }
  })
}

/** The arguments that may be seen, and what the library is told of the others; undefined where nothing is to be hidden. */
function veiling({ args, hides = [], places = {} }: Launch): { args: string[]; told: string } | undefined {
  if (hides.length === 0) return undefined
  const hidden = args.filter((arg) => hides.includes(arg))
  const records = [
    `p${process.pid}`,
    ...hidden.map((arg) => `a${arg}`),
    ...Object.entries(places).map(([name, address]) => `n${name} ${address}`)
  ]
  if (records.some((record) => record.includes('\0')))
    throw new Error('an argument holds a character that cannot be sent')
  let number = 0
  return {
    args: args.map((arg) => (hides.includes(arg) ? `hidden:${++number}` : arg)),
    told: records.map((record) => `${record}\0`).join('')
  }
}

/** A readable file that has lost its name by the time anyone could look for it. */
function privateFile(text: string): number {
  const path = join(tmpdir(), `headend-${randomBytes(16).toString('hex')}`)
  const writing = openSync(path, 'wx', 0o600)
  try {
    writeSync(writing, text)
    return openSync(path, 'r')
  } finally {
    closeSync(writing)
    rmSync(path)
  }
}

function readLines(stream: Readable | null | undefined, line: (text: string) => void): void {
  let rest = ''
  stream?.setEncoding('utf8')
  stream?.on('data', (text: string) => {
    const parts = (rest + text).split(/[\r\n]+/)
    // Bounded, whatever a process writes.
    rest = (parts.pop() ?? '').slice(-4096)
    for (const part of parts) if (part.trim() !== '') line(part)
  })
  stream?.on('end', () => {
    if (rest.trim() !== '') line(rest)
  })
}
