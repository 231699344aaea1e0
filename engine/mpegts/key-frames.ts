// Checksums of key frames, by which the same frames of two sources are recognised.
import { crc32 } from 'node:zlib'
import { headerLength, isUnitStart, payloadOffset, TS_PACKET_SIZE } from './packet.ts'
import { decodingTime } from './timestamps.ts'

export interface KeyFrame {
  /** Decoding time, in 1/90,000 s. */
  time: number
  /** Checksum of its bytes, without those of MPEG-TS and PES. */
  checksum: number
}

/** Bytes of a PES header before its optional fields, and the offset of their length. */
const PES_HEADER = 9
const PES_LENGTH = 8

export class KeyFrameReader {
  readonly #onFrame: (frame: KeyFrame) => void
  /** The frame that is being read, and its PID. */
  #frame: KeyFrame | undefined
  #pid = -1

  /** @param onFrame called when a key frame is complete, which is so when the next frame begins */
  constructor(onFrame: (frame: KeyFrame) => void) {
    this.#onFrame = onFrame
  }

  /** Takes packets; the parameters are those of `Tap.media`. */
  push(data: Buffer, starts: readonly number[]): void {
    const from = this.#frame ? 0 : (starts[0] ?? data.length)
    for (let offset = from; offset < data.length; offset += TS_PACKET_SIZE) {
      const packet = data.subarray(offset, offset + TS_PACKET_SIZE)
      const pid = packet.readUInt16BE(1) & 0x1fff
      if (this.#frame && pid === this.#pid) this.#extend(this.#frame, packet)
      if (starts.includes(offset)) this.#begin(packet, pid)
    }
  }

  /** Forgets a frame that is not complete. */
  reset(): void {
    this.#frame = undefined
  }

  #begin(packet: Buffer, pid: number): void {
    const time = decodingTime(packet)
    if (time === undefined) return
    const header = headerLength(packet)
    const payload = packet.subarray(header + PES_HEADER + (packet[header + PES_LENGTH] ?? 0))
    this.#frame = { time, checksum: crc32(payload) }
    this.#pid = pid
  }

  #extend(frame: KeyFrame, packet: Buffer): void {
    const payload = payloadOffset(packet)
    if (payload < 0) return
    if (!isUnitStart(packet)) frame.checksum = crc32(packet.subarray(payload), frame.checksum)
    else {
      this.#frame = undefined
      this.#onFrame(frame)
    }
  }
}
