// The hub's copy of the engine's state. The engine updates it at each change, and at least twice a second.
import type { LegReport } from '../../contract/stream/channel-history.ts'
import { CONNECTION_STATE, PROTOCOL_DEFAULT, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import type { AudioLevel } from '../interfaces/channel.ts'
import {
  IDLE_LEG,
  type ObservedChannel,
  type ObservedLeg,
  type WantedChannel,
  type WantedInput,
  type WantedOutput
} from '../interfaces/channel.ts'
import type { ObservedPorts } from '../interfaces/ports.ts'
import type { ChannelSnapshot, EngineUsage, LegId, Snapshot } from '../interfaces/wire.ts'

/** State of a leg while the engine is away. */
const AWAY: ObservedLeg = {
  state: SOURCE_STATE.failed,
  connState: CONNECTION_STATE.disconnected,
  kbps: 0,
  livingTimeS: 0,
  reason: 'engine-away'
}

const DEVICE_OFFLINE: Reason = 'device-offline'

/** The device that sends an input, and the one that plays an output. */
const senderOf = (input: WantedInput | null | undefined) => (input?.kind === 'device' ? input.sn : undefined)
const playerOf = (output: WantedOutput) => (output.protocol === PROTOCOL_DEFAULT ? output.config.sn : undefined)

interface MirroredChannel {
  observed: ObservedChannel
  totals: { input: number; outputs: Map<number, number> }
  reports: Map<LegId, LegReport>
  level: AudioLevel | undefined
}

interface MirrorEvents {
  /** Not called for minor changes (`ChannelSnapshot`). */
  onChannelChange(id: number): void
  onPortsChange(): void
}

export class Mirror {
  readonly #events: MirrorEvents
  readonly #channels = new Map<number, MirroredChannel>()
  #ports: ObservedPorts = { srt: {}, rtmp: {} }
  #traffic: { mbpsS: number[]; mbpsM: number[] } = { mbpsS: [], mbpsM: [] }
  #processCount = 0
  #usage: EngineUsage | undefined

  constructor(events: MirrorEvents) {
    this.#events = events
  }

  get ports(): ObservedPorts {
    return this.#ports
  }

  get traffic(): { mbpsS: number[]; mbpsM: number[] } {
    return this.#traffic
  }

  get processCount(): number {
    return this.#processCount
  }

  get usage(): EngineUsage | undefined {
    return this.#usage
  }

  update({ channels, ports, traffic, processCount, usage }: Snapshot): void {
    this.#processCount = processCount
    if (usage) this.#usage = usage
    if (traffic) this.#traffic = traffic
    for (const channel of channels) this.#updateChannel(channel)
    if (!ports) return
    this.#ports = ports
    this.#events.onPortsChange()
  }

  /**
   * @param wanted the channel as the hub wants it; undefined for an unknown channel, which is observed as waiting
   * @param offlineReason why a device is offline, which the hub knows and the engine does not
   */
  observe(
    id: number,
    wanted: WantedChannel | undefined,
    offlineReason = (_sn: string) => DEVICE_OFFLINE
  ): ObservedChannel {
    const known: Partial<ObservedChannel> & ObservedLeg = this.#channels.get(id)?.observed ?? IDLE_LEG
    const explain = <Leg extends ObservedLeg>(leg: Leg, sn: string | undefined): Leg =>
      leg.reason === DEVICE_OFFLINE && sn !== undefined ? { ...leg, reason: offlineReason(sn) } : leg
    const backups = new Map(
      (wanted?.backups ?? []).flatMap((backup) => {
        const leg = known.backups?.get(backup.id)
        return leg ? [[backup.id, explain(leg, senderOf(backup))]] : []
      })
    )
    const outputs = new Map(
      (wanted?.outputs ?? []).map((output) => [
        output.id,
        explain(known.outputs?.get(output.id) ?? IDLE_LEG, playerOf(output))
      ])
    )
    const sender = senderOf(wanted?.input)
    return { ...explain(known, sender), input: explain(known.input ?? IDLE_LEG, sender), backups, outputs }
  }

  report(id: number, leg: LegId): LegReport | undefined {
    return this.#channels.get(id)?.reports.get(leg)
  }

  level(id: number): AudioLevel | undefined {
    return this.#channels.get(id)?.level
  }

  totals(id: number): { input: number; outputs: Map<number, number> } {
    return this.#channels.get(id)?.totals ?? { input: 0, outputs: new Map() }
  }

  forget(id: number): void {
    this.#channels.delete(id)
  }

  /** Forgets the state of an engine that has ended. */
  clear(): void {
    this.#channels.clear()
    this.#ports = { srt: {}, rtmp: {} }
    this.#processCount = 0
    this.#usage = undefined
  }

  #updateChannel({ id, observed, totals, reports, level, isMinor }: ChannelSnapshot): void {
    const { backups, outputs, ...rest } = observed
    const before = this.#channels.get(id)
    this.#channels.set(id, {
      observed: { ...rest, ...(backups && { backups: new Map(backups) }), outputs: new Map(outputs) },
      totals: { input: totals.input, outputs: new Map(totals.outputs) },
      reports: reports ? new Map(reports) : (before?.reports ?? new Map()),
      level: level === undefined ? before?.level : (level ?? undefined)
    })
    if (!isMinor) this.#events.onChannelChange(id)
  }
}

/** The state of a channel while the engine is away: nothing is known of its legs. */
export function observeAway({ enable, input, backups = [], outputs }: WantedChannel): ObservedChannel {
  const isOn = enable && input !== null
  const leg = isOn ? AWAY : IDLE_LEG
  return {
    ...leg,
    input: leg,
    backups: isOn ? new Map(backups.map(({ id }) => [id, AWAY])) : new Map(),
    outputs: new Map(outputs.map((output) => [output.id, isOn && (output.enable ?? true) ? AWAY : IDLE_LEG]))
  }
}
