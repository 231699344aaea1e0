// The command that remuxes MPEG-TS with HEVC into fragmented MP4.
import { type ElementaryStream, readTables } from '../mpegts/tables.ts'

const AAC = 15
/** Stream types of audio that MP4 carries: MPEG-1, MPEG-2, AAC with ADTS, AC-3 and E-AC-3. */
const AUDIO_TYPES = new Set([3, 4, AAC, 129, 135])
/** DVB marks AC-3 and E-AC-3 by descriptors of a stream of private data. */
const PRIVATE_DATA = 6
const DVB_AUDIO_TAGS = new Set([0x6a, 0x7a])

const INPUT = [
  ...['-hide_banner', '-nostdin', '-nostats', '-v', 'warning'],
  ...['-probesize', '5000000', '-analyzeduration', '3000000', '-fpsprobesize', '0', '-f', 'mpegts', '-i', 'pipe:0']
]
const OUTPUT = [
  // A fragment ends at each key frame, or after 30 seconds without one, which bounds memory.
  ...['-movflags', 'frag_keyframe+empty_moov+default_base_moof+delay_moov+skip_trailer', '-frag_duration', '30000000'],
  // Not every player applies edit lists. Without them the first packet of a track that starts late is made longer.
  ...['-use_editlist', '0', '-flush_packets', '1', '-f', 'mp4', 'pipe:1']
]

/** Arguments of ffmpeg for a stream with these tables. Audio that MP4 does not carry, subtitles and data are left out. */
export function buildRemuxArgs(tables: Buffer): string[] {
  const audio = readTables(tables)?.streams.filter(isCarriedAudio) ?? []
  return [
    ...INPUT,
    ...['-map', '0:v:0', ...audio.flatMap(({ pid }) => ['-map', `0:i:${pid}`]), '-c', 'copy', '-tag:v', 'hvc1'],
    ...audio.flatMap(({ type }, index) => (type === AAC ? [`-bsf:a:${index}`, 'aac_adtstoasc'] : [])),
    ...OUTPUT
  ]
}

function isCarriedAudio({ type, descriptors }: ElementaryStream): boolean {
  if (type !== PRIVATE_DATA) return AUDIO_TYPES.has(type)
  for (let offset = 0; offset + 2 <= descriptors.length; offset += 2 + (descriptors[offset + 1] ?? 0))
    if (DVB_AUDIO_TAGS.has(descriptors[offset] ?? 0)) return true
  return false
}
