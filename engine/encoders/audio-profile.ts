// How the audio of an output is encoded, and the arguments of ffmpeg for that.
import type { WantedOutput } from '../interfaces/channel.ts'
import { bufferArgs } from '../mpegts/buffer-args.ts'

/** An encoder serves all outputs of a channel whose profiles are equal. */
export interface AudioProfile {
  isMono: boolean
  /** Number of the audio track, from 1; 0: all. */
  track: number
  /** dB. */
  gain: number
  /** Milliseconds by which the sound is later. */
  delay: number
}

const KBPS = 128
const SAMPLE_RATE = 48_000
/** Stream types of audio, private data included, and of AAC with ADTS (ISO/IEC 13818-1, table 2-34; ATSC A/53). */
const AUDIO_TYPES = new Set([3, 4, 6, 15, 17, 28, 45, 129, 130, 135])
const AAC = 15

/** The profile of an output; undefined if it gets the audio as it is. */
export function audioProfile({ config }: WantedOutput): AudioProfile | undefined {
  if (!('audio' in config) || config.audio === undefined || config.audio === 'as-is') return undefined
  const { audio, 'audio-track': track = 0, 'audio-gain': gain = 0, 'audio-delay': delay = 0 } = config
  return { isMono: audio === 'aac-mono', track, gain, delay }
}

/** Equal for equal profiles. */
export const profileKey = ({ isMono, track, gain, delay }: AudioProfile): string =>
  JSON.stringify([isMono, track, gain, delay])

/**
 * Arguments of an ffmpeg that reads MPEG-TS from stdin and writes it to stdout, with the same timestamps.
 * @param types stream types of the source; empty if they are not known. Tracks that are all AAC are only copied, unless
 * something of them changes.
 */
export function encoderArgs(profile: AudioProfile, types: readonly number[]): string[] {
  const { isMono, track, gain, delay } = profile
  const audio = types.filter((type) => AUDIO_TYPES.has(type))
  const isUnchanged = !isMono && gain === 0 && delay === 0
  const isCopied = isUnchanged && audio.length > 0 && audio.every((type) => type === AAC)
  return [
    ...['-hide_banner', '-nostdin', '-nostats', '-v', 'warning', '-threads', '1'],
    ...['-probesize', '5000000', '-analyzeduration', '1000000', '-fpsprobesize', '0', '-copyts', '-f', 'mpegts'],
    ...['-i', 'pipe:0', '-map', '0:v?', '-map', track === 0 ? '0:a?' : `0:a:${track - 1}`, '-c:v', 'copy'],
    ...(isCopied ? ['-c:a', 'copy'] : aacArgs(profile)),
    ...['-f', 'mpegts', ...bufferArgs(), '-max_interleave_delta', '500000', '-flush_packets', '1', 'pipe:1']
  ]
}

function aacArgs({ isMono, gain, delay }: AudioProfile): string[] {
  const filters = [
    'aresample=async=1000',
    ...(gain === 0 ? [] : [`volume=${gain}dB`]),
    ...(delay === 0 ? [] : [`adelay=${delay}:all=1`])
  ]
  return [
    // The fast search takes half of the processor time of the default one.
    ...['-c:a', 'aac', '-aac_coder', 'fast', '-b:a', `${KBPS}k`, '-ar', String(SAMPLE_RATE)],
    ...['-ac', isMono ? '1' : '2', '-af', filters.join()]
  ]
}
