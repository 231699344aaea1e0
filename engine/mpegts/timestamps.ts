// Times in MPEG-TS packets (ISO/IEC 13818-1, 2.4.3): units of 1/90,000 s that begin anew after 2^33.
const WRAP = 2 ** 33
const HALF = 2 ** 32

/** Units of a second. */
export const SECOND = 90_000

/** `a - b`, by the shorter way around. */
export const apart = (a: number, b: number): number => ((((a - b + HALF) % WRAP) + WRAP) % WRAP) - HALF
export const moved = (time: number, by: number): number => (((time + by) % WRAP) + WRAP) % WRAP

/** Offset of the programme clock reference in a packet; -1 without one. */
export function pcrAt(packet: Buffer): number {
  return ((packet[3] ?? 0) & 0x20) !== 0 && (packet[4] ?? 0) >= 7 && ((packet[5] ?? 0) & 0x10) !== 0 ? 6 : -1
}

/** The base of a clock reference, without its 27 MHz part. */
export const readPcr = (packet: Buffer, at: number): number =>
  packet.readUInt32BE(at) * 2 + ((packet[at + 4] ?? 0) >> 7)

export function writePcr(packet: Buffer, at: number, time: number): void {
  packet.writeUInt32BE(Math.floor(time / 2), at)
  packet[at + 4] = ((packet[at + 4] ?? 0) & 0x7f) | ((time & 1) << 7)
}

/** Where a packet that begins a frame has its times: offsets, -1 for one that it has not. */
export function timesAt(packet: Buffer, payload: number): { pts: number; dts: number } {
  const none = { pts: -1, dts: -1 }
  if (payload + 14 > packet.length || packet.readUIntBE(payload, 3) !== 1) return none
  const flags = ((packet[payload + 6] ?? 0) & 0xc0) === 0x80 ? (packet[payload + 7] ?? 0) >> 6 : 0
  if (flags < 2) return none
  return { pts: payload + 9, dts: flags === 3 && payload + 19 <= packet.length ? payload + 14 : -1 }
}

export function readTime(packet: Buffer, at: number): number {
  const high = ((packet[at] ?? 0) >> 1) & 7
  return high * 2 ** 30 + (packet.readUInt16BE(at + 1) >> 1) * 2 ** 15 + (packet.readUInt16BE(at + 3) >> 1)
}

export function writeTime(packet: Buffer, at: number, time: number): void {
  packet[at] = ((packet[at] ?? 0) & 0xf1) | (Math.floor(time / 2 ** 30) << 1)
  packet.writeUInt16BE(((Math.floor(time / 2 ** 15) & 0x7fff) << 1) | 1, at + 1)
  packet.writeUInt16BE(((time % 2 ** 15) << 1) | 1, at + 3)
}
