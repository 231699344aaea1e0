// Fetches the stream that the hub ordered a device to play, over SRT. The received data is counted and dropped.
import type { PlayOrder } from '../../contract/device/link.ts'
import { srtUrl } from './stream-orders.ts'
import { createStreamProcess, type StreamProcess, srtCallerOptions } from './stream-process.ts'

/** Microseconds without data after which the process ends. */
const RECEIVE_TIMEOUT = 10_000_000

const quote = (text: string | number) => `'${String(text).replaceAll("'", "'\\''")}'`

/** The SRT source as a concat list with one entry, which ffmpeg reads from a file. */
function concatList(host: string, order: PlayOrder): string {
  const options = [...srtCallerOptions(order), ['timeout', RECEIVE_TIMEOUT] as const]
  const lines = options.map(([name, value]) => `option ${name} ${quote(value)}\n`)
  return `ffconcat version 1.0\nfile ${quote(srtUrl(host, order.port))}\n${lines.join('')}`
}

interface PlayerOptions {
  /** Whether to report that the stream is played without fetching it. */
  isPretending?(): boolean
  /** Called with true when the first data is received, and with false when the stream ends. */
  onPlaying(isPlaying: boolean): void
  onReceived(bytes: number): void
}

export interface Player extends StreamProcess<PlayOrder> {
  /** URL of the ordered stream without secrets; undefined without an order. */
  sourceUrl(): string | undefined
}

export function createPlayer({ isPretending, onPlaying, onReceived }: PlayerOptions): Player {
  const streamProcess = createStreamProcess<PlayOrder>({
    isPretending,
    onRunning: onPlaying,
    onOutput: (data) => onReceived(data.length),
    buildCommand: (host, order) => ({
      args: [
        ...['-protocol_whitelist', 'file,pipe,srt', '-f', 'concat', '-safe', '0', '-i', '/dev/fd/3'],
        ...['-map', '0', '-c', 'copy', '-f', 'mpegts', '-flush_packets', '1', 'pipe:1']
      ],
      secret: concatList(host, order)
    })
  })
  return {
    ...streamProcess,
    sourceUrl() {
      const { host, order } = streamProcess.currentOrder() ?? {}
      return host !== undefined && order ? srtUrl(host, order.port) : undefined
    }
  }
}
