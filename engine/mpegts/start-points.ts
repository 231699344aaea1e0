// Finds packets at which a decoder can start.
import { TS_PACKET_SIZE } from './packet.ts'

export type VideoCodec = 'mpeg2' | 'h264' | 'hevc' | 'other'

/** Video stream types of ISO/IEC 13818-1 table 2-34, and SMPTE's for VC-1. */
export const VIDEO_CODECS: Readonly<Record<number, VideoCodec>> = {
  1: 'mpeg2',
  2: 'mpeg2',
  16: 'other',
  27: 'h264',
  32: 'other',
  33: 'other',
  36: 'hevc',
  51: 'other',
  66: 'other',
  234: 'other'
}

/** Whether a packet has the random access indicator. */
export function hasRandomAccessIndicator(packet: Buffer): boolean {
  return ((packet[3] ?? 0) & 0x20) !== 0 && (packet[4] ?? 0) > 0 && ((packet[5] ?? 0) & 0x40) !== 0
}

/**
 * Whether the first packet of a frame shows that it is a key frame. Not every encoder sets the random access indicator,
 * but all write the headers that a decoder needs (parameter sets, sequence header) before the picture, so they are in
 * the first packet.
 * @param payload offset of the payload
 */
export function isKeyFrame(packet: Buffer, payload: number, codec: VideoCodec): boolean {
  const startCode = packet.readUIntBE(payload, Math.min(3, TS_PACKET_SIZE - payload))
  if (startCode !== 1 || payload + 9 > TS_PACKET_SIZE) return false
  for (let offset = payload + 9 + (packet[payload + 8] ?? 0); offset + 3 < TS_PACKET_SIZE; offset++) {
    if (packet[offset] !== 0 || packet[offset + 1] !== 0 || packet[offset + 2] !== 1) continue
    if (isStartUnit(packet[offset + 3] ?? 0, codec)) return true
  }
  return false
}

/** Whether the byte after a start code begins a key frame, a parameter set or a sequence header. */
function isStartUnit(unit: number, codec: VideoCodec): boolean {
  if (codec === 'h264') return (unit & 31) === 5 || (unit & 31) === 7
  const hevcType = (unit >> 1) & 63
  if (codec === 'hevc') return (hevcType >= 16 && hevcType <= 21) || hevcType === 32 || hevcType === 33
  return codec === 'mpeg2' && unit === 0xb3
}
