// Finds changes of the picture format in HEVC, such as another size, that the tables of the stream do not show.
import { payloadOffset, TS_PACKET_SIZE } from '../mpegts/packet.ts'

/** Type of the NAL unit that holds a sequence parameter set. */
const SPS = 33
const START_CODE = Buffer.from([0, 0, 1])
/** Bytes of a start code and the header of a NAL unit. */
const UNIT_HEADER = 5

/**
 * The sequence parameter set in the packet at which a key frame starts, as far as it is in that packet; undefined if there is none.
 * @param offset of the packet in `data`
 */
export function readSps(data: Buffer, offset: number): Buffer | undefined {
  const packet = data.subarray(offset, offset + TS_PACKET_SIZE)
  const payload = payloadOffset(packet)
  if (payload < 0) return undefined
  for (let start = findStartCode(packet, payload + 3); start >= 0; start = findStartCode(packet, start + 3)) {
    if ((((packet[start + 3] ?? 0) >> 1) & 63) !== SPS || start + UNIT_HEADER > packet.length) continue
    const end = findStartCode(packet, start + 3)
    return Buffer.from(packet.subarray(start, end < 0 ? packet.length : end))
  }
  return undefined
}

/** Offset of the next start code; -1 if there is none. */
const findStartCode = (packet: Buffer, from: number): number => packet.indexOf(START_CODE, from)

/** Whether two parameter sets are equal as far as both are known, because one can be cut off by the end of its packet. */
export function isSameSps(first: Buffer, second: Buffer): boolean {
  const length = Math.min(first.length, second.length)
  return first.subarray(0, length).equals(second.subarray(0, length))
}
