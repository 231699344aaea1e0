// RTP packets and RTCP reports for MPEG-TS: RFC 3550 and RFC 2250.
import { randomBytes } from 'node:crypto'
import { MTU_MAX } from '../../contract/limits.ts'
import { RTP } from '../../contract/stream/protocols.ts'
import { TS_PACKET_SIZE } from '../mpegts/packet.ts'

/** RTCP packet types, RFC 3550 section 12.1. */
const SENDER_REPORT = 200
const SOURCE_DESCRIPTION = 202
/** The CNAME item of a source description, and the length of ours before Base64 (RFC 7022). */
const CNAME = 1
const CNAME_BYTES = 12
/** Seconds from the NTP epoch (1900) to the Unix epoch (1970). */
const NTP_EPOCH = 2_208_988_800

/** RTP payload type of MPEG-TS, RFC 3551. */
export const PAYLOAD_TYPE = 33
/** Bytes of an RTP header without extensions. */
export const RTP_HEADER = 12

/** Creates the headers and reports of one RTP source. Times are milliseconds of a monotonic clock. */
export interface RtpNumbering {
  /** Writes the header of the next packet at an offset of `target` and advances the sequence number. */
  writeHeader(target: Buffer, offset: number, now: number): void
  /** Sequence number of the next packet. */
  sequence(): number
  /** RTP timestamp in units of 1/90,000 s. */
  timestamp(now: number): number
  /** Synchronization source identifier (SSRC). */
  readonly source: number
  /**
   * A sender report with a source description: maps an RTP timestamp to wall-clock time and counts the sent packets
   * (RFC 3550, 6.4.1).
   * @param clock wall-clock time at `now`, in milliseconds since the epoch
   * @param octets payload bytes sent
   */
  senderReport(now: number, clock: number, packets: number, octets: number): Buffer
}

/** RTP timestamps are the times of sending, as RFC 2250 requires. The clock of the media is inside MPEG-TS. */
export function createRtpNumbering(): RtpNumbering {
  const random = randomBytes(10)
  const source = random.readUInt32BE(0)
  const offset = random.readUInt32BE(4)
  let sequence = random.readUInt16BE(8)
  const name = randomBytes(CNAME_BYTES).toString('base64')
  const timestamp = (now: number) => (offset + Math.round(now * 90)) % 2 ** 32
  return {
    writeHeader(target, offset, now) {
      target[offset] = 0x80
      target[offset + 1] = PAYLOAD_TYPE
      target.writeUInt16BE(sequence, offset + 2)
      target.writeUInt32BE(timestamp(now), offset + 4)
      target.writeUInt32BE(source, offset + 8)
      sequence = (sequence + 1) & 0xffff
    },
    sequence: () => sequence,
    timestamp,
    source,
    senderReport(now, clock, packets, octets) {
      const report = Buffer.alloc(28)
      const seconds = clock / 1000 + NTP_EPOCH
      report.writeUInt32BE(rtcpHeader(0, SENDER_REPORT, report.length), 0)
      report.writeUInt32BE(source, 4)
      report.writeUInt32BE(Math.floor(seconds) % 2 ** 32, 8)
      report.writeUInt32BE(Math.floor((seconds % 1) * 2 ** 32), 12)
      report.writeUInt32BE(timestamp(now), 16)
      report.writeUInt32BE(packets % 2 ** 32, 20)
      report.writeUInt32BE(octets % 2 ** 32, 24)
      return Buffer.concat([report, sourceDescription(source, name)])
    }
  }
}

function sourceDescription(source: number, name: string): Buffer {
  // At least one zero byte ends the list of items; further ones fill the last 32-bit word.
  const description = Buffer.alloc(4 * Math.ceil((10 + name.length + 1) / 4))
  description.writeUInt32BE(rtcpHeader(1, SOURCE_DESCRIPTION, description.length), 0)
  description.writeUInt32BE(source, 4)
  description.set([CNAME, name.length], 8)
  description.write(name, 10, 'latin1')
  return description
}

/**
 * First word of an RTCP packet: version 2, number of sources or reports, type, and length in 32-bit words minus one.
 */
const rtcpHeader = (count: number, type: number, bytes: number) =>
  (0x80 + count) * 2 ** 24 + type * 2 ** 16 + bytes / 4 - 1

/** Bytes of the IPv4 and UDP headers. */
const IP_UDP_HEADERS = 28

/**
 * Bytes of MPEG-TS in one datagram, a multiple of the packet size.
 * @param protocol `UDP`, or `RTP` with its own header
 * @param mtu bytes of the IP packet
 */
export function datagramPayloadBytes(protocol: number, mtu = MTU_MAX): number {
  const headers = IP_UDP_HEADERS + (protocol === RTP ? RTP_HEADER : 0)
  return Math.floor((mtu - headers) / TS_PACKET_SIZE) * TS_PACKET_SIZE
}
