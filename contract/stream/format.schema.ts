// Schemas of stream/format.
import * as z from 'zod'
import { own } from '../fields.schema.ts'

/**
 * The configuration of an input, as far as the hub knows it, to compare with what arrives. A field is absent if it is
 * unknown or not set.
 */
export const ConfiguredFormat = z.object({
  width: z.number().optional().describe('Encoder of a device: width of the picture in pixels'),
  height: z.number().optional().describe('Encoder of a device: height of the picture in pixels'),
  fps: z.number().optional().describe('Encoder of a device: frames per second'),
  channels: z.number().optional().describe('Encoder of a device: number of audio channels'),
  program: z.number().optional().describe('Number of the program that is selected')
})
export const VideoFormat = z.object({
  codec: z.string().describe('Name of the codec, such as `H.264`, `HEVC` or `MPEG-2`'),
  profile: z.string().optional().describe('Name of the profile, such as `High` or `Main 10`'),
  level: z.string().optional().describe('Level of the codec, such as `4.1`'),
  width: z.number().optional().describe('Width of the picture in pixels'),
  height: z.number().optional().describe('Height of the picture in pixels'),
  fps: z.number().optional().describe('Frames per second, with at most two decimals: 29.97. Two fields are one frame'),
  interlaced: z.literal(true).optional().describe('`true`: two fields make a frame'),
  'key-interval-s': z.number().optional().describe('Seconds between two key frames, with at most one decimal')
})
export const AudioFormat = z.object({
  codec: z.string().describe('Name of the codec, such as `AAC`, `MP2` or `AC-3`'),
  channels: z.number().optional().describe('Number of audio channels; the low-frequency channel counts'),
  'sample-rate': z.number().optional().describe('Samples per second')
})
/** A field is absent as long as it is unknown. */
export const StreamFormat = z.object({
  video: VideoFormat.optional().meta(
    own(
      '`codec` (name, such as `H.264`), `profile`, `level`, `width`, `height`, `fps` (measured; two fields are one frame), `interlaced`, `key-interval-s` (seconds between key frames). Absent if the stream has no video'
    )
  ),
  audio: z.array(AudioFormat).meta(own('For each track `codec`, `channels`, `sample-rate`')),
  'not-carried': z
    .array(z.string())
    .optional()
    .meta(
      own(
        'Codecs of the tracks that MPEG-TS cannot carry, such as `pcm_mulaw`: receivers do not play them. Absent if there are none'
      )
    ),
  program: z.number().meta(own('MPEG-TS: number of the program that is received, 1-65535')),
  programs: z.number().meta(own('MPEG-TS: number of programs that the source has'))
})

export type ConfiguredFormat = z.infer<typeof ConfiguredFormat>
export type VideoFormat = z.infer<typeof VideoFormat>
export type AudioFormat = z.infer<typeof AudioFormat>
export type StreamFormat = z.infer<typeof StreamFormat>
