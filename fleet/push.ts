// Pushes a device's stream to where the hub ordered it: a clip, looped and not encoded again, as MPEG-TS over SRT.
import type { PushOrder } from '../contract/device/link.ts'
import { type Call, callOptions, createCall } from './call.ts'
import { srtUrl } from './stream-orders.ts'

/** Options of the target, which ffmpeg reads from a file. */
const preset = (order: PushOrder) =>
  [...callOptions(order), ['pkt_size', 1316]].map(([name, value]) => `${name}=${value}\n`).join('')

export interface PusherOptions {
  /** The clip, or undefined while it is not there yet. */
  clip(): string | undefined
  /** It only says that it sends. */
  pretends?(): boolean
  /** The hub's end took the stream, or it is over. */
  sending(on: boolean): void
}

/** Sends what it is ordered to. */
export function createPusher({ clip, pretends, sending }: PusherOptions): Call<PushOrder> {
  return createCall({
    pretends,
    // The first report comes when the hub's end has answered.
    works: sending,
    process(host, order) {
      const file = clip()
      if (file === undefined) return undefined
      const target = srtUrl(host, order.port)
      return {
        args: [
          ...['-stats_period', '5', '-progress', 'pipe:1'],
          ...['-re', '-stream_loop', '-1', '-f', 'mpegts', '-i', file],
          ...['-c', 'copy', '-muxdelay', '0', '-muxpreload', '0', '-f', 'mpegts', '-fpre', '/dev/fd/3', target]
        ],
        secret: preset(order)
      }
    }
  })
}
