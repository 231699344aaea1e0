// The MPEG-TS packet (ISO/IEC 13818-1, 2.4.3.2).

/** Bytes of a packet. */
export const TS_PACKET_SIZE = 188
export const SYNC_BYTE = 0x47
/** PID of packets without content. */
export const NULL_PID = 0x1fff

/** Seven null packets, the size of one SRT message, to keep a connection active. */
export const NULL_PACKETS: Buffer = Buffer.alloc(7 * TS_PACKET_SIZE, 0xff)
for (let offset = 0; offset < NULL_PACKETS.length; offset += TS_PACKET_SIZE)
  NULL_PACKETS.set([SYNC_BYTE, 0x1f, 0xff, 0x10], offset)

/** Bytes of the header with the adaptation field: the offset of the payload, if there is one. */
export const headerLength = (packet: Buffer): number => (((packet[3] ?? 0) & 0x20) === 0 ? 4 : 5 + (packet[4] ?? 0))

/** Offset of the payload; -1 if the packet has none. */
export function payloadOffset(packet: Buffer): number {
  if (((packet[3] ?? 0) & 0x10) === 0) return -1
  const offset = headerLength(packet)
  return offset < TS_PACKET_SIZE ? offset : -1
}

/** Whether the packet has the payload unit start indicator: a frame or section starts in it. */
export const isUnitStart = (packet: Buffer): boolean => ((packet[1] ?? 0) & 0x40) !== 0

/** A packet without payload that has the discontinuity indicator. */
export function discontinuityPacket(pid: number, counter: number): Buffer {
  const packet = Buffer.alloc(TS_PACKET_SIZE, 0xff)
  packet.set([SYNC_BYTE, pid >> 8, pid & 0xff, 0x20 | counter, TS_PACKET_SIZE - 5, 0x80])
  return packet
}
