// Cuts MPEG-TS into segments of HLS (RFC 8216) and keeps the newest in memory: nothing is written, nothing is left behind, and no path
// leads to a file.
import { SEGMENT_DEFAULT, SEGMENTS_DEFAULT } from '../../contract/limits.ts'
import type { HlsOutput } from '../../contract/stream/source.ts'
import { PACKET } from '../mpegts/packets.ts'

/** Bytes of all segments of one output; beyond it the oldest go, as long as a playlist remains. */
const BYTES_MAX = 96 << 20
const SEGMENTS_KEPT = 3
/** Seconds: what lies further apart are two clocks. */
const JUMP = 60
/** Ticks of a time stamp in a second, and where it begins again. */
const TICKS = 90_000
const WRAP = 2 ** 33

interface Segment {
  name: string
  sequence: number
  bytes: Buffer
  /** Seconds. */
  duration: number
  /** Another stream than the one before. */
  discontinuity: boolean
  /** Such segments before this one. */
  breaks: number
}

export interface HlsSegments {
  media(data: Buffer, starts: readonly number[], tables: Buffer): void
  /** The stream is over; what comes next is another one. */
  over(): void
  /** The playlist; undefined until there is a segment. */
  playlist(): string | undefined
  segment(name: string): Buffer | undefined
  /** Seconds: what players take for the longest segment. */
  target(): number
}

/**
 * @param now milliseconds, for streams without time stamps
 * @param first number of the first segment: higher than any before, so that players go on after the hub was started anew
 */
export function createHlsSegments(config: HlsOutput, now: () => number, first: number): HlsSegments {
  const count = config['seg-count'] ?? SEGMENTS_DEFAULT
  const wanted = config['seg-duration'] ?? SEGMENT_DEFAULT
  const segments: Segment[] = []
  let sequence = first
  /** Segments of another stream than the one before. */
  let breaks = 0
  let target = wanted
  let size = 0
  let open: { parts: Buffer[]; began: number; stamp: number | undefined } | undefined
  let discontinuity = false

  /** Seconds from the segment's beginning. */
  function elapsed(stamp: number | undefined): number {
    if (!open) return 0
    const ticks = stamp === undefined || open.stamp === undefined ? undefined : (stamp - open.stamp + WRAP) % WRAP
    return ticks === undefined || ticks > JUMP * TICKS ? (now() - open.began) / 1000 : ticks / TICKS
  }

  function close(duration: number): void {
    if (!open) return
    const bytes = Buffer.concat(open.parts)
    const segment = { bytes, duration, discontinuity, breaks, sequence, name: `${sequence}.ts` }
    sequence++
    if (discontinuity) breaks++
    open = undefined
    discontinuity = false
    size += segment.bytes.length
    target = Math.max(target, Math.round(duration))
    segments.push(segment)
    // Those that have left the playlist stay for as long as a player may still want them (RFC 8216, 6.2.2).
    while (segments.length > 2 * count + 1 || (size > BYTES_MAX && segments.length > SEGMENTS_KEPT)) {
      const gone = segments.shift()
      if (!gone) return
      size -= gone.bytes.length
    }
  }

  function add(part: Buffer): void {
    if (!open || part.length === 0) return
    // A copy: what is handed on is a piece of a larger buffer that would be kept for it.
    open.parts.push(Buffer.from(part))
  }

  return {
    media(data, starts, tables) {
      let from = open ? 0 : data.length
      for (const start of starts) {
        const stamp = timeStampAt(data, start)
        const seconds = elapsed(stamp)
        if (open && seconds < wanted) continue
        if (open) {
          add(data.subarray(from, start))
          close(seconds)
        }
        open = { parts: [tables], began: now(), stamp }
        from = start
      }
      add(data.subarray(from))
    },
    over() {
      if (open) close(Math.max(0.1, (now() - open.began) / 1000))
      discontinuity = segments.length > 0
    },
    playlist() {
      const listed = segments.slice(-count)
      const [oldest] = listed
      if (!oldest) return undefined
      const lines = listed.flatMap(({ duration, name, discontinuity: broken }) => [
        ...(broken ? ['#EXT-X-DISCONTINUITY'] : []),
        `#EXTINF:${duration.toFixed(3)},`,
        name
      ])
      return `${[
        '#EXTM3U',
        '#EXT-X-VERSION:3',
        `#EXT-X-TARGETDURATION:${target}`,
        `#EXT-X-MEDIA-SEQUENCE:${oldest.sequence}`,
        `#EXT-X-DISCONTINUITY-SEQUENCE:${oldest.breaks}`,
        ...lines
      ].join('\n')}\n`
    },
    segment: (name) => segments.find((segment) => segment.name === name)?.bytes,
    target: () => target
  }
}

/** The time stamp of the frame that begins in the packet at an offset, in ticks; undefined where it has none. */
export function timeStampAt(data: Buffer, offset: number): number | undefined {
  const packet = data.subarray(offset, offset + PACKET)
  if (packet.length < PACKET || ((packet[3] ?? 0) & 0x10) === 0) return undefined
  const payload = ((packet[3] ?? 0) & 0x20) === 0 ? 4 : 5 + (packet[4] ?? 0)
  if (payload + 14 > PACKET || packet.readUIntBE(payload, 3) !== 1) return undefined
  if (((packet[payload + 7] ?? 0) & 0x80) === 0) return undefined
  const at = payload + 9
  const high = ((packet[at] ?? 0) >> 1) & 7
  return high * 2 ** 30 + (packet.readUInt16BE(at + 1) >> 1) * 2 ** 15 + (packet.readUInt16BE(at + 3) >> 1)
}
