// What a device does for the hub until told otherwise: one ffmpeg that calls the hub's end, begun anew as often as it ends.
import type { ChildProcess, StdioOptions } from 'node:child_process'
import { closeSync } from 'node:fs'
import type { PlayOrder } from '../contract/device/link.ts'
import { spawnGuarded } from './child-process.ts'
import { nameless } from './stream-orders.ts'

/** Milliseconds until the next attempt: the hub's end may come a little later, or come back. */
const RETRY = 1000
/** Milliseconds that an attempt waits for the hub's end. */
const CONNECT = 2000
/** Milliseconds in which ffmpeg may say goodbye, so that the hub sees the end at once. */
const GRACE = 500

const QUIET = ['-hide_banner', '-nostdin', '-nostats', '-v', 'quiet']

/** Options of the SRT call of an order, as ffmpeg names them. */
export function callOptions({ passphrase, latency, 'stream-id': id }: PlayOrder): [string, string | number][] {
  return [
    ['mode', 'caller'],
    // Microseconds.
    ['latency', latency * 1000],
    ['connect_timeout', CONNECT],
    ...(id === '' ? [] : ([['srt_streamid', id]] as [string, string][])),
    ...(passphrase === '' ? [] : ([['passphrase', passphrase]] as [string, string][]))
  ]
}

/** What ffmpeg is given. */
export interface CallProcess {
  args: readonly string[]
  /** What it reads as `/dev/fd/3`: as arguments every user could read it. */
  secret: string
}

export interface CallOptions<Order> {
  /** What carries an order out; undefined while that is not possible yet. */
  process(host: string, order: Order): CallProcess | undefined
  /** Something came on ffmpeg's output. */
  output?(data: Buffer): void
  /** It only says that it works. */
  pretends?(): boolean
  /** The first output came, or it is over. */
  works(on: boolean): void
}

export interface Call<Order> {
  /** Carries it out until told otherwise; an order before this one is over. */
  start(host: string, order: Order): void
  /** Begins anew what it was ordered, if anything. */
  again(): void
  /** What it was ordered; undefined when it is over. */
  ordered(): { host: string; order: Order } | undefined
  stop(): void
}

export function createCall<Order>({ process, output, pretends = () => false, works }: CallOptions<Order>): Call<Order> {
  let wanted: { host: string; order: Order } | undefined
  let child: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  let said = false

  function say(on: boolean): void {
    if (on === said) return
    said = on
    works(on)
  }

  function later(): void {
    timer = setTimeout(attempt, RETRY)
  }

  function attempt(): void {
    if (!wanted) return
    const idle = pretends()
    if (idle) say(true)
    const made = idle ? undefined : process(wanted.host, wanted.order)
    if (!made) {
      later()
      return
    }
    const secret = nameless(made.secret)
    const stdio: StdioOptions = ['ignore', 'pipe', 'ignore', secret]
    const started = spawnGuarded('ffmpeg', [...QUIET, ...made.args], { stdio })
    closeSync(secret)
    child = started
    started.stdout?.on('data', (data: Buffer) => {
      if (child !== started) return
      output?.(data)
      say(true)
    })
    const ended = () => {
      if (child !== started) return
      child = undefined
      say(false)
      later()
    }
    started.on('error', ended)
    started.on('exit', ended)
  }

  function end(): void {
    clearTimeout(timer)
    wanted = undefined
    say(false)
    const ending = child
    if (!ending) return
    child = undefined
    ending.kill('SIGTERM')
    setTimeout(() => ending.kill('SIGKILL'), GRACE).unref()
  }

  function start(host: string, order: Order): void {
    end()
    wanted = { host, order }
    attempt()
  }

  return {
    start,
    again() {
      if (wanted) start(wanted.host, wanted.order)
    },
    ordered: () => wanted,
    stop: end
  }
}
