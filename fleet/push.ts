// Pushes a device's stream to where the hub ordered it: a clip, looped and not encoded again, as MPEG-TS over SRT.
import type { ChildProcess } from 'node:child_process'
import { closeSync } from 'node:fs'
import type { PushOrder } from '../contract/link.ts'
import { spawnGuarded } from './guarded.ts'
import { nameless, srtUrl } from './orders.ts'

/** Milliseconds until the next attempt: the hub's end may come a little later, or come back. */
const RETRY = 1000
/** Milliseconds that an attempt waits for the hub's end. */
const CONNECT = 2000
/** Milliseconds in which ffmpeg may say goodbye, so that the hub sees the end at once. */
const GRACE = 500

/** Options of the target, which ffmpeg reads from a file: a passphrase among the arguments could be read by every user. */
function preset({ passphrase, latency, 'stream-id': id }: PushOrder): string {
  const options: [string, string | number][] = [
    ['mode', 'caller'],
    // Microseconds.
    ['latency', latency * 1000],
    ['connect_timeout', CONNECT],
    ['pkt_size', 1316],
    ...(id === '' ? [] : ([['srt_streamid', id]] as [string, string][])),
    ...(passphrase === '' ? [] : ([['passphrase', passphrase]] as [string, string][]))
  ]
  return options.map(([name, value]) => `${name}=${value}\n`).join('')
}

export interface PusherOptions {
  /** The clip, or undefined while it is not there yet. */
  clip(): string | undefined
  /** It only says that it sends. */
  pretends?(): boolean
  /** The hub's end took the stream, or it is over. */
  sending(on: boolean): void
}

export interface Pusher {
  /** Sends there until told otherwise; an order before this one is over. */
  start(host: string, order: PushOrder): void
  /** Begins anew what it was ordered, if anything. */
  again(): void
  stop(): void
}

export function createPusher({ clip, pretends = () => false, sending }: PusherOptions): Pusher {
  let wanted: { host: string; order: PushOrder } | undefined
  let child: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  let said = false

  function say(on: boolean): void {
    if (on === said) return
    said = on
    sending(on)
  }

  function attempt(): void {
    if (!wanted) return
    if (pretends()) {
      say(true)
      timer = setTimeout(attempt, RETRY)
      return
    }
    const file = clip()
    if (file === undefined) {
      timer = setTimeout(attempt, RETRY)
      return
    }
    const { host, order } = wanted
    const target = srtUrl(host, order.port)
    const options = nameless(preset(order))
    const started = spawnGuarded(
      'ffmpeg',
      [
        ...['-hide_banner', '-nostdin', '-nostats', '-v', 'quiet', '-stats_period', '5', '-progress', 'pipe:1'],
        ...['-re', '-stream_loop', '-1', '-f', 'mpegts', '-i', file],
        ...['-c', 'copy', '-muxdelay', '0', '-muxpreload', '0', '-f', 'mpegts', '-fpre', '/dev/fd/3', target]
      ],
      { stdio: ['ignore', 'pipe', 'ignore', options] }
    )
    closeSync(options)
    child = started
    // The first report comes when the hub's end has answered.
    started.stdout?.once('data', () => child === started && say(true)).resume()
    const ended = () => {
      if (child !== started) return
      child = undefined
      say(false)
      timer = setTimeout(attempt, RETRY)
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

  function start(host: string, order: PushOrder): void {
    end()
    wanted = { host, order }
    attempt()
  }

  return {
    start,
    again() {
      if (wanted) start(wanted.host, wanted.order)
    },
    stop: end
  }
}
