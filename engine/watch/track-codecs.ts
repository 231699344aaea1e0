// Names the codecs of fragmented MP4 as RFC 6381 does, so that a browser can say whether it plays them.
import { childrenOf, contentAt } from '../hls/boxes.ts'

export interface Track {
  id: number
  isVideo: boolean
  /** Such as `avc1.64001f`, `hvc1.1.6.L93.B0`, `mp4a.40.2` or `opus`. */
  codec: string
}

/** Offsets in the content of a sample entry at which its boxes begin (ISO/IEC 14496-12, 12.1.3 and 12.2.3). */
const VIDEO_ENTRY = 78
const AUDIO_ENTRY = 28
/** Bytes of version and flags, which begin a full box; the sample description has a count besides. */
const FULL_BOX = 4
const SAMPLE_DESCRIPTION = 8
const BOX_HEADER = 8
/** Tags of the descriptors in `esds` (ISO/IEC 14496-1, 7.2.6). */
const ES_DESCRIPTOR = 3
const DECODER_CONFIG = 4
const DECODER_SPECIFIC = 5
/** Bytes of an ES descriptor and of a decoder configuration before the descriptors in them. */
const ES_FIELDS = 3
const DECODER_FIELDS = 13
const AAC_OBJECT = 0x40

/** The tracks of an initialization segment. @param moov the box */
export function readTracks(moov: Buffer): Track[] {
  const content = contentAt(moov, 'moov')
  if (!content) return []
  return [...childrenOf(content, 'trak')].flatMap((trak) => readTrack(trak) ?? [])
}

function readTrack(trak: Buffer): Track | undefined {
  const header = contentAt(trak, 'tkhd')
  const kind = contentAt(trak, 'mdia', 'hdlr')?.toString('latin1', 8, 12)
  const description = contentAt(trak, 'mdia', 'minf', 'stbl', 'stsd')
  if (!header || !description || (kind !== 'vide' && kind !== 'soun')) return undefined
  const entry = description.subarray(SAMPLE_DESCRIPTION)
  const isVideo = kind === 'vide'
  const type = entry.toString('latin1', 4, BOX_HEADER)
  const boxes = entry.subarray(BOX_HEADER + (isVideo ? VIDEO_ENTRY : AUDIO_ENTRY))
  return { id: header.readUInt32BE(header[0] === 1 ? 20 : 12), isVideo, codec: codecName(type, boxes) }
}

/** @param type of the sample entry @param boxes those in it */
function codecName(type: string, boxes: Buffer): string {
  const avc = contentAt(boxes, 'avcC')
  if (avc) return `${type}.${avc.toString('hex', 1, 4)}`
  const hevc = contentAt(boxes, 'hvcC')
  if (hevc) return `${type}.${hevcName(hevc)}`
  // Browsers know the name in lower case.
  if (type === 'Opus') return 'opus'
  const esds = contentAt(boxes, 'esds')
  return esds ? `${type}.${objectName(esds.subarray(FULL_BOX))}` : type
}

/** ISO/IEC 14496-15, annex E.3. */
function hevcName(configuration: Buffer): string {
  const [, profile = 0] = configuration
  const compatibility = reverseBits(configuration.readUInt32BE(2)).toString(16)
  const constraints = [...configuration.subarray(6, 12)]
  while (constraints.at(-1) === 0) constraints.pop()
  return [
    `${['', 'A', 'B', 'C'][profile >> 6]}${profile & 31}`,
    compatibility,
    `${profile & 0x20 ? 'H' : 'L'}${configuration[12]}`,
    ...constraints.map((byte) => byte.toString(16).toUpperCase())
  ].join('.')
}

function reverseBits(value: number): number {
  let reversed = 0
  for (let bit = 0; bit < 32; bit++) if (value & (1 << bit)) reversed |= 1 << (31 - bit)
  return reversed >>> 0
}

/** The object type, and for AAC its audio object type: `40.2`. */
function objectName(descriptors: Buffer): string {
  const decoder = findDescriptor(findDescriptor(descriptors, ES_DESCRIPTOR)?.subarray(ES_FIELDS), DECODER_CONFIG)
  if (!decoder) return ''
  const object = decoder[0] ?? 0
  const [first = 0, second = 0] = findDescriptor(decoder.subarray(DECODER_FIELDS), DECODER_SPECIFIC) ?? []
  if (object !== AAC_OBJECT) return object.toString(16)
  const audioObject = first >> 3 === 31 ? 32 + ((first & 7) << 3) + (second >> 5) : first >> 3
  return `40.${audioObject || 2}`
}

/** The content of the first descriptor with a tag. */
function findDescriptor(bytes: Buffer | undefined, tag: number): Buffer | undefined {
  for (let offset = 0; bytes && offset + 2 <= bytes.length; ) {
    const found = bytes[offset++]
    let length = 0
    for (let more = true; more; ) {
      const byte = bytes[offset++] ?? 0
      length = (length << 7) | (byte & 0x7f)
      more = (byte & 0x80) !== 0
    }
    if (found === tag) return bytes.subarray(offset, offset + length)
    offset += length
  }
  return undefined
}
