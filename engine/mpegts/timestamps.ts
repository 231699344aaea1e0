// Timestamps and clock references in MPEG-TS packets (ISO/IEC 13818-1, 2.4.3), in units of 1/90,000 s, modulo 2^33.
import { headerLength } from './packet.ts'

const WRAP = 2 ** 33
const HALF_WRAP = 2 ** 32

/** Units in a second. */
export const TICKS_PER_SECOND = 90_000

/** The difference `a - b` of two times, by the shorter way around. */
export const timeDifference = (a: number, b: number): number =>
  ((((a - b + HALF_WRAP) % WRAP) + WRAP) % WRAP) - HALF_WRAP
export const addTime = (time: number, offset: number): number => (((time + offset) % WRAP) + WRAP) % WRAP

/** Offset of the program clock reference (PCR) in a packet; -1 if it has none. */
export function pcrOffset(packet: Buffer): number {
  return ((packet[3] ?? 0) & 0x20) !== 0 && (packet[4] ?? 0) >= 7 && ((packet[5] ?? 0) & 0x10) !== 0 ? 6 : -1
}

/** Reads the base of a clock reference, without its 27 MHz extension. */
export const readPcr = (packet: Buffer, offset: number): number =>
  packet.readUInt32BE(offset) * 2 + ((packet[offset + 4] ?? 0) >> 7)

export function writePcr(packet: Buffer, offset: number, time: number): void {
  packet.writeUInt32BE(Math.floor(time / 2), offset)
  packet[offset + 4] = ((packet[offset + 4] ?? 0) & 0x7f) | ((time & 1) << 7)
}

/**
 * Offsets of the timestamps in a packet with the start of a frame; -1 for a timestamp that it does not have.
 * @param payload offset of the payload
 */
export function timestampOffsets(packet: Buffer, payload: number): { pts: number; dts: number } {
  const none = { pts: -1, dts: -1 }
  if (payload + 14 > packet.length || packet.readUIntBE(payload, 3) !== 1) return none
  const flags = ((packet[payload + 6] ?? 0) & 0xc0) === 0x80 ? (packet[payload + 7] ?? 0) >> 6 : 0
  if (flags < 2) return none
  return { pts: payload + 9, dts: flags === 3 && payload + 19 <= packet.length ? payload + 14 : -1 }
}

export function readTimestamp(packet: Buffer, offset: number): number {
  const high = ((packet[offset] ?? 0) >> 1) & 7
  return high * 2 ** 30 + (packet.readUInt16BE(offset + 1) >> 1) * 2 ** 15 + (packet.readUInt16BE(offset + 3) >> 1)
}

export function writeTimestamp(packet: Buffer, offset: number, time: number): void {
  packet[offset] = ((packet[offset] ?? 0) & 0xf1) | (Math.floor(time / 2 ** 30) << 1)
  packet.writeUInt16BE(((Math.floor(time / 2 ** 15) & 0x7fff) << 1) | 1, offset + 1)
  packet.writeUInt16BE(((time % 2 ** 15) << 1) | 1, offset + 3)
}

/** Decoding time of the frame that starts in a packet: its DTS, or without one its PTS; undefined if it has none. */
export function decodingTime(packet: Buffer): number | undefined {
  const { pts, dts } = timestampOffsets(packet, headerLength(packet))
  return pts < 0 ? undefined : readTimestamp(packet, dts < 0 ? pts : dts)
}
