// Reads profile, level and size from the headers of video: sequence parameter sets of H.264 and HEVC, sequence headers
// of MPEG-2.
import type { VideoFormat } from '../../contract/stream/format.ts'

export type VideoHeaders = Pick<VideoFormat, 'profile' | 'level' | 'width' | 'height' | 'interlaced'>

/** ITU-T H.264, annex A. */
const H264_PROFILES: Readonly<Record<number, string>> = {
  66: 'Baseline',
  77: 'Main',
  88: 'Extended',
  100: 'High',
  110: 'High 10',
  122: 'High 4:2:2',
  244: 'High 4:4:4'
}
/** Profiles whose parameter sets have the chroma format. */
const H264_HIGH = new Set([100, 110, 122, 244, 44, 83, 86, 118, 128])
const CONSTRAINED_BASELINE = 0x40
/** ITU-T H.265, annex A. */
const HEVC_PROFILES: Readonly<Record<number, string>> = {
  1: 'Main',
  2: 'Main 10',
  3: 'Main Still Picture',
  4: 'Range Extensions'
}
/** ITU-T H.262, 8.1. */
const MPEG2_PROFILES: Readonly<Record<number, string>> = { 1: 'High', 4: 'Main', 5: 'Simple' }
const MPEG2_LEVELS: Readonly<Record<number, string>> = { 4: 'High', 6: 'High 1440', 8: 'Main', 10: 'Low' }

const START_CODE = Buffer.from([0, 0, 1])

/** @param bytes the first bytes of a key frame @returns undefined if they have no header */
export function readVideoHeaders(codec: string, bytes: Buffer): VideoHeaders | undefined {
  if (codec === 'H.264') return readUnit(bytes, (header) => (header & 31) === 7, 1, readH264)
  if (codec === 'HEVC') return readUnit(bytes, (header) => ((header >> 1) & 63) === 33, 2, readHevc)
  return codec === 'MPEG-2' ? readMpeg2(bytes) : undefined
}

/** Reads the first NAL unit of a type. @param headerBytes bytes of its header */
function readUnit(
  bytes: Buffer,
  isWanted: (header: number) => boolean,
  headerBytes: number,
  read: (reader: BitReader) => VideoHeaders
): VideoHeaders | undefined {
  for (let start = bytes.indexOf(START_CODE); start >= 0; start = bytes.indexOf(START_CODE, start + 3)) {
    if (!isWanted(bytes[start + 3] ?? 0)) continue
    const end = bytes.indexOf(START_CODE, start + 3)
    const reader = new BitReader(bytes.subarray(start + 3 + headerBytes, end < 0 ? bytes.length : end))
    const headers = read(reader)
    return reader.isComplete ? headers : undefined
  }
  return undefined
}

/** ITU-T H.264, 7.3.2.1.1. */
function readH264(reader: BitReader): VideoHeaders {
  const [profile, constraints, level] = [reader.read(8), reader.read(8), reader.read(8)]
  reader.unsigned()
  const chroma = H264_HIGH.has(profile) ? readH264Chroma(reader) : 1
  reader.unsigned()
  const orderType = reader.unsigned()
  if (orderType === 0) reader.unsigned()
  else if (orderType === 1) {
    reader.skip(1)
    reader.signed()
    reader.signed()
    for (let count = reader.unsigned(); count > 0 && reader.isComplete; count--) reader.signed()
  }
  reader.unsigned()
  reader.skip(1)
  const width = 16 * (reader.unsigned() + 1)
  const rows = reader.unsigned() + 1
  const isProgressive = reader.flag()
  if (!isProgressive) reader.skip(1)
  reader.skip(1)
  const fields = isProgressive ? 1 : 2
  const [across, down] = readCrop(reader, chroma)
  return {
    profile:
      profile === 66 && constraints & CONSTRAINED_BASELINE
        ? 'Constrained Baseline'
        : profileName(H264_PROFILES, profile),
    level: String(level / 10),
    width: width - across,
    height: fields * (16 * rows - down),
    ...(!isProgressive && { interlaced: true })
  }
}

/** @returns the chroma format: 0 none, 1 4:2:0, 2 4:2:2, 3 4:4:4 */
function readH264Chroma(reader: BitReader): number {
  const chroma = reader.unsigned()
  if (chroma === 3) reader.skip(1)
  reader.unsigned()
  reader.unsigned()
  reader.skip(1)
  const hasScaling = reader.flag()
  for (let list = 0; hasScaling && list < (chroma === 3 ? 12 : 8); list++)
    if (reader.flag()) skipScalingList(reader, list < 6 ? 16 : 64)
  return chroma
}

function skipScalingList(reader: BitReader, size: number): void {
  let [last, next] = [8, 8]
  for (let index = 0; index < size && reader.isComplete; index++) {
    if (next !== 0) next = (last + reader.signed() + 256) % 256
    last = next === 0 ? last : next
  }
}

/** Pixels that are cut off, across and down; a field counts half. */
function readCrop(reader: BitReader, chroma: number): [number, number] {
  if (!reader.flag()) return [0, 0]
  const [left, right, top, bottom] = [reader.unsigned(), reader.unsigned(), reader.unsigned(), reader.unsigned()]
  return [(left + right) * (chroma === 1 || chroma === 2 ? 2 : 1), (top + bottom) * (chroma === 1 ? 2 : 1)]
}

/** ITU-T H.265, 7.3.2.2. */
function readHevc(reader: BitReader): VideoHeaders {
  reader.skip(4)
  const subLayers = reader.read(3)
  reader.skip(1 + 3)
  const profile = reader.read(5)
  reader.skip(32)
  const [isProgressive, isInterlaced] = [reader.flag(), reader.flag()]
  reader.skip(46)
  const level = reader.read(8)
  const present = Array.from({ length: subLayers }, () => [reader.flag(), reader.flag()])
  if (subLayers > 0) reader.skip(2 * (8 - subLayers))
  for (const [hasProfile, hasLevel] of present) reader.skip((hasProfile ? 88 : 0) + (hasLevel ? 8 : 0))
  reader.unsigned()
  const chroma = reader.unsigned()
  if (chroma === 3) reader.skip(1)
  const [width, height] = [reader.unsigned(), reader.unsigned()]
  const [across, down] = readCrop(reader, chroma)
  return {
    profile: profileName(HEVC_PROFILES, profile),
    level: String(level / 30),
    width: width - across,
    height: height - down,
    ...(isInterlaced && !isProgressive && { interlaced: true })
  }
}

/** ITU-T H.262, 6.2.2.1 and 6.2.2.3. */
function readMpeg2(bytes: Buffer): VideoHeaders | undefined {
  const header = bytes.indexOf(Buffer.from([0, 0, 1, 0xb3]))
  const extension = bytes.indexOf(Buffer.from([0, 0, 1, 0xb5]), header + 4)
  if (header < 0 || header + 7 > bytes.length) return undefined
  const size = { width: bytes.readUInt16BE(header + 4) >> 4, height: bytes.readUInt16BE(header + 5) & 0xfff }
  if (extension < 0 || extension + 7 > bytes.length || (bytes[extension + 4] ?? 0) >> 4 !== 1) return size
  const profile = (bytes[extension + 4] ?? 0) & 7
  const level = (bytes[extension + 5] ?? 0) >> 4
  const isProgressive = ((bytes[extension + 5] ?? 0) & 8) !== 0
  const name = MPEG2_LEVELS[level]
  return {
    profile: profileName(MPEG2_PROFILES, profile),
    ...(name && { level: name }),
    ...size,
    ...(!isProgressive && { interlaced: true })
  }
}

const profileName = (names: Readonly<Record<number, string>>, profile: number): string => names[profile] ?? `${profile}`

class BitReader {
  readonly #bytes: Buffer
  #position = 0

  /** @param unit content of a NAL unit after its header */
  constructor(unit: Buffer) {
    const kept: number[] = []
    let zeros = 0
    for (const byte of unit) {
      const isPrevention = zeros >= 2 && byte === 3
      zeros = byte === 0 ? zeros + 1 : 0
      if (!isPrevention) kept.push(byte)
    }
    this.#bytes = Buffer.from(kept)
  }

  /** Whether all fields so far were inside of the unit. */
  get isComplete(): boolean {
    return this.#position <= 8 * this.#bytes.length
  }

  skip(bits: number): void {
    this.#position += bits
  }

  /** Unsigned number of at most 32 bits. */
  read(bits: number): number {
    let value = 0
    for (let count = 0; count < bits; count++, this.#position++) {
      const byte = this.#bytes[this.#position >> 3] ?? 0
      value = value * 2 + ((byte >> (7 - (this.#position & 7))) & 1)
    }
    return value
  }

  flag(): boolean {
    return this.read(1) === 1
  }

  /** Unsigned Exp-Golomb code. */
  unsigned(): number {
    let zeros = 0
    while (zeros < 32 && this.isComplete && !this.flag()) zeros++
    return 2 ** zeros - 1 + this.read(zeros)
  }

  /** Signed Exp-Golomb code. */
  signed(): number {
    const code = this.unsigned()
    return code % 2 === 0 ? -code / 2 : (code + 1) / 2
  }
}
