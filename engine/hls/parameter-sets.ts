// Finds changes of the picture format, such as another size, that the tables of the stream do not show.
import { payloadOffset, TS_PACKET_SIZE } from '../mpegts/packet.ts'

/** Codecs whose sequence parameter sets are read. */
type ParameterSetCodec = 'h264' | 'hevc'

const START_CODE = Buffer.from([0, 0, 1])
/**
 * By codec: bytes of a start code and the header of a NAL unit, and whether a header is that of a sequence parameter
 * set.
 */
const UNIT_HEADER = { h264: 4, hevc: 5 } as const
const IS_SPS = {
  h264: (header: number) => (header & 31) === 7,
  hevc: (header: number) => ((header >> 1) & 63) === 33
} as const

/**
 * The sequence parameter set in the packet at which a key frame starts, as far as it is in that packet; undefined if
 * there is none.
 * @param offset of the packet in `data`
 */
export function readSps(data: Buffer, offset: number, codec: ParameterSetCodec = 'hevc'): Buffer | undefined {
  const packet = data.subarray(offset, offset + TS_PACKET_SIZE)
  const payload = payloadOffset(packet)
  if (payload < 0) return undefined
  for (let start = findStartCode(packet, payload + 3); start >= 0; start = findStartCode(packet, start + 3)) {
    if (!IS_SPS[codec](packet[start + 3] ?? 0) || start + UNIT_HEADER[codec] > packet.length) continue
    const end = findStartCode(packet, start + 3)
    return Buffer.from(packet.subarray(start, end < 0 ? packet.length : end))
  }
  return undefined
}

/** Offset of the next start code; -1 if there is none. */
const findStartCode = (packet: Buffer, from: number): number => packet.indexOf(START_CODE, from)

/**
 * Whether two parameter sets are equal as far as both are known, because one can be cut off by the end of its packet.
 */
export function isSameSps(first: Buffer, second: Buffer): boolean {
  const length = Math.min(first.length, second.length)
  return first.subarray(0, length).equals(second.subarray(0, length))
}

/** Follows the picture format of one stream. */
export class PictureFormat {
  readonly #codec: ParameterSetCodec
  #sps: Buffer | undefined

  constructor(codec: ParameterSetCodec) {
    this.#codec = codec
  }

  /** Whether the format changes at the key frame that starts in a packet. @param offset of the packet in `data` */
  changesAt(data: Buffer, offset: number): boolean {
    const sps = readSps(data, offset, this.#codec)
    if (!sps) return false
    const previous = this.#sps
    this.#sps = sps
    return previous !== undefined && !isSameSps(previous, sps)
  }

  /** Another stream begins. */
  reset(): void {
    this.#sps = undefined
  }
}
