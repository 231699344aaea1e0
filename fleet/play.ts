// Fetches the stream that the hub ordered a device to put out, over SRT. What a screen would show is counted.
import type { ChildProcess } from 'node:child_process'
import { closeSync } from 'node:fs'
import type { PlayOrder } from '../contract/link.ts'
import { spawnGuarded } from './guarded.ts'
import { nameless, srtUrl } from './orders.ts'

/** Milliseconds until the next attempt: the hub's end may come a little later, or come back. */
const RETRY = 1000
/** Milliseconds that an attempt waits for the hub's end. */
const CONNECT = 2000
/** Microseconds without a byte after which an attempt is over. */
const SILENCE = 10_000_000
/** Milliseconds in which ffmpeg may say goodbye, so that the hub sees the end at once. */
const GRACE = 500

const quoted = (text: string | number) => `'${String(text).replaceAll("'", "'\\''")}'`

/** The call as a list of one entry, which ffmpeg reads from a file: as an argument every user could read the passphrase. */
function listOf(host: string, { port, passphrase, latency, 'stream-id': id }: PlayOrder): string {
  const options: [string, string | number][] = [
    ['mode', 'caller'],
    // Microseconds.
    ['latency', latency * 1000],
    ['connect_timeout', CONNECT],
    ['timeout', SILENCE],
    ...(id === '' ? [] : ([['srt_streamid', id]] as [string, string][])),
    ...(passphrase === '' ? [] : ([['passphrase', passphrase]] as [string, string][]))
  ]
  const lines = options.map(([name, value]) => `option ${name} ${quoted(value)}\n`)
  return `ffconcat version 1.0\nfile ${quoted(srtUrl(host, port))}\n${lines.join('')}`
}

export interface PlayerOptions {
  /** It only says that it plays. */
  pretends?(): boolean
  /** The first bytes came, or it is over. */
  playing(on: boolean): void
  /** So many bytes came. */
  received(bytes: number): void
}

export interface Player {
  /** Plays what is there until told otherwise; an order before this one is over. */
  start(host: string, order: PlayOrder): void
  /** Begins anew what it was ordered, if anything. */
  again(): void
  /** Where it was told to fetch from, without secrets; undefined without an order. */
  from(): string | undefined
  stop(): void
}

export function createPlayer({ pretends = () => false, playing, received }: PlayerOptions): Player {
  let wanted: { host: string; order: PlayOrder } | undefined
  let child: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  let said = false

  function say(on: boolean): void {
    if (on === said) return
    said = on
    playing(on)
  }

  function attempt(): void {
    if (!wanted) return
    if (pretends()) {
      say(true)
      timer = setTimeout(attempt, RETRY)
      return
    }
    const list = nameless(listOf(wanted.host, wanted.order))
    const started = spawnGuarded(
      'ffmpeg',
      [
        ...['-hide_banner', '-nostdin', '-nostats', '-v', 'quiet', '-protocol_whitelist', 'file,pipe,srt'],
        ...['-f', 'concat', '-safe', '0', '-i', '/dev/fd/3'],
        ...['-map', '0', '-c', 'copy', '-f', 'mpegts', '-flush_packets', '1', 'pipe:1']
      ],
      { stdio: ['ignore', 'pipe', 'ignore', list] }
    )
    closeSync(list)
    child = started
    started.stdout?.on('data', (data: Buffer) => {
      if (child !== started) return
      received(data.length)
      say(true)
    })
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

  function start(host: string, order: PlayOrder): void {
    end()
    wanted = { host, order }
    attempt()
  }

  return {
    start,
    again() {
      if (wanted) start(wanted.host, wanted.order)
    },
    from: () => wanted && srtUrl(wanted.host, wanted.order.port),
    stop: end
  }
}
