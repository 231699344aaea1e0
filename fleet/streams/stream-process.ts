// Runs the ffmpeg process that carries out a stream order of the hub. The process calls the hub over SRT and is
// restarted whenever it ends.
import type { ChildProcess, StdioOptions } from 'node:child_process'
import { closeSync } from 'node:fs'
import type { PlayOrder } from '../../contract/device/link.ts'
import { spawnWithDeathSignal } from '../process/child-process.ts'
import { openUnlinkedFile } from './stream-orders.ts'

/** Milliseconds until the next attempt: the hub may start to listen a little later, or again. */
const RETRY_DELAY = 1000
/** SRT connect timeout in milliseconds. */
const CONNECT_TIMEOUT = 2000
/** Milliseconds for ffmpeg to close the connection, so that the hub notices the end at once. */
const EXIT_TIMEOUT = 500

const QUIET = ['-hide_banner', '-nostdin', '-nostats', '-v', 'quiet']

/** Options of the SRT caller for an order, as ffmpeg names them. */
export function srtCallerOptions({ passphrase, latency, 'stream-id': id }: PlayOrder): [string, string | number][] {
  return [
    ['mode', 'caller'],
    // Microseconds.
    ['latency', latency * 1000],
    ['connect_timeout', CONNECT_TIMEOUT],
    ...(id === '' ? [] : ([['srt_streamid', id]] as [string, string][])),
    ...(passphrase === '' ? [] : ([['passphrase', passphrase]] as [string, string][]))
  ]
}

interface FfmpegCommand {
  args: readonly string[]
  /** Text that ffmpeg reads from `/dev/fd/3`. Command-line arguments are visible to every user of the machine. */
  secret: string
}

interface StreamProcessOptions<Order> {
  /** Command for an order; undefined if it cannot be carried out yet. */
  buildCommand(host: string, order: Order): FfmpegCommand | undefined
  onOutput?(data: Buffer): void
  /** Whether to report that the order is carried out without starting a process. */
  isPretending?(): boolean
  /** Called with true on the first output of the process, and with false when it ends. */
  onRunning(isRunning: boolean): void
}

export interface StreamProcess<Order> {
  /** Carries out an order until it is stopped. A previous order ends. */
  start(host: string, order: Order): void
  /** Restarts the current order, if there is one. */
  restart(): void
  currentOrder(): { host: string; order: Order } | undefined
  /** Whether the stream runs, as reported to `onRunning`. */
  isRunning(): boolean
  stop(): void
}

export function createStreamProcess<Order>(options: StreamProcessOptions<Order>): StreamProcess<Order> {
  const { buildCommand, onOutput, isPretending = () => false, onRunning } = options
  let current: { host: string; order: Order } | undefined
  let child: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  let isRunning = false

  function setRunning(value: boolean): void {
    if (value === isRunning) return
    isRunning = value
    onRunning(value)
  }

  function scheduleAttempt(): void {
    timer = setTimeout(attempt, RETRY_DELAY)
  }

  function attempt(): void {
    if (!current) return
    const pretend = isPretending()
    if (pretend) setRunning(true)
    const command = pretend ? undefined : buildCommand(current.host, current.order)
    if (command) spawn(command)
    else scheduleAttempt()
  }

  function spawn(command: FfmpegCommand): void {
    const secret = openUnlinkedFile(command.secret)
    const stdio: StdioOptions = ['ignore', 'pipe', 'ignore', secret]
    const started = spawnWithDeathSignal('ffmpeg', [...QUIET, ...command.args], { stdio })
    closeSync(secret)
    child = started
    started.stdout?.on('data', (data: Buffer) => {
      if (child !== started) return
      onOutput?.(data)
      setRunning(true)
    })
    const onEnd = () => {
      if (child !== started) return
      child = undefined
      setRunning(false)
      scheduleAttempt()
    }
    started.on('error', onEnd)
    started.on('exit', onEnd)
  }

  function stop(): void {
    clearTimeout(timer)
    current = undefined
    setRunning(false)
    const stopped = child
    if (!stopped) return
    child = undefined
    stopped.kill('SIGTERM')
    setTimeout(() => stopped.kill('SIGKILL'), EXIT_TIMEOUT).unref()
  }

  function start(host: string, order: Order): void {
    stop()
    current = { host, order }
    attempt()
  }

  return {
    start,
    restart() {
      if (current) start(current.host, current.order)
    },
    currentOrder: () => current,
    isRunning: () => isRunning,
    stop
  }
}
