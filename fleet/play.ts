// Fetches the stream that the hub ordered a device to put out, over SRT. What a screen would show is counted.
import type { PlayOrder } from '../contract/device/link.ts'
import { type Call, callOptions, createCall } from './call.ts'
import { srtUrl } from './stream-orders.ts'

/** Microseconds without a byte after which an attempt is over. */
const SILENCE = 10_000_000

const quoted = (text: string | number) => `'${String(text).replaceAll("'", "'\\''")}'`

/** The call as a list of one entry, which ffmpeg reads from a file. */
function listOf(host: string, order: PlayOrder): string {
  const options = [...callOptions(order), ['timeout', SILENCE] as const]
  const lines = options.map(([name, value]) => `option ${name} ${quoted(value)}\n`)
  return `ffconcat version 1.0\nfile ${quoted(srtUrl(host, order.port))}\n${lines.join('')}`
}

export interface PlayerOptions {
  /** It only says that it plays. */
  pretends?(): boolean
  /** The first bytes came, or it is over. */
  playing(on: boolean): void
  /** So many bytes came. */
  received(bytes: number): void
}

export interface Player extends Call<PlayOrder> {
  /** Where it was told to fetch from, without secrets; undefined without an order. */
  from(): string | undefined
}

/** Plays what it is ordered to. */
export function createPlayer({ pretends, playing, received }: PlayerOptions): Player {
  const call = createCall<PlayOrder>({
    pretends,
    works: playing,
    output: (data) => received(data.length),
    process: (host, order) => ({
      args: [
        ...['-protocol_whitelist', 'file,pipe,srt', '-f', 'concat', '-safe', '0', '-i', '/dev/fd/3'],
        ...['-map', '0', '-c', 'copy', '-f', 'mpegts', '-flush_packets', '1', 'pipe:1']
      ],
      secret: listOf(host, order)
    })
  })
  return {
    ...call,
    from() {
      const { host, order } = call.ordered() ?? {}
      return host !== undefined && order ? srtUrl(host, order.port) : undefined
    }
  }
}
