// Schemas of health.
import * as z from 'zod'
import { own } from './fields.schema.ts'
import {
  CHANNEL_VERDICTS,
  DEVICE_VERDICTS,
  HEALTH_REASONS,
  HUB_VERDICTS,
  INPUT_VERDICTS,
  NEXT_STEPS
} from './health.ts'

/** Numbers of a verdict. Each is present if it is not 0. */
export const HealthNumbers = z.object({
  backup: z.number().optional().meta(own('Number of the backup input on air, 1-8')),
  'returns-in-s': z
    .number()
    .optional()
    .meta(own('Seconds after which the main input, which has media again, returns by itself')),
  'audio-track': z.number().optional().meta(own('Number of the audio track that is lost, if the source has several')),
  outputs: z.number().optional().meta(own('Number of enabled outputs')),
  'outputs-failed': z
    .number()
    .optional()
    .meta(
      own('Number of enabled outputs that are down. A channel that is `waiting` or `starting` does not count them')
    ),
  'loss-percent': z.number().optional().meta(own('Percent of the packets of the last 10 s that were lost')),
  discontinuities: z.number().optional().meta(own('Number of discontinuities of the stream in the last 10 s'))
})
export const HealthReason = z.enum(HEALTH_REASONS)
export const NextStep = z.enum(NEXT_STEPS)
function healthOf<const Verdict extends string>(verdicts: readonly Verdict[]) {
  return z.object({
    ...HealthNumbers.shape,
    verdict: z
      .enum(verdicts)
      .meta(
        own(
          'Channels and outputs: `on-air`, `degraded`, `down`, `waiting` (for a peer that connects by itself), `starting`, `stopped`; inputs also `standby`. Devices: `online`, `warning`, `offline`, `updating`, `pending`, `rejected`'
        )
      ),
    since: z
      .int()
      .optional()
      .meta(
        own(
          'When the verdict began, in milliseconds since the epoch. `on-air`: since when without interruption, including the time degraded'
        )
      ),
    reason: HealthReason.optional().meta(own('Code of the worst cause (`HEALTH_REASONS` in `contract/health.ts`)')),
    'next-step': NextStep.optional().meta(own('Code of what to do (`NEXT_STEPS`)')),
    message: z.string().optional().meta(own("The hub's own words: first line why, further lines what to do"))
  })
}
/** Health of a channel or an output. */
export const ChannelHealth = healthOf(CHANNEL_VERDICTS)
export const InputHealth = healthOf(INPUT_VERDICTS)
export const DeviceHealth = healthOf(DEVICE_VERDICTS)
export const HubHealth = healthOf(HUB_VERDICTS)

/** Numbers above which a channel is degraded. */
export const HealthBounds = z.object({
  'loss-percent': z.number().describe('Percent of the packets of the last 10 s that may be lost, 0-100'),
  discontinuities: z.number().describe('Discontinuities within 10 s that are tolerated, 0-1000')
})

export type HealthNumbers = z.infer<typeof HealthNumbers>
export type HealthReason = z.infer<typeof HealthReason>
export type NextStep = z.infer<typeof NextStep>
export type HealthBounds = z.infer<typeof HealthBounds>
