// Events for the log: a leg of a channel has started, ended or failed, or has refused a caller, or an input has other
// tracks than before.
import { CONNECTION_STATE, PROTOCOL_DEFAULT } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import { describeCodecs } from '../inputs/track-watch.ts'
import type { ObservedChannel, ObservedLeg, StreamEvent, WantedInput, WantedOutput } from '../interfaces/channel.ts'
import type { Channel, LegName } from './channel.ts'

/** A leg as it is wanted and as it is. */
interface PairedLeg {
  side: 'input' | 'output'
  wanted: WantedInput | WantedOutput
  observed: ObservedLeg
  /** Why an output ended, if that was not a failure. */
  endReason?: Reason | undefined
}

/** Sends the events of a channel since the last call. */
export function reportLegEvents(
  channel: Channel,
  { input, backups, outputs }: ObservedChannel,
  onEvent: (event: StreamEvent) => void
): void {
  const { wanted } = channel
  const legs: PairedLeg[] = []
  if (channel.input && wanted.input) legs.push({ side: 'input', wanted: wanted.input, observed: input })
  for (const backup of wanted.backups ?? []) {
    const observed = backups?.get(backup.id)
    if (observed) legs.push({ side: 'input', wanted: backup, observed })
  }
  for (const output of wanted.outputs) {
    const running = channel.outputs.get(output.id)?.output
    const observed = outputs.get(output.id)
    if (running && observed) legs.push({ side: 'output', wanted: output, observed, endReason: running.lastEndReason() })
  }
  for (const leg of legs) {
    const event = eventOf(channel, leg)
    if (event) onEvent(event)
    for (const each of trackEventsOf(channel, leg)) onEvent(each)
    const refusal = refusalEventOf(channel, leg)
    if (refusal) onEvent(refusal)
  }
}

/** The event of a leg that has refused another caller. The shared ports report theirs themselves. */
function refusalEventOf(channel: Channel, { side, wanted, observed }: PairedLeg): StreamEvent | undefined {
  const { refusal } = observed
  const leg: LegName = `${side} ${wanted.id}`
  if (!refusal || ('kind' in wanted && wanted.kind === 'pushed') || channel.refusalEvents.get(leg) === refusal.at)
    return undefined
  channel.refusalEvents.set(leg, refusal.at)
  const { reason, address } = refusal
  return {
    channelId: channel.wanted.id,
    kind: 'caller-refused',
    name: wanted.name,
    reason,
    ...(address && { address })
  }
}

/** The events of an input that has media: a track was lost or found, or the codecs or tracks are others than before. */
function trackEventsOf(channel: Channel, { side, wanted, observed }: PairedLeg): StreamEvent[] {
  const { format, reason, connState } = observed
  if (side !== 'input' || connState !== CONNECTION_STATE.connected || !format) return []
  const leg: LegName = `input ${wanted.id}`
  const codecs = describeCodecs([...(format.video ? [format.video] : []), ...format.audio])
  const fault = reason && /^(video|audio)-/.test(reason) ? reason : undefined
  const last = channel.trackEvents.get(leg) ?? { codecs: '' }
  channel.trackEvents.set(leg, { codecs: codecs || last.codecs, fault })
  const event = { channelId: channel.wanted.id, name: wanted.name, inputId: wanted.id }
  const events: StreamEvent[] = []
  if (codecs && last.codecs && codecs !== last.codecs)
    events.push({ ...event, kind: 'input-changed', reason: `tracks-changed ${last.codecs} → ${codecs}` })
  if (fault && fault !== last.fault) events.push({ ...event, kind: 'track-lost', reason: fault })
  if (!fault && last.fault) events.push({ ...event, kind: 'track-found' })
  return events
}

/** The event of a leg that has become connected, has ended, or fails in another way than before. */
function eventOf(channel: Channel, { side, wanted, observed, endReason }: PairedLeg): StreamEvent | undefined {
  const { connState } = observed
  const leg: LegName = `${side} ${wanted.id}`
  const last = channel.legEvents.get(leg)
  const isUp = connState === CONNECTION_STATE.connected
  const failed = connState > CONNECTION_STATE.connected ? connState : undefined
  if (isUp ? last === 'up' : last !== 'up' && (failed === undefined || failed === last)) return undefined
  channel.legEvents.set(leg, isUp ? 'up' : failed)
  const playerSn = 'protocol' in wanted && wanted.protocol === PROTOCOL_DEFAULT ? wanted.config.sn : undefined
  // An output that waits although it was up has lost its input, which may not count as silent yet.
  const isWaiting = connState === CONNECTION_STATE.waiting || connState === CONNECTION_STATE.waitingForData
  const reason = observed.reason ?? endReason ?? (side === 'output' && isWaiting ? 'input-silent' : undefined)
  return {
    channelId: channel.wanted.id,
    kind: `${side}-${isUp ? 'up' : 'down'}`,
    name: wanted.name,
    ...(side === 'input' && { inputId: wanted.id }),
    ...(playerSn !== undefined && { playerSn }),
    ...(!isUp && reason !== undefined && { reason })
  }
}
