// Verdicts on channels and on their inputs and outputs, computed from states and measured numbers (docs/wire.md,
// "Health"). The hub and the console use these functions, so that both say the same.
import {
  type ChannelVerdict,
  DEFAULT_HEALTH_BOUNDS,
  type Health,
  type HealthBounds,
  type HealthNumbers,
  type HealthReason,
  type InputVerdict
} from '../health.ts'
import { CAUSES } from '../health-causes.ts'
import type { Channel } from './channel.ts'
import { isContentCheck } from './content-checks.ts'
import type { ChannelInput, ChannelOutput, Leg } from './leg.schema.ts'
import { CONNECTION_STATE, SOURCE_STATE } from './protocols.ts'

/** A verdict with its cause, without the time since when it holds. */
export type Assessment = Omit<Health, 'since' | 'message'>

export type InputAssessment = Omit<Health<InputVerdict>, 'since' | 'message'>

/** What the hub measured of an input or output in the last 10 s, beyond its state. */
export type MeasuredQuality = Pick<HealthNumbers, 'loss-percent' | 'discontinuities'>

/** The state of an input or output, as on the wire, with the cause that the hub knows and what it measured. */
export type LegFacts = Pick<Leg, 'state' | 'conn-state'> & {
  /** The fault of the stream that a connected leg carries, such as a lost track. */
  cause?: HealthReason
  /** Number of the audio track of `audio-track-lost`. */
  'audio-track'?: number
  quality?: MeasuredQuality
  /**
   * Whether it is a device that reports no signal at its own input (`DEVICE_WARNING_BITS.noSignal`): what it sends has
   * no picture.
   */
  'no-signal'?: boolean
}

export const isConnected = (leg?: LegFacts | null): boolean => leg?.['conn-state'] === CONNECTION_STATE.connected

const FAILED_STATES: readonly number[] = [
  SOURCE_STATE.addFailed,
  SOURCE_STATE.unsupported,
  SOURCE_STATE.firmwareTooOld,
  SOURCE_STATE.offline,
  SOURCE_STATE.failed
]

const CAUSE_OF_CONNECTION: Readonly<Record<number, HealthReason>> = {
  [CONNECTION_STATE.failed]: 'unreachable',
  [CONNECTION_STATE.disconnected]: 'disconnected',
  [CONNECTION_STATE.refused]: 'refused',
  [CONNECTION_STATE.nameNotFound]: 'unreachable',
  [CONNECTION_STATE.tcpPortFailed]: 'unreachable',
  [CONNECTION_STATE.handshakeFailed]: 'refused',
  [CONNECTION_STATE.streamFailed]: 'refused',
  [CONNECTION_STATE.notAuthorized]: 'not-authorized',
  [CONNECTION_STATE.creationFailed]: 'failed'
}

/** Adds what to do to a verdict with a cause. */
function withNextStep(verdict: ChannelVerdict, reason?: HealthReason, numbers?: HealthNumbers): Assessment {
  const nextStep = reason && CAUSES[reason][1]
  return { verdict, ...(reason && { reason }), ...(nextStep && { 'next-step': nextStep }), ...numbers }
}

/** The verdict on what a connected leg carries. */
function assessQuality(
  { 'loss-percent': loss = 0, discontinuities = 0 }: MeasuredQuality,
  bounds: HealthBounds,
  numbers?: HealthNumbers
): Assessment {
  if (discontinuities > bounds.discontinuities)
    return withNextStep('degraded', 'discontinuities', { ...numbers, discontinuities })
  if (loss > bounds['loss-percent'])
    return withNextStep('degraded', 'packet-loss', { ...numbers, 'loss-percent': loss })
  return withNextStep('on-air', undefined, numbers)
}

const trackNumber = ({ 'audio-track': track }: LegFacts): HealthNumbers => (track ? { 'audio-track': track } : {})

/** Causes of an input that has media but not all of its tracks. */
const LOST_TRACKS: readonly (HealthReason | undefined)[] = ['video-lost', 'audio-lost', 'audio-track-lost']

/** Whether an input has media, and has lost a track. */
const hasLostTrack = (leg?: LegFacts | null): boolean => isConnected(leg) && LOST_TRACKS.includes(leg?.cause)

/** The verdict on a leg that is wanted: it carries media, has failed, waits for its peer, or is starting. */
function assessLeg(leg: LegFacts, awaits: HealthReason, bounds: HealthBounds): Assessment {
  const { state, cause } = leg
  const connection = leg['conn-state']
  if (isConnected(leg) && leg['no-signal']) return withNextStep('degraded', 'no-signal')
  if (isConnected(leg) && cause) return withNextStep('degraded', cause, trackNumber(leg))
  if (isConnected(leg)) return assessQuality(leg.quality ?? {}, bounds)
  if (FAILED_STATES.includes(state) || connection >= CONNECTION_STATE.failed)
    return withNextStep('down', cause ?? CAUSE_OF_CONNECTION[connection] ?? 'failed')
  if (connection === CONNECTION_STATE.waiting && state === SOURCE_STATE.running)
    return withNextStep('waiting', cause ?? awaits)
  return withNextStep('starting', cause)
}

/**
 * The verdict on an output of a channel.
 * @param enabled whether the channel is started
 * @param hasMedia whether the channel has media for its outputs; without, an output waits for it
 */
export function assessOutput(
  enabled: boolean,
  output: LegFacts & Pick<ChannelOutput, 'enable'>,
  hasMedia = true,
  bounds: HealthBounds = DEFAULT_HEALTH_BOUNDS
): Assessment {
  if (!enabled || !output.enable) return withNextStep('stopped')
  const assessment = assessLeg(output, 'awaits-player', bounds)
  const { verdict, reason } = assessment
  const isWaitingForInput = hasMedia ? verdict === 'starting' && reason === 'input-silent' : verdict !== 'down'
  return isWaitingForInput ? withNextStep('waiting', 'input-silent') : assessment
}

/** The verdict on an input of a channel. */
export function assessInput(
  enabled: boolean,
  input: LegFacts & Pick<ChannelInput, 'id'>,
  onAir?: number | null,
  bounds: HealthBounds = DEFAULT_HEALTH_BOUNDS
): InputAssessment {
  if (!enabled) return withNextStep('stopped')
  const assessment = assessLeg(input, 'awaits-publisher', bounds)
  return isConnected(input) &&
    assessment.reason !== 'no-signal' &&
    !hasLostTrack(input) &&
    onAir !== undefined &&
    onAir !== input.id
    ? { ...assessment, verdict: 'standby' }
    : assessment
}

/** What a channel's verdict is computed from. All outputs have to be in the list. */
export interface ChannelFacts {
  config: Pick<Channel['config'], 'enable'>
  input: (LegFacts & Pick<ChannelInput, 'id'>) | null
  backups?: readonly (LegFacts & Pick<ChannelInput, 'id'>)[]
  'on-air'?: Pick<NonNullable<Channel['on-air']>, 'input' | 'slate' | 'manual'> & MainReturn
  outputs: { list: readonly (LegFacts & Pick<ChannelOutput, 'enable'>)[] }
}

/** What the hub knows of a main input while a backup is on air. */
interface MainReturn {
  /** Whether it has media again. Default: whether it is connected. */
  'main-back'?: boolean
  /** Seconds after which it returns by itself. Absent: it does not, or that is unknown. */
  'returns-in-s'?: number
}

/** The verdict on a channel whose backup is on air. */
function assessBackup({ input, 'on-air': onAir }: ChannelFacts, numbers: HealthNumbers): Assessment {
  if (onAir?.manual) return withNextStep('degraded', 'manual-backup', numbers)
  const { 'returns-in-s': seconds, 'main-back': isMainBack = isConnected(input) } = onAir ?? {}
  if (hasLostTrack(input))
    return withNextStep('degraded', input?.cause === 'video-lost' ? 'main-video-lost' : 'main-audio-lost', numbers)
  if (isConnected(input) && input?.['no-signal']) return withNextStep('degraded', 'main-no-signal', numbers)
  if (!isMainBack && isConnected(input) && isContentCheck(input?.cause))
    return withNextStep('degraded', 'main-bad-content', numbers)
  if (!isMainBack) return withNextStep('degraded', 'on-backup', numbers)
  if (seconds === undefined) return withNextStep('degraded', 'main-back', numbers)
  return withNextStep('degraded', 'main-returns', { ...numbers, 'returns-in-s': seconds })
}

/** Number of the backup on air, or that was last on air; 0 for the main input. */
const activeBackup = ({ backups = [], 'on-air': onAir }: Pick<ChannelFacts, 'backups' | 'on-air'>): number =>
  backups.findIndex(({ id }) => id === onAir?.input) + 1

/** Whether a channel has media for its outputs: from an input, or the slate. */
export function hasMedia(channel: Pick<ChannelFacts, 'input' | 'backups' | 'on-air'>): boolean {
  const { input, backups = [], 'on-air': onAir } = channel
  return onAir?.slate === true || isConnected(backups[activeBackup(channel) - 1] ?? input)
}

/** The verdict on a started channel without media: that of the input which should be on air. */
function assessInputs({ input, backups = [] }: ChannelFacts, active: LegFacts | null): Assessment {
  if (!input || !active) return withNextStep('waiting', 'awaits-publisher')
  const assess = (leg: LegFacts) => assessLeg(leg, 'awaits-publisher', DEFAULT_HEALTH_BOUNDS)
  const causes = new Set([input, ...backups].map(assess).map(({ verdict, reason }) => verdict === 'down' && reason))
  const haveFailedDifferently = causes.size > 1 && !causes.has(false)
  return haveFailedDifferently ? withNextStep('down', 'no-input') : assess(active)
}

/** The verdict on a channel. */
export function assessChannel(channel: ChannelFacts, bounds: HealthBounds = DEFAULT_HEALTH_BOUNDS): Assessment {
  const { config, input, backups = [], 'on-air': onAir, outputs } = channel
  if (!config.enable) return withNextStep('stopped')
  const backup = activeBackup(channel)
  const active = backups[backup - 1] ?? input
  const wanted = outputs.list.filter(({ enable }) => enable)
  const verdicts = wanted.map((output) => assessOutput(true, output, hasMedia(channel), bounds))
  const failed = verdicts.filter(({ verdict }) => verdict === 'down').length
  const backupNumber = backup ? { backup } : {}
  const numbers: HealthNumbers = {
    ...backupNumber,
    ...(failed && { outputs: wanted.length, 'outputs-failed': failed })
  }
  if (!hasMedia(channel)) {
    const assessment = assessInputs(channel, active)
    // Failed outputs are no cause while the channel waits for its first media.
    return { ...assessment, ...(assessment.verdict === 'down' ? numbers : backupNumber) }
  }
  if (failed && failed === wanted.length) return withNextStep('down', 'outputs-failed', numbers)
  const isSendingNothing = verdicts.every(({ verdict }) => verdict === 'down' || verdict === 'starting')
  if (wanted.length > 0 && isSendingNothing) return withNextStep('starting', undefined, numbers)
  if (onAir?.slate) return withNextStep('degraded', onAir.manual ? 'manual-slate' : 'on-slate', numbers)
  if (active?.['no-signal']) return withNextStep('degraded', 'no-signal', numbers)
  if (active && hasLostTrack(active))
    return withNextStep('degraded', active.cause, { ...numbers, ...trackNumber(active) })
  if (backup) return assessBackup(channel, numbers)
  if (failed) return withNextStep('degraded', 'outputs-failed', numbers)
  if (isConnected(active) && active?.cause) return withNextStep('degraded', active.cause, numbers)
  const { 'loss-percent': inputLoss = 0, discontinuities = 0 } = active?.quality ?? {}
  const loss = Math.max(inputLoss, ...wanted.map(({ quality }) => quality?.['loss-percent'] ?? 0))
  return assessQuality({ 'loss-percent': loss, discontinuities }, bounds, numbers)
}
