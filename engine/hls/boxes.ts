// Reads fragmented MP4 (ISO/IEC 14496-12) as ffmpeg writes it: boxes from a pipe, and the times of the first track.

/** Bytes of the length and the type of a box. */
const HEADER = 8
/** Flags of `tfhd` and `trun`: which optional fields are present. */
const TFHD_BASE_DATA_OFFSET = 1
const TFHD_DESCRIPTION_INDEX = 2
const TFHD_DEFAULT_DURATION = 8
const TFHD_DEFAULT_SIZE = 0x10
const TFHD_DEFAULT_FLAGS = 0x20
const TRUN_DATA_OFFSET = 1
const TRUN_FIRST_FLAGS = 4
const TRUN_DURATION = 0x100
const TRUN_SIZE = 0x200
const TRUN_FLAGS = 0x400
/** Flag of a sample that is not a key frame. */
const NOT_SYNC = 0x10000
/** Fields of each sample: duration, size, flags and composition time offset. */
const TRUN_SAMPLE_FIELDS = [0x100, 0x200, 0x400, 0x800]

/** Splits bytes into boxes. */
export class BoxReader {
  readonly #onBox: (type: string, box: Buffer) => void
  readonly #bytesMax: number
  #parts: Buffer[] = []
  #length = 0
  /** Bytes of the current box; undefined until its header has arrived. */
  #size: number | undefined

  /**
   * @param onBox receives each whole box with its header. The memory is not used again.
   * @param bytesMax maximum length of a box
   */
  constructor(onBox: (type: string, box: Buffer) => void, bytesMax: number) {
    this.#onBox = onBox
    this.#bytesMax = bytesMax
  }

  /** Takes bytes cut at any position. Returns false if they are not boxes, or a box is too long. */
  push(chunk: Buffer): boolean {
    this.#parts.push(chunk)
    this.#length += chunk.length
    while (this.#length >= (this.#size ?? HEADER)) {
      const bytes = this.#parts.length === 1 ? chunk : Buffer.concat(this.#parts)
      this.#parts = [bytes]
      if (this.#size === undefined) {
        this.#size = bytes.readUInt32BE(0)
        if (this.#size < HEADER || this.#size > this.#bytesMax) return false
        continue
      }
      this.#onBox(bytes.toString('latin1', 4, HEADER), bytes.subarray(0, this.#size))
      chunk = bytes.subarray(this.#size)
      this.#parts = [chunk]
      this.#length = chunk.length
      this.#size = undefined
    }
    return true
  }
}

/** The content of the boxes of a type inside a box, or inside the content of one. */
export function* childrenOf(content: Buffer, type: string): Generator<Buffer> {
  for (let offset = 0; offset + HEADER <= content.length; ) {
    const size = content.readUInt32BE(offset)
    if (size < HEADER) return
    if (content.toString('latin1', offset + 4, offset + HEADER) === type)
      yield content.subarray(offset + HEADER, offset + size)
    offset += size
  }
}

/** The content of the first box at a path of types; undefined if there is none. */
export function contentAt(content: Buffer, ...path: string[]): Buffer | undefined {
  let found: Buffer | undefined = content
  for (const type of path) found = found && childrenOf(found, type).next().value
  return found
}

/**
 * Units per second of the first track.
 * @param moov the box
 */
export function readTimescale(moov: Buffer): number | undefined {
  const header = contentAt(moov, 'moov', 'trak', 'mdia', 'mdhd')
  return header?.readUInt32BE(header[0] === 1 ? 20 : 12)
}

/** Decode times of one track in a fragment, in units of the track. */
export interface FragmentTimes {
  start: number
  /** The end of the last sample. */
  end: number
}

/**
 * The times of track 1. Undefined if the fragment has no samples of it.
 * @param moof the box
 */
export function readFragmentTimes(moof: Buffer): FragmentTimes | undefined {
  for (const traf of childrenOf(contentAt(moof, 'moof') ?? moof, 'traf')) {
    const [header, time] = [contentAt(traf, 'tfhd'), contentAt(traf, 'tfdt')]
    if (header?.readUInt32BE(4) !== 1 || !time) continue
    const start = time[0] === 1 ? Number(time.readBigUInt64BE(4)) : time.readUInt32BE(4)
    let end = start
    for (const run of childrenOf(traf, 'trun')) end += runDuration(run, defaultDuration(header))
    return { start, end }
  }
  return undefined
}

function defaultDuration(tfhd: Buffer): number {
  const flags = tfhd.readUIntBE(1, 3)
  if ((flags & TFHD_DEFAULT_DURATION) === 0) return 0
  return tfhd.readUInt32BE(8 + (flags & TFHD_BASE_DATA_OFFSET ? 8 : 0) + (flags & TFHD_DESCRIPTION_INDEX ? 4 : 0))
}

/** Sum of the durations of the samples of a `trun`. */
function runDuration(trun: Buffer, sampleDuration: number): number {
  const flags = trun.readUIntBE(1, 3)
  const count = trun.readUInt32BE(4)
  if ((flags & TRUN_DURATION) === 0) return count * sampleDuration
  const sampleBytes = 4 * TRUN_SAMPLE_FIELDS.filter((field) => flags & field).length
  let offset = 8 + (flags & TRUN_DATA_OFFSET ? 4 : 0) + (flags & TRUN_FIRST_FLAGS ? 4 : 0)
  let sum = 0
  for (let index = 0; index < count; index++, offset += sampleBytes) sum += trun.readUInt32BE(offset)
  return sum
}

/**
 * Whether a fragment begins with a key frame of a track.
 * @param moof the box
 */
export function beginsWithKeyFrame(moof: Buffer, track: number): boolean {
  for (const traf of childrenOf(contentAt(moof, 'moof') ?? moof, 'traf')) {
    const [header, run] = [contentAt(traf, 'tfhd'), contentAt(traf, 'trun')]
    if (header?.readUInt32BE(4) === track && run && run.readUInt32BE(4) > 0)
      return (firstSampleFlags(header, run) & NOT_SYNC) === 0
  }
  return false
}

function firstSampleFlags(tfhd: Buffer, trun: Buffer): number {
  const flags = trun.readUIntBE(1, 3)
  const offset = 8 + (flags & TRUN_DATA_OFFSET ? 4 : 0)
  if (flags & TRUN_FIRST_FLAGS) return trun.readUInt32BE(offset)
  if (flags & TRUN_FLAGS)
    return trun.readUInt32BE(offset + (flags & TRUN_DURATION ? 4 : 0) + (flags & TRUN_SIZE ? 4 : 0))
  return defaultFlags(tfhd)
}

function defaultFlags(tfhd: Buffer): number {
  const flags = tfhd.readUIntBE(1, 3)
  if ((flags & TFHD_DEFAULT_FLAGS) === 0) return 0
  const fields = [TFHD_DESCRIPTION_INDEX, TFHD_DEFAULT_DURATION, TFHD_DEFAULT_SIZE].filter((field) => flags & field)
  return tfhd.readUInt32BE(8 + (flags & TFHD_BASE_DATA_OFFSET ? 8 : 0) + 4 * fields.length)
}
