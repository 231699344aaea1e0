// Announces changes of channels to the hub: that observed values changed, and events when a leg starts, ends or fails.
import { CONNECTION_STATE, PROTOCOL_DEFAULT } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import type { ObservedChannel, ObservedLeg, StreamEvent, WantedInput, WantedOutput } from '../interfaces/channel.ts'
import type { Channel } from './channel.ts'

/** State of a leg in its last event: `up`, or the `CONNECTION_STATE` of a failure. */
type Announced = 'up' | number | undefined
/** `input`, `backup <ID>` or `output <ID>` */
type LegName = 'input' | `backup ${number}` | `output ${number}`

/** The states last announced for a channel. */
interface ChannelRecord {
  /** Observed values as text, without uptimes. */
  observed: string
  legs: Map<LegName, Announced>
}

export interface AnnouncerOptions {
  onChannelChange(channelId: number): void
  onEvent(event: StreamEvent): void
}

export class Announcer {
  readonly #options: AnnouncerOptions
  readonly #records = new WeakMap<Channel, ChannelRecord>()

  constructor(options: AnnouncerOptions) {
    this.#options = options
  }

  /** Announces changes since the last call. */
  announce(channel: Channel, observed: ObservedChannel): void {
    const { wanted } = channel
    if (channel.input && wanted.input) this.#announceLeg(channel, 'input', wanted.input, observed.input)
    for (const backup of wanted.backups ?? []) {
      const leg = observed.backups?.get(backup.id)
      if (leg) this.#announceLeg(channel, `backup ${backup.id}`, backup, leg)
    }
    for (const output of wanted.outputs) {
      const running = channel.outputs.get(output.id)?.output
      const leg = observed.outputs.get(output.id)
      if (running && leg) this.#announceLeg(channel, `output ${output.id}`, output, leg, running.lastEndReason())
    }
    this.#announceChange(channel, observed)
  }

  /** Forgets a leg that was stopped, so that its next start is announced. */
  forget(channel: Channel, leg: LegName): void {
    this.#record(channel).legs.delete(leg)
  }

  #announceChange(channel: Channel, observed: ObservedChannel): void {
    const record = this.#record(channel)
    const text = JSON.stringify([observed, ...observed.outputs, ...(observed.backups ?? [])], (name, value) =>
      name === 'livingTimeS' ? undefined : value
    )
    if (text === record.observed) return
    record.observed = text
    this.#options.onChannelChange(channel.wanted.id)
  }

  /**
   * Sends an event when a leg becomes connected, ends, or fails in another way than before.
   * @param endReason why it ended, if that was not a failure
   */
  #announceLeg(
    channel: Channel,
    leg: LegName,
    wanted: WantedInput | WantedOutput,
    { connState, reason: observedReason }: ObservedLeg,
    endReason?: Reason
  ): void {
    const { id, name } = wanted
    const { legs } = this.#record(channel)
    const last = legs.get(leg)
    const isUp = connState === CONNECTION_STATE.connected
    const failed = connState > CONNECTION_STATE.connected ? connState : undefined
    if (isUp ? last === 'up' : last !== 'up' && (failed === undefined || failed === last)) return
    legs.set(leg, isUp ? 'up' : failed)
    const side = leg.startsWith('output') ? 'output' : 'input'
    const playerSn = 'protocol' in wanted && wanted.protocol === PROTOCOL_DEFAULT ? wanted.config.sn : undefined
    // An output that waits although it was up has lost its input, which may not count as silent yet.
    const isWaiting = connState === CONNECTION_STATE.waiting || connState === CONNECTION_STATE.waitingForData
    const reason = observedReason ?? endReason ?? (side === 'output' && isWaiting ? 'input-silent' : undefined)
    this.#options.onEvent({
      channelId: channel.wanted.id,
      kind: `${side}-${isUp ? 'up' : 'down'}`,
      name,
      ...(side === 'input' && { inputId: id }),
      ...(playerSn !== undefined && { playerSn }),
      ...(!isUp && reason !== undefined && { reason })
    })
  }

  #record(channel: Channel): ChannelRecord {
    let record = this.#records.get(channel)
    if (!record) {
      record = { observed: '', legs: new Map() }
      this.#records.set(channel, record)
    }
    return record
  }
}
