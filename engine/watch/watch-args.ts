// The command that remuxes MPEG-TS into fragmented MP4 with little delay.
import { audioCodecName } from '../mpegts/codec-names.ts'
import { VIDEO_CODECS } from '../mpegts/start-points.ts'
import type { ElementaryStream, TsProgram } from '../mpegts/tables.ts'

const AAC = 15
const HEVC = 36

const INPUT = [
  ...['-hide_banner', '-nostdin', '-nostats', '-v', 'error', '-fflags', 'nobuffer', '-dts_delta_threshold', '1'],
  ...['-probesize', '2000000', '-analyzeduration', '1000000', '-fpsprobesize', '0', '-f', 'mpegts', '-i', 'pipe:0']
]
const OUTPUT = [
  // Five fragments a second, and one more at each key frame, so that a watcher can begin there.
  ...['-movflags', 'frag_keyframe+delay_moov+empty_moov+default_base_moof+skip_trailer', '-frag_duration', '200000'],
  // Video does not wait for audio that is missing or late.
  ...['-max_interleave_delta', '500000', '-use_editlist', '0', '-flush_packets', '1', '-f', 'mp4', 'pipe:1']
]

const isVideo = ({ type }: ElementaryStream) => VIDEO_CODECS[type] !== undefined

/** Arguments of ffmpeg: the first video, and the first audio track of AAC, the one codec of broadcasting that all browsers play. */
export function buildWatchArgs({ streams }: TsProgram): string[] {
  const video = streams.find(isVideo)
  const audio = streams.find(({ type }) => type === AAC)
  return [
    ...INPUT,
    ...(video ? ['-map', `0:i:${video.pid}`] : []),
    ...(audio ? ['-map', `0:i:${audio.pid}`, '-bsf:a', 'aac_adtstoasc'] : []),
    ...['-c', 'copy', ...(video?.type === HEVC ? ['-tag:v', 'hvc1'] : [])],
    ...OUTPUT
  ]
}

/** Whether the program has a stream that is repackaged. */
export const hasPlayableStream = ({ streams }: TsProgram): boolean =>
  streams.some((stream) => isVideo(stream) || stream.type === AAC)

/** Name of the codec of the first audio track; undefined if there is no audio, or if one of the tracks is repackaged. */
export function nameMissingAudio({ streams }: TsProgram): string | undefined {
  return streams.some(({ type }) => type === AAC)
    ? undefined
    : streams.map(audioCodecName).find((name) => name !== undefined)
}
