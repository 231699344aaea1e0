// The lines of a digest as the cloud reads them. A hub is a stranger: every text, list and number has a limit. Codes
// that a later release of the hub has added are read as the most general one.
import * as z from 'zod'
import { HealthNumbers, HealthReason, NextStep } from '../health.schema.ts'
import { CHANNEL_VERDICTS, HUB_VERDICTS } from '../health.ts'
import { PROBLEM_NOTE_MAX } from '../limits.ts'
import { Acknowledgement, Problem, ProblemKind } from '../problem.schema.ts'
import { DIGEST_CHANNELS_MAX, DIGEST_PROBLEMS_MAX, DIGEST_TEXT_MAX, type DigestLine } from './digest.ts'

/** Objects that are counted, at most. */
const COUNT_MAX = 1_000_000

/** Text without control characters, which the page shows as it is. */
const text = (max: number) =>
  z
    .string()
    .max(max)
    .regex(/^[^\p{C}\p{Zl}\p{Zp}]*$/u)
const name = text(2 * DIGEST_TEXT_MAX)
const id = z.int().min(0).max(Number.MAX_SAFE_INTEGER)
const count = z.int().min(0).max(COUNT_MAX)
const time = z.int().min(0).max(8.64e15)
const problemId = z.string().regex(/^[\w-]{1,96}$/)
const reason = HealthReason.catch('failed')
const nextStep = NextStep.optional().catch(undefined)
const number = z.number().min(0).max(1e9).optional()

const numbers = Object.fromEntries(Object.keys(HealthNumbers.shape).map((key) => [key, number])) as Record<
  keyof typeof HealthNumbers.shape,
  typeof number
>

const DigestHubShape = z.object({
  name,
  version: text(32),
  health: z.object({
    verdict: z.enum(HUB_VERDICTS).catch('warning'),
    since: time.optional(),
    reason: reason.optional(),
    'next-step': nextStep
  }),
  counts: z.object({
    channels: count,
    verdicts: z.partialRecord(z.enum(CHANNEL_VERDICTS), count),
    devices: count,
    'devices-offline': count,
    bad: count,
    warn: count
  })
})

const DigestProblemShape = z.object({
  ...numbers,
  id: problemId,
  kind: ProblemKind.catch('machine'),
  severity: Problem.shape.severity,
  name: name.optional(),
  since: time,
  reason,
  'next-step': nextStep,
  channel: id.optional(),
  'channel-name': name.optional(),
  output: id.optional(),
  sn: text(64).optional(),
  ack: z.object({ ...Acknowledgement.shape, by: name, at: time, note: text(PROBLEM_NOTE_MAX) }).optional()
})

export const DigestLineShape: z.ZodType<DigestLine> = z.object({
  now: time,
  standby: z.literal(true).optional(),
  reset: z.literal(true).optional(),
  more: z.literal(true).optional(),
  hub: DigestHubShape.optional(),
  problems: z.array(DigestProblemShape).max(DIGEST_PROBLEMS_MAX).optional(),
  ended: z.array(problemId).max(DIGEST_PROBLEMS_MAX).optional(),
  channels: z
    .array(z.object({ id, name, verdict: z.enum(CHANNEL_VERDICTS), since: time.optional() }))
    .max(DIGEST_CHANNELS_MAX)
    .optional(),
  gone: z.array(id).max(DIGEST_CHANNELS_MAX).optional()
})
