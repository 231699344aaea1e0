// Reads channels and sample rate from the headers of audio frames: AAC in ADTS, MPEG audio, AC-3 and E-AC-3.
import type { AudioFormat } from '../../contract/stream/format.ts'

const AAC_RATES = [96_000, 88_200, 64_000, 48_000, 44_100, 32_000, 24_000, 22_050, 16_000, 12_000, 11_025, 8000, 7350]
/** ISO/IEC 14496-3, table 1.19. 0: defined elsewhere. */
const AAC_CHANNELS = [0, 1, 2, 3, 4, 5, 6, 8]
const MPEG_RATES = [44_100, 48_000, 32_000]
const AC3_RATES = [48_000, 44_100, 32_000]
/** By `acmod`, without the low-frequency channel (ETSI TS 102 366, table 4.3). */
const AC3_CHANNELS = [2, 1, 2, 3, 3, 4, 4, 5]
/** Highest `bsid` of AC-3, and bit positions of the low-frequency flag by `acmod`. */
const AC3_BSID_MAX = 10

/**
 * @param codec its name, as `audioCodecName` gives it
 * @param bytes the first bytes of an audio packet. They need not begin with a frame
 * @returns undefined if there is no header in them
 */
export function readAudioHeaders(codec: string, bytes: Buffer): AudioFormat | undefined {
  for (let offset = 0; offset + 8 <= bytes.length; offset++) {
    const found = readFrame(codec, bytes.subarray(offset))
    if (found) return found
  }
  return undefined
}

function readFrame(codec: string, frame: Buffer): AudioFormat | undefined {
  const [first = 0, second = 0] = frame
  if (codec === 'AAC') return first === 0xff && (second & 0xf6) === 0xf0 ? readAdts(frame) : undefined
  if (codec === 'MPEG audio') return first === 0xff && (second & 0xe0) === 0xe0 ? readMpegAudio(frame) : undefined
  if (codec === 'AC-3' || codec === 'E-AC-3') return first === 0x0b && second === 0x77 ? readAc3(frame) : undefined
  return undefined
}

/** ISO/IEC 13818-7, 6.2. */
function readAdts([, , third = 0, fourth = 0]: Buffer): AudioFormat | undefined {
  const rate = AAC_RATES[(third >> 2) & 15]
  const channels = AAC_CHANNELS[((third & 1) << 2) | (fourth >> 6)]
  return rate ? { codec: 'AAC', ...(channels && { channels }), 'sample-rate': rate } : undefined
}

/** ISO/IEC 11172-3, 2.4.1.3, and ISO/IEC 13818-3 for the lower sample rates. */
function readMpegAudio([, second = 0, third = 0, fourth = 0]: Buffer): AudioFormat | undefined {
  const [version, layer] = [(second >> 3) & 3, (second >> 1) & 3]
  const rate = MPEG_RATES[(third >> 2) & 3]
  if (!rate || version === 1 || layer === 0 || third >> 4 === 15) return undefined
  return {
    codec: `MP${4 - layer}`,
    channels: fourth >> 6 === 3 ? 1 : 2,
    'sample-rate': version === 3 ? rate : version === 2 ? rate / 2 : rate / 4
  }
}

/** ETSI TS 102 366, 4.4.1 and annex E. */
function readAc3(frame: Buffer): AudioFormat | undefined {
  const bsid = (frame[5] ?? 0) >> 3
  if (bsid <= AC3_BSID_MAX) {
    const rate = AC3_RATES[(frame[4] ?? 0) >> 6]
    const mode = (frame[6] ?? 0) >> 5
    // Mix levels come before the low-frequency flag, depending on the mode.
    const skipped = (mode & 1 && mode !== 1 ? 2 : 0) + (mode & 4 ? 2 : 0) + (mode === 2 ? 2 : 0)
    const lowFrequency = (frame.readUInt16BE(6) >> (12 - skipped)) & 1
    return rate ? { codec: 'AC-3', channels: (AC3_CHANNELS[mode] ?? 0) + lowFrequency, 'sample-rate': rate } : undefined
  }
  const fourth = frame[4] ?? 0
  const rate = AC3_RATES[fourth >> 6] ?? (AC3_RATES[(fourth >> 4) & 3] ?? 0) / 2
  const mode = (fourth >> 1) & 7
  return { codec: 'E-AC-3', channels: (AC3_CHANNELS[mode] ?? 0) + (fourth & 1), 'sample-rate': rate }
}
