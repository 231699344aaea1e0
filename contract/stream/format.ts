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
