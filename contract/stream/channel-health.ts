// Verdicts on channels and on their inputs and outputs, computed from states and measured numbers (docs/wire.md, "Health"). The hub and the
// console use these functions, so that both say the same.
import type { ChannelVerdict, Health, HealthNumbers, HealthReason, InputVerdict, NextStep } from '../health.ts'
import type { Channel, ChannelInput, ChannelOutput, Leg } from './channel.ts'
import { CONNECTION_STATE, INPUT_PUBLISHER, SOURCE_STATE } from './protocols.ts'

/** A verdict with its cause, without the time since when it holds. */
export type Assessment = Omit<Health, 'since' | 'message'>

export type InputAssessment = Omit<Health<InputVerdict>, 'since' | 'message'>

/** Numbers above which a channel is degraded. */
export interface HealthBounds {
  /** Percent of the packets of the last 10 s that may be lost, 0-100. */
  'loss-percent': number
  /** Discontinuities within 10 s that are tolerated, 0-1000. */
  discontinuities: number
}

export const DEFAULT_HEALTH_BOUNDS: HealthBounds = { 'loss-percent': 0.1, discontinuities: 0 }

/** What the hub measured of a running channel beyond the states of its legs. */
export type MeasuredQuality = Pick<HealthNumbers, 'loss-percent' | 'discontinuities'>

/** The state of an input or output, as on the wire, with the cause that the hub knows. */
export type LegFacts = Pick<Leg, 'state' | 'conn-state'> & { cause?: HealthReason }

/** What to do about each cause. */
export const NEXT_STEP_OF: Readonly<Partial<Record<HealthReason, NextStep>>> = {
  'no-input': 'choose-input',
  'input-lost': 'check-source',
  'on-backup': 'check-main-input',
  'on-slate': 'check-source',
  'outputs-failed': 'check-outputs',
  'packet-loss': 'check-network',
  discontinuities: 'check-network',
  'awaits-publisher': 'publish',
  'no-data': 'check-source',
  unreachable: 'check-address',
  refused: 'check-address',
  'not-authorized': 'check-credentials',
  'wrong-format': 'check-format',
  'too-slow': 'check-network',
  'address-in-use': 'choose-port',
  'not-installed': 'install',
  'input-silent': 'check-source',
  failed: 'check-address',
  'device-offline': 'check-device',
  'device-warning': 'check-device',
  'engine-away': 'wait',
  'port-closed': 'choose-port',
  'disk-full': 'free-space'
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
  [CONNECTION_STATE.disconnected]: 'input-lost',
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
  const nextStep = reason && NEXT_STEP_OF[reason]
  return { verdict, ...(reason && { reason }), ...(nextStep && { 'next-step': nextStep }), ...numbers }
}

/** The verdict on a leg that is wanted: it carries media, has failed, waits for its peer, or is starting. */
function assessLeg(leg: LegFacts, awaits: HealthReason): Assessment {
  const { state, cause } = leg
  const connection = leg['conn-state']
  if (isConnected(leg)) return withNextStep('on-air')
  if (FAILED_STATES.includes(state) || connection >= CONNECTION_STATE.failed)
    return withNextStep('down', cause ?? CAUSE_OF_CONNECTION[connection] ?? 'failed')
  if (connection === CONNECTION_STATE.waiting && state === SOURCE_STATE.running) return withNextStep('waiting', awaits)
  return withNextStep('starting', cause)
}

/** The verdict on an output of a channel. */
export function assessOutput(enabled: boolean, output: LegFacts & Pick<ChannelOutput, 'enable'>): Assessment {
  if (!enabled || !output.enable) return withNextStep('stopped')
  return assessLeg(output, 'awaits-player')
}

/** The verdict on an input of a channel. */
export function assessInput(
  enabled: boolean,
  input: LegFacts & Pick<ChannelInput, 'id'>,
  onAir?: number | null
): InputAssessment {
  if (!enabled) return withNextStep('stopped')
  const assessment = assessLeg(input, 'awaits-publisher')
  return assessment.verdict === 'on-air' && onAir !== undefined && onAir !== input.id
    ? { verdict: 'standby' }
    : assessment
}

/** What a channel's verdict is computed from. All outputs have to be in the list. */
export interface ChannelFacts {
  config: Pick<Channel['config'], 'enable'>
  input: (LegFacts & Pick<ChannelInput, 'id' | 'type'>) | null
  backups?: readonly (LegFacts & Pick<ChannelInput, 'id'>)[]
  'on-air'?: Pick<NonNullable<Channel['on-air']>, 'input' | 'slate'>
  outputs: { list: readonly (LegFacts & Pick<ChannelOutput, 'enable'>)[] }
}

/** The verdict on a channel. */
export function assessChannel(
  { config, input, backups = [], 'on-air': onAir, outputs }: ChannelFacts,
  quality: MeasuredQuality = {},
  bounds: HealthBounds = DEFAULT_HEALTH_BOUNDS
): Assessment {
  if (!config.enable) return withNextStep('stopped')
  const wanted = outputs.list.filter(({ enable }) => enable)
  const failed = wanted.filter((output) => assessOutput(true, output).verdict === 'down').length
  const backup = backups.findIndex(({ id }) => id === onAir?.input) + 1
  const numbers: HealthNumbers = {
    ...(backup && { backup }),
    ...(failed && { outputs: wanted.length, 'outputs-failed': failed })
  }
  const active = backups[backup - 1] ?? input
  if (!onAir?.slate && !isConnected(active)) {
    if (!input) return withNextStep('waiting', 'awaits-publisher')
    const { verdict, reason } = assessLeg(active ?? input, 'awaits-publisher')
    return withNextStep(verdict, reason ?? (input.type === INPUT_PUBLISHER ? 'awaits-publisher' : 'no-data'), numbers)
  }
  if (failed && failed === wanted.length) return withNextStep('down', 'outputs-failed', numbers)
  if (onAir?.slate) return withNextStep('degraded', 'on-slate', numbers)
  if (backup) return withNextStep('degraded', 'on-backup', numbers)
  if (failed) return withNextStep('degraded', 'outputs-failed', numbers)
  const { 'loss-percent': loss = 0, discontinuities = 0 } = quality
  if (discontinuities > bounds.discontinuities)
    return withNextStep('degraded', 'discontinuities', { ...numbers, discontinuities })
  if (loss > bounds['loss-percent'])
    return withNextStep('degraded', 'packet-loss', { ...numbers, 'loss-percent': loss })
  return withNextStep('on-air', undefined, numbers)
}

/** The health of a channel as the hub says it, otherwise computed from the states on the wire. */
export const channelHealth = (channel: Channel): Health => channel.health ?? assessChannel(channel)

/** The health of an output of a channel. */
export const outputHealth = (channel: Channel, output: ChannelOutput): Health =>
  output.health ?? assessOutput(channel.config.enable, output)

/** The health of an input of a channel. */
export const inputHealth = (channel: Channel, input: ChannelInput): Health<InputVerdict> =>
  input.health ?? assessInput(channel.config.enable, input, channel['on-air']?.input)
