// The interface to child processes.
import type { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import type { MissingPartDetail } from '../../contract/stream/missing-part.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import type { SrtStats } from './srt-stats.ts'

/** How the certificates of TLS servers are verified. */
export interface Verification {
  /** Host of the URL. A server that ffmpeg reaches by address, and so without a name, must have this one. */
  host: string
  /** The trusted certificates in PEM. Absent: those of the system. */
  trusted?: string
}

/** A child process to start, with the callbacks for its output. */
export interface Launch {
  /** Path of the program. Default: ffmpeg. */
  program?: string
  args: readonly string[]
  /**
   * Secrets and other text that must not appear in the process list. The process reads it from `/dev/fd/4`, a file
   * without a name. For an output of ffmpeg it holds one `name=value` option per line and the arguments contain `-fpre
   * /dev/fd/4`; `headend-srt call` reads its order there.
   */
  privateFile?: string
  /**
   * Arguments of ffmpeg that must not appear in the process list and that ffmpeg accepts only as arguments. A preloaded
   * library passes them; without that library the process is not started.
   */
  hiddenArgs?: readonly string[]
  /**
   * With `hiddenArgs`: the only host names that ffmpeg may look up, each with the address that the policy has
   * allowed, and with `:<port>` if only that port is allowed. Empty or absent: no restriction.
   */
  allowedHosts?: Readonly<Record<string, string>>
  /**
   * With `hiddenArgs`: ffmpeg must verify the certificate of every TLS server to which it connects. Absent: any
   * certificate is accepted.
   */
  verification?: Verification
  /** Environment variables besides those of the engine. */
  environment?: Readonly<Record<string, string>>
  /** Receives stdout. */
  onStdout?: (chunk: Buffer) => void
  /** Whether stdin is a pipe for media. Default: stdin is closed. */
  pipeStdin?: boolean
  /** Connections that become stdin and stdout, so that media does not pass through JavaScript. They are closed here. */
  stdinSocket?: Socket
  stdoutSocket?: Socket
  /**
   * Bytes that ffmpeg has written so far, from `-progress pipe:3`. The first report means that the target is open. With
   * `hiddenArgs` these are the bytes that the target has acknowledged, and `pending` those that it has not; otherwise
   * `pending` is 0.
   */
  onProgress?: (totalSize: number, pending: number) => void
  /** Receives each line of descriptor 3, for programs that send JSON lines there. */
  onMessage?: (text: string) => void
  /**
   * The signal that the program gets when this process ends for any reason. Default: KILL. With TERM it can tell its
   * peers, which otherwise keep a dead connection for seconds.
   */
  deathSignal?: 'KILL' | 'TERM'
  /** Whether the program sends messages all the time. It is killed after 5 s without one, because it hangs. */
  hasHeartbeat?: boolean
  /**
   * Receives the statistics of an SRT connection, if the connection is carried by the engine and not by this process.
   */
  onSrtStats?: (stats: SrtStats) => void
  /** A caller was refused. @param address IP address */
  onRefusal?: (reason: Reason, address: string) => void
  /** Receives each line of stderr. */
  onStderrLine?: (text: string) => void
  /**
   * Called once, when the process has ended and all its output was handled; `lines` are the last lines of stderr. Not
   * called after `stop`.
   */
  onEnd: (lines: readonly string[]) => void
  /** Called once when the process has ended, also after `stop`, or if it could not be started. */
  onExit?: () => void
}

export interface Process {
  readonly pid: number | undefined
  readonly stdin: Writable | undefined
  /** Whether it does not run although it has not ended, and is going to be replaced. Default: no. */
  isStuck?(): boolean
  /** Sends SIGTERM, and SIGKILL after a second. Resolves when the process has ended. */
  stop(): Promise<void>
}

export interface Launcher {
  /** @throws NotInstalledError if the program, or the library that hides arguments, is missing */
  run(launch: Launch): Process
  /** The missing programs, each with the command that installs it. */
  listMissing(): MissingPartDetail[]
  /** Resolves when every process that was ordered to stop has ended and its ports are free. */
  waitForStops(): Promise<void>
  /** Number of running processes. */
  processCount(): number
  /** Share of the last 10 s for which a program, or the engine, waited for a processor, 0-1: the highest one. */
  processorWait(): number
  stopAll(): Promise<void>
}
