// The format of a stream that arrives at an input, as the hub reads it from the stream itself (docs/wire.md, "Channels").

export interface VideoFormat {
  /** Name of the codec, such as `H.264`, `HEVC` or `MPEG-2`. */
  codec: string
  /** Name of the profile, such as `High` or `Main 10`. */
  profile?: string
  /** Such as `4.1`. */
  level?: string
  /** Size of the picture in pixels. */
  width?: number
  height?: number
  /** Frames per second, with at most two decimals: 29.97. Two fields are one frame. */
  fps?: number
  interlaced?: true
  /** Seconds between two key frames, with at most one decimal. */
  'key-interval-s'?: number
}

export interface AudioFormat {
  /** Name of the codec, such as `AAC`, `MP2` or `AC-3`. */
  codec: string
  /** Number of audio channels; the low-frequency channel counts. */
  channels?: number
  /** Samples per second. */
  'sample-rate'?: number
}

/** The configuration of an input, as far as the hub knows it, to compare with what arrives. A field is absent if it is unknown or not set. */
export interface ConfiguredFormat {
  /** Settings of the encoder of a device: size of the picture in pixels, frames per second, audio channels. */
  width?: number
  height?: number
  fps?: number
  channels?: number
  /** Number of the program that is selected. */
  program?: number
}

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

/** A field is absent as long as it is unknown. */
export interface StreamFormat {
  /** Absent if the stream has no video. */
  video?: VideoFormat
  /** The audio tracks in the order of the program. */
  audio: AudioFormat[]
  /** Number of the program that is received; the first one if none is selected. */
  program: number
  /** How many programs the source has. */
  programs: number
}
