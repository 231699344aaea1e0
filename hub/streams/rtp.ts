// RTP packets of MPEG-TS: RFC 3550, and RFC 2250 for what is in them.
import { randomBytes } from 'node:crypto'

/** MPEG-TS among the payload types of RFC 3551. */
export const PAYLOAD_TYPE = 33
export const RTP_HEADER = 12

export interface RtpNumbering {
  /** The header of the next packet. */
  header(now: number): Buffer
  /** What the next packet will be called. */
  sequence(): number
  /** In units of 1/90,000 s. */
  timestamp(now: number): number
  readonly source: number
}

/**
 * Numbers the packets of one stream. Their time is when they are sent, as RFC 2250 wants it: the clock of the stream is in the stream.
 */
export function createRtpNumbering(): RtpNumbering {
  const random = randomBytes(10)
  const source = random.readUInt32BE(0)
  const offset = random.readUInt32BE(4)
  let sequence = random.readUInt16BE(8)
  const timestamp = (now: number) => (offset + Math.round(now * 90)) % 2 ** 32
  return {
    header(now) {
      const header = Buffer.alloc(RTP_HEADER)
      header[0] = 0x80
      header[1] = PAYLOAD_TYPE
      header.writeUInt16BE(sequence, 2)
      header.writeUInt32BE(timestamp(now), 4)
      header.writeUInt32BE(source, 8)
      sequence = (sequence + 1) & 0xffff
      return header
    },
    sequence: () => sequence,
    timestamp,
    source
  }
}
