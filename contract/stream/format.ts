import type { ConfiguredFormat, StreamFormat } from './format.schema.ts'

export type { AudioFormat, ConfiguredFormat, StreamFormat, VideoFormat } from './format.schema.ts'

/** The largest relative difference between a configured and a measured frame rate: 59.94 is 60, but 24 is not 25. */
const FPS_TOLERANCE = 0.02

/** The parts of a configuration from which the format that arrives differs. */
export function differingFormat(
  { video, audio, program }: StreamFormat,
  configured: ConfiguredFormat
): ConfiguredFormat {
  const { width, height, fps, channels, program: selected } = configured
  const hasOtherSize = width && video?.width && (width !== video.width || height !== video.height)
  const hasOtherRate = fps && video?.fps && Math.abs(video.fps / fps - 1) > FPS_TOLERANCE
  const hasOtherAudio = channels && audio[0]?.channels && channels !== audio[0].channels
  return {
    ...(hasOtherSize && { width, height }),
    ...(hasOtherRate && { fps }),
    ...(hasOtherAudio && { channels }),
    ...(selected && selected !== program && { program: selected })
  }
}
