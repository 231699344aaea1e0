// Names of the codecs that MPEG-TS carries.
import type { ElementaryStream } from './tables.ts'

/** By stream type: ISO/IEC 13818-1, table 2-34, and SMPTE RP 227 for VC-1. */
const VIDEO: Readonly<Record<number, string>> = {
  1: 'MPEG-1',
  2: 'MPEG-2',
  16: 'MPEG-4',
  27: 'H.264',
  32: 'H.264 MVC',
  33: 'JPEG 2000',
  36: 'HEVC',
  51: 'VVC',
  66: 'AVS',
  234: 'VC-1'
}

/** By stream type: ISO/IEC 13818-1, table 2-34, and ATSC A/53. */
const AUDIO: Readonly<Record<number, string>> = {
  3: 'MPEG audio',
  4: 'MPEG audio',
  15: 'AAC',
  17: 'AAC LATM',
  28: 'AAC',
  45: 'MPEG-H',
  129: 'AC-3',
  130: 'DTS',
  135: 'E-AC-3'
}

/**
 * Stream type of private data, whose codec is named by a descriptor: by its tag (ETSI EN 300 468, 6.3), or by a
 * registration.
 */
const PRIVATE_DATA = 6
const REGISTRATION = 5
const PRIVATE_AUDIO: Readonly<Record<number, string>> = { 106: 'AC-3', 122: 'E-AC-3', 123: 'DTS', 124: 'AAC' }
const REGISTERED_AUDIO: Readonly<Record<string, string>> = {
  Opus: 'Opus',
  BSSD: 'SMPTE 302M',
  'AC-3': 'AC-3',
  EAC3: 'E-AC-3'
}

/** Name of the codec of video; undefined for other streams. */
export const videoCodecName = ({ type }: ElementaryStream): string | undefined => VIDEO[type]

/** Name of the codec of audio; undefined for other streams. */
export function audioCodecName({ type, descriptors }: ElementaryStream): string | undefined {
  if (type !== PRIVATE_DATA) return AUDIO[type]
  for (let offset = 0; offset + 2 <= descriptors.length; offset += 2 + (descriptors[offset + 1] ?? 0)) {
    const tag = descriptors[offset] ?? 0
    const name =
      tag === REGISTRATION
        ? REGISTERED_AUDIO[descriptors.toString('latin1', offset + 2, offset + 6)]
        : PRIVATE_AUDIO[tag]
    if (name) return name
  }
  return undefined
}
