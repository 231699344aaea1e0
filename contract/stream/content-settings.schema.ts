// Settings of the checks of a channel's content (contract/stream/content-checks.ts).
import * as z from 'zod'
import { wholeNumber } from '../fields.schema.ts'
import {
  CODEC_NAME_MAX,
  CONTENT_AFTER,
  FPS_MAX,
  LOUDNESS_LEVEL,
  PICTURE_SIZE_MAX,
  SILENCE_LEVEL,
  SOUND_CHANNELS_MAX
} from '../limits.ts'

const check = z.object({
  enable: z.boolean(),
  'after-s': wholeNumber(CONTENT_AFTER.min, CONTENT_AFTER.max),
  failover: z.boolean()
})

const loudness = check.extend({
  level: z.number().min(LOUDNESS_LEVEL.min).max(LOUDNESS_LEVEL.max).meta({ example: -14 })
})

const codec = z.string().min(1).max(CODEC_NAME_MAX)

/** What an input should be. An absent member may have any value. */
const expectedFormat = z.object({
  width: wholeNumber(1, PICTURE_SIZE_MAX).optional(),
  height: wholeNumber(1, PICTURE_SIZE_MAX).optional(),
  fps: z.number().min(1).max(FPS_MAX).optional(),
  'video-codec': codec.optional(),
  'audio-codec': codec.optional(),
  channels: wholeNumber(1, SOUND_CHANNELS_MAX).optional()
})

export const contentSettings = z.object({
  black: check,
  frozen: check,
  silent: check.extend({ level: z.number().min(SILENCE_LEVEL.min).max(SILENCE_LEVEL.max).meta({ example: -60 }) }),
  'unexpected-format': check.extend({ expected: expectedFormat }),
  'phase-inverted': check,
  clipped: check,
  loud: loudness,
  quiet: loudness
})

export type ContentSettings = z.infer<typeof contentSettings>
export type ExpectedFormat = z.infer<typeof expectedFormat>

export const DEFAULT_CONTENT_SETTINGS: ContentSettings = {
  black: { enable: true, 'after-s': 10, failover: false },
  // Slides are normal.
  frozen: { enable: true, 'after-s': 60, failover: false },
  silent: { enable: true, 'after-s': 15, failover: false, level: SILENCE_LEVEL.default },
  'unexpected-format': { enable: false, 'after-s': 5, failover: false, expected: {} },
  'phase-inverted': { enable: false, 'after-s': 10, failover: false },
  clipped: { enable: false, 'after-s': 10, failover: false },
  // EBU R 128 s1: programmes have -23 LUFS, and short ones at most -18 LUFS short-term.
  loud: { enable: false, 'after-s': 10, failover: false, level: -14 },
  quiet: { enable: false, 'after-s': 30, failover: false, level: -40 }
}
