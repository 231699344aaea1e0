// RTP packets of MPEG-TS: RFC 3550, and RFC 2250 for what is in them.
import { randomBytes } from 'node:crypto'

/** Packets that tell of a stream: RFC 3550, 6. */
const SENDER_REPORT = 200
const SOURCE_DESCRIPTION = 202
/** The item of a description that names its source, and characters of ours (RFC 7022). */
const CNAME = 1
const NAME_BYTES = 12
/** Seconds between the beginnings of the clocks of NTP and of this machine. */
const NTP_EPOCH = 2_208_988_800

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
  /**
   * What a player is told from time to time: which time of the day the time of a packet is, and how much was sent (RFC 3550, 6.4.1).
   * @param clock milliseconds since the epoch, at the moment that is `now`
   * @param octets of payload
   */
  report(now: number, clock: number, packets: number, octets: number): Buffer
}

/**
 * Numbers the packets of one stream. Their time is when they are sent, as RFC 2250 wants it: the clock of the stream is in the stream.
 */
export function createRtpNumbering(): RtpNumbering {
  const random = randomBytes(10)
  const source = random.readUInt32BE(0)
  const offset = random.readUInt32BE(4)
  let sequence = random.readUInt16BE(8)
  const name = randomBytes(NAME_BYTES).toString('base64')
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
    source,
    report(now, clock, packets, octets) {
      const report = Buffer.alloc(28)
      const seconds = clock / 1000 + NTP_EPOCH
      report.writeUInt32BE(headOf(0, SENDER_REPORT, report.length), 0)
      report.writeUInt32BE(source, 4)
      report.writeUInt32BE(Math.floor(seconds) % 2 ** 32, 8)
      report.writeUInt32BE(Math.floor((seconds % 1) * 2 ** 32), 12)
      report.writeUInt32BE(timestamp(now), 16)
      report.writeUInt32BE(packets % 2 ** 32, 20)
      report.writeUInt32BE(octets % 2 ** 32, 24)
      // Zeros end the items, and fill the last word.
      const description = Buffer.alloc(4 * Math.ceil((10 + name.length + 1) / 4))
      description.writeUInt32BE(headOf(1, SOURCE_DESCRIPTION, description.length), 0)
      description.writeUInt32BE(source, 4)
      description.set([CNAME, name.length], 8)
      description.write(name, 10, 'latin1')
      return Buffer.concat([report, description])
    }
  }
}

/** The first word: version 2, how many sources or reports are in it, its type and its length in words without this one. */
const headOf = (count: number, type: number, bytes: number) => (0x80 + count) * 2 ** 24 + type * 2 ** 16 + bytes / 4 - 1
