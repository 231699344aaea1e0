// Pushes the stream of a device to the hub as ordered: a clip, looped without re-encoding, as MPEG-TS over SRT or as
// FLV over RTMP.
import type { PushOrder } from '../../contract/device/link.ts'
import { RTMP } from '../../contract/stream/protocols.ts'
import { rtmpUrl, srtUrl } from './stream-orders.ts'
import { createStreamProcess, type StreamProcess, srtCallerOptions } from './stream-process.ts'

/** Options of the SRT target as an ffmpeg preset. */
const srtPreset = (order: PushOrder, isListener: boolean) =>
  [...srtCallerOptions(order), ...(isListener ? [['mode', 'listener']] : []), ['pkt_size', 1316]]
    .map(([name, value]) => `${name}=${value}\n`)
    .join('')

/** The stream key of the RTMP target as an ffmpeg preset. */
const rtmpPreset = (order: PushOrder) => `rtmp_playpath=${order['stream-id']}\n`

interface PusherOptions {
  /** Path of the clip; undefined if it is not encoded yet. */
  clipPath(): string | undefined
  /** Whether the device waits for an SRT caller at the port of the order, on the host of the order. */
  isListener?(): boolean
  /** Sends the sound alone. */
  isAudioOnly?: boolean
  /** Whether to report that the stream is sent without sending it. */
  isPretending?(): boolean
  /** Called with true when the hub has accepted the stream, and with false when it ends. */
  onSending(isSending: boolean): void
  /** Called with the total number of bytes sent, every few seconds. */
  onProgress?(bytes: number): void
}

export type Pusher = StreamProcess<PushOrder>

export function createPusher(options: PusherOptions): Pusher {
  const { clipPath, isListener, isAudioOnly, isPretending, onSending, onProgress } = options
  return createStreamProcess({
    isPretending,
    // ffmpeg writes its first progress report after the SRT handshake.
    onRunning: onSending,
    onOutput(data) {
      const [, size] = /(?:^|\n)total_size=(\d+)/.exec(data.toString()) ?? []
      if (size !== undefined) onProgress?.(Number(size))
    },
    buildCommand(host, order) {
      const file = clipPath()
      if (file === undefined) return undefined
      const isRtmp = order.protocol === RTMP
      const format = isRtmp ? ['-f', 'flv'] : ['-muxdelay', '0', '-muxpreload', '0', '-f', 'mpegts']
      const target = isRtmp ? rtmpUrl(host, order.port) : srtUrl(host, order.port)
      return {
        args: [
          ...['-stats_period', '5', '-progress', 'pipe:1'],
          ...['-re', '-stream_loop', '-1', '-f', 'mpegts', '-i', file],
          ...['-c', 'copy', ...(isAudioOnly ? ['-vn'] : []), ...format, '-fpre', '/dev/fd/3', target]
        ],
        secret: isRtmp ? rtmpPreset(order) : srtPreset(order, isListener?.() ?? false)
      }
    }
  })
}
