// Serializes the verdicts on a channel and its legs for a caller: in the caller's language, and without the reasons of
// devices that the caller may not see.
import type { Health, HealthReason } from '../../../contract/health.ts'
import type { InputAssessment } from '../../../contract/stream/channel-health.ts'
import type { ChannelInput, ChannelOutput } from '../../../contract/stream/leg.schema.ts'
import type { AssessedChannel } from '../../health/channel-verdicts.ts'
import type { AssessedLeg } from '../../health/tracked-leg.ts'
import { type Culprit, healthMessage } from '../../messages/health.ts'
import type { Language } from '../../messages/language.ts'

/** Failed outputs that are named in the message of a channel. */
const NAMED_OUTPUTS_MAX = 3

/** Causes that only failed outputs explain further. */
const ABOUT_OUTPUTS: readonly HealthReason[] = [
  'outputs-failed',
  'manual-backup',
  'manual-slate',
  'main-video-lost',
  'main-audio-lost',
  'main-no-signal',
  'main-bad-content',
  'main-back',
  'main-returns'
]

const SILENT: readonly string[] = ['on-air', 'standby', 'stopped']

const sinceField = (since: number | undefined) => since !== undefined && { since }

/** The health of an input or output. @param hidden whether it is a device that the caller may not see */
function serializeLegHealth<Assessment extends InputAssessment>(
  language: Language,
  { assessment, since, failure }: AssessedLeg<Assessment>,
  hidden: boolean
): Health<Assessment['verdict']> {
  const { reason, 'next-step': step, ...rest } = assessment
  if (hidden) return { ...rest, ...sinceField(since) }
  const message =
    SILENT.includes(rest.verdict) || reason === 'hub-busy'
      ? undefined
      : healthMessage(language, assessment, [{ failure }])
  return {
    ...rest,
    ...sinceField(since),
    ...(reason && { reason }),
    ...(step && { 'next-step': step }),
    ...(message && { message })
  }
}

/** What a caller sees of the legs of a channel. */
interface VisibleLegs {
  input: ChannelInput | null
  backups: ChannelInput[]
  outputs: ChannelOutput[]
}

/** Adds the health of each leg, and that of the channel. @param assessed undefined if the channel was deleted */
export function addHealth(
  language: Language,
  assessed: AssessedChannel | undefined,
  legs: VisibleLegs
): VisibleLegs & { health?: Health } {
  if (!assessed) return legs
  const healthOf = <Assessment extends InputAssessment>(
    leg: AssessedLeg<Assessment> | undefined,
    { hidden = false }: { hidden?: boolean }
  ): Health<Assessment['verdict']> | { verdict: 'stopped' } =>
    // The engine does not know an NDI output that is switched off.
    leg ? serializeLegHealth(language, leg, hidden) : { verdict: 'stopped' }
  return {
    health: serializeChannelHealth(language, assessed, legs),
    input: legs.input && { ...legs.input, health: healthOf(assessed.input, legs.input) },
    backups: legs.backups.map((leg) => ({ ...leg, health: healthOf(assessed.backups.get(leg.id), leg) })),
    outputs: legs.outputs.map((leg) => ({ ...leg, health: healthOf(assessed.outputs.get(leg.id), leg) }))
  }
}

/** An HLS output while HLS is switched off for the whole hub. One that is switched off itself needs no other reason. */
export function withHlsOff(output: ChannelOutput): ChannelOutput {
  const { enable, health } = output
  return enable && health ? { ...output, health: { ...health, reason: 'hls-off', 'next-step': 'enable-hls' } } : output
}

/** The health of a channel. */
function serializeChannelHealth(language: Language, assessed: AssessedChannel, legs: VisibleLegs): Health {
  const { assessment, since } = assessed
  const active = assessment.backup ? legs.backups[assessment.backup - 1] : legs.input
  const isAboutInput = assessment.verdict === 'down' && assessment.reason !== 'outputs-failed'
  const shown = { ...assessment }
  if (isAboutInput && active?.hidden) {
    shown.reason = 'no-input'
    shown['next-step'] = 'check-source'
  }
  const message = healthMessage(language, shown, findCulprits(assessed, legs))
  return { ...shown, ...sinceField(since), ...(message && { message }) }
}

/** The legs that explain the verdict on a channel, as far as the caller may see them. */
function findCulprits({ assessment, input, backups, outputs }: AssessedChannel, legs: VisibleLegs): Culprit[] {
  const { reason, verdict } = assessment
  const inputs = legs.input ? [legs.input, ...legs.backups] : []
  const assessedInput = (index: number) => (index === 0 ? input : backups.get(inputs[index]?.id ?? Number.NaN))
  const inputCulprit = (index: number, isNamed: boolean): Culprit[] => {
    const [leg, assessed] = [inputs[index], assessedInput(index)]
    return leg && assessed && !leg.hidden ? [{ failure: assessed.failure, ...(isNamed && { name: leg.name }) }] : []
  }
  if (verdict === 'on-air' || verdict === 'stopped' || reason === 'discontinuities' || reason === 'hub-busy') return []
  if (reason === 'no-input') return inputs.flatMap((_, index) => inputCulprit(index, true))
  const failedOutputs = legs.outputs
    .filter(({ id, hidden }) => !hidden && outputs.get(id)?.assessment.verdict === 'down')
    .slice(0, NAMED_OUTPUTS_MAX)
    .flatMap(({ id, name }) => {
      const failure = outputs.get(id)?.failure
      return failure ? [{ name, failure }] : []
    })
  if (reason && ABOUT_OUTPUTS.includes(reason)) return failedOutputs
  if (reason === 'on-backup' || reason === 'on-slate') return [...inputCulprit(0, false), ...failedOutputs]
  return inputCulprit(assessment.backup ?? 0, false)
}
