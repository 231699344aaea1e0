// What an action takes off air: the one place of the hub that knows it. Calls ask it before they act (`dry-run`).

import type { OffAirEffect } from '../../contract/off-air.schema.ts'
import { interruptingSettings } from '../../contract/setting.schema.ts'
import { isForbiddenHost } from '../../contract/stream/address-policy.ts'
import { INPUT_SETTINGS } from '../../contract/stream/input-settings.schema.ts'
import { CONNECTION_STATE, HTTP, NDI, PROTOCOL_DEFAULT, RTMP, RTP, SRT, UDP } from '../../contract/stream/protocols.ts'
import type { Schedule } from '../../contract/stream/schedule.ts'
import { ndiSearchHosts, sourceHost, targetHost } from '../../contract/stream/stream-hosts.ts'
import { addressOfPeer, createIpAllowList } from '../../engine/access/ip-allow-list.ts'
import type {
  ObservedChannel,
  ObservedClient,
  WantedChannel,
  WantedInput,
  WantedOutput
} from '../../engine/interfaces/channel.ts'
import type { EngineClient } from '../../engine/interfaces/engine-client.ts'
import type { ChannelHealthMonitor } from '../health/channel-health.ts'
import type { WatchFeed } from '../preview/watch-feed.ts'
import { channelSetting } from '../store/channels.ts'
import type { Store } from '../store/store.ts'
import { isStoppedByChange, isStoppedByClock } from './schedule.ts'
import { wantedChannel } from './wanted.ts'

interface OffAirParts {
  store: Store
  engine: Pick<EngineClient, 'observe'>
  channelHealth: Pick<ChannelHealthMonitor, 'assess'>
  watches: Pick<WatchFeed, 'count'>
  /** Milliseconds since the epoch. */
  clock?: (() => number) | undefined
}

/** A channel on air, and what an action does to it. */
export interface InterruptedChannel {
  id: number
  name: string
  effect: OffAirEffect
  /** The outputs with media that stop receiving; `sn` of a device. */
  outputs: readonly { name: string; sn?: string }[]
  /** Players and pages that stop receiving. */
  viewers: number
}

/** The configuration of a channel on air, before a change. */
interface Configured {
  wanted: WantedChannel
  schedule: Schedule
}

/** The channels on air, with their configuration before a change. */
export type Snapshot = ReadonlyMap<number, Configured>

/** What a change does to a channel, and which of its outputs and clients it disconnects. */
interface Difference {
  effect: OffAirEffect
  outputs: readonly WantedOutput[]
  clients: readonly ObservedClient[]
}

/**
 * An action that does more, or something else, than to change the stored configuration.
 * - `nothing`: it changes nothing that a channel needs
 * - `all`: it stops or interrupts the streams of the hub, such as a restart of the machine
 * - `devices`: it restarts these devices, by serial number
 * - `feeds`: it ends the streams of these devices, by serial number
 * - `clients`: it disconnects these clients of a channel
 * - `shared-port`: it disconnects the clients at a shared port, by protocol
 * - `private-addresses`: it forbids private addresses of sources and targets
 * - `firewall`: it blocks the ports at which these inputs receive without a connection, and those of HLS for some
 *   addresses of players
 * - `switch-over`: it moves all channels to the engine of another release
 * - `clock`: it sets the clock, in milliseconds since the epoch, by which schedules stop channels
 */
export type Interruption =
  | { kind: 'nothing' }
  | { kind: 'all'; effect: 'stops' | 'restarts' }
  | { kind: 'devices' | 'feeds'; serials: readonly string[] }
  | { kind: 'clients'; channel: number; ids: readonly number[] }
  | { kind: 'shared-port'; protocol: typeof SRT | typeof RTMP }
  | { kind: 'private-addresses' }
  | { kind: 'firewall'; inputs: readonly number[]; blocksHls: (address: string) => boolean }
  | { kind: 'switch-over' }
  | { kind: 'clock'; time: number }

const isPlayer = ({ isPublisher }: ObservedClient) => !isPublisher

export class OffAir {
  readonly #parts: OffAirParts
  readonly #clock: () => number

  constructor(parts: OffAirParts) {
    this.#parts = parts
    this.#clock = parts.clock ?? Date.now
  }

  /** The channels on air now, for `compare`. */
  snapshot(): Snapshot {
    const { store } = this.#parts
    const snapshot = new Map<number, Configured>()
    for (const row of store.channels.all()) {
      const wanted = this.#isOnAir(row.id) && wantedChannel(store, row.id)
      if (wanted) snapshot.set(row.id, { wanted, schedule: channelSetting(row, 'schedule') })
    }
    return snapshot
  }

  /** What a change of the stored configuration takes off air. Call it within the transaction of the change. */
  compare(before: Snapshot): InterruptedChannel[] {
    return [...before].flatMap(([id, configured]) => {
      const difference = this.#difference(id, configured)
      return difference ? this.#describe(configured.wanted, difference) : []
    })
  }

  /** What another action takes off air. */
  find(interruption: Interruption): InterruptedChannel[] {
    return [...this.snapshot().values()].flatMap((configured) => {
      const difference = this.#interruptedBy(interruption, configured)
      return difference ? this.#describe(configured.wanted, difference) : []
    })
  }

  #isOnAir(id: number): boolean {
    const { channelHealth, engine } = this.#parts
    const verdict = channelHealth.assess(id)?.assessment.verdict
    if (verdict === undefined || verdict === 'stopped') return false
    // Players at the shared ports receive also while all outputs have failed.
    return verdict === 'on-air' || verdict === 'degraded' || engine.observe(id).clients?.some(isPlayer) === true
  }

  /** What the configuration that is stored now does to a channel. */
  #difference(id: number, { wanted: before, schedule }: Configured): Difference | undefined {
    const { store, engine } = this.#parts
    const observed = engine.observe(id)
    const row = store.channels.byId(id)
    const after = row && wantedChannel(store, id)
    const isStopped = row && isStoppedByChange(schedule, channelSetting(row, 'schedule'), this.#clock())
    if (!after?.enable || !after.input || isStopped) return everything('stops', before, observed)
    const effect = sourceEffect(before, after, observed)
    if (effect) return everything(effect, before, observed)
    const outputs = connectedOutputs(before, observed).filter((output) => !isKept(output, after))
    const dropped = droppedBy(before, after)
    const clients = (observed.clients ?? []).filter(
      (client) => isPlayer(client) && (outputs.some(({ id: output }) => output === client.outputId) || dropped(client))
    )
    return outputs.length + clients.length > 0 ? { effect: 'outputs', outputs, clients } : undefined
  }

  #interruptedBy(interruption: Interruption, { wanted, schedule }: Configured): Difference | undefined {
    const observed = this.#parts.engine.observe(wanted.id)
    switch (interruption.kind) {
      case 'nothing':
        return undefined
      case 'all':
        return everything(interruption.effect, wanted, observed)
      case 'devices':
        return interruptedByDevices(interruption.serials, wanted, observed)
      case 'feeds':
        return isFedBy(interruption.serials, wanted, observed) ? everything('stops', wanted, observed) : undefined
      case 'clients': {
        const { channel, ids } = interruption
        return channel === wanted.id ? withoutClients(({ id }) => ids.includes(id), wanted, observed) : undefined
      }
      case 'shared-port':
        return withoutSharedPort(interruption.protocol, wanted, observed)
      case 'private-addresses':
        return withoutPrivateAddresses(wanted, observed)
      case 'firewall':
        return interruptedByFirewall(interruption, wanted, observed)
      case 'switch-over':
        return interruptedBySwitchOver(wanted, observed)
      case 'clock':
        return isStoppedByClock(schedule, this.#clock(), interruption.time)
          ? everything('stops', wanted, observed)
          : undefined
    }
  }

  #describe({ id, name }: WantedChannel, { effect, outputs, clients }: Difference): InterruptedChannel {
    const pages = effect === 'outputs' ? 0 : this.#parts.watches.count(id)
    return {
      id,
      name,
      effect,
      outputs: outputs.map((output) => ({
        name: output.name,
        ...(output.protocol === PROTOCOL_DEFAULT && { sn: output.config.sn })
      })),
      viewers: clients.length + pages
    }
  }
}

/** A channel whose stream stops or restarts, with all that receive it. */
function everything(effect: OffAirEffect, wanted: WantedChannel, observed: ObservedChannel): Difference {
  return { effect, outputs: connectedOutputs(wanted, observed), clients: (observed.clients ?? []).filter(isPlayer) }
}

/** The outputs that have media. */
function connectedOutputs({ outputs }: WantedChannel, observed: ObservedChannel): WantedOutput[] {
  return outputs.filter(
    ({ id, enable = true }) => enable && observed.outputs.get(id)?.connState === CONNECTION_STATE.connected
  )
}

const inputsOf = ({ input, backups = [] }: WantedChannel) => (input ? [input, ...backups] : [])

/** The input on air; the first one until an input has been active. */
const inputOnAir = (wanted: WantedChannel, { onAir }: ObservedChannel): WantedInput | undefined =>
  inputsOf(wanted).find(({ id }) => id === onAir?.inputId) ?? inputsOf(wanted)[0]

/** What identifies the stream of an input: all but its name, and the settings that interrupt nothing. */
function inputText({ name: _, ...input }: WantedInput, { access }: WantedChannel): string {
  const key = input.kind === 'pushed' ? access?.['push-key'] : undefined
  return JSON.stringify([interruptingSettings(INPUT_SETTINGS, input), key])
}

/** Whether another configuration stops the stream on air or receives it anew; undefined if it goes on. */
function sourceEffect(
  before: WantedChannel,
  after: WantedChannel,
  observed: ObservedChannel
): 'stops' | 'restarts' | undefined {
  if (observed.onAir?.slate) return before.slate && !after.slate ? 'stops' : undefined
  const current = inputOnAir(before, observed)
  if (!current) return undefined
  const next = inputsOf(after).find(({ id }) => id === current.id)
  // Nobody publishes yet to a channel whose input was removed.
  if (!next) return after.input?.kind === 'pushed' ? 'stops' : 'restarts'
  if (inputText(next, after) !== inputText(current, before)) return 'restarts'
  const publisher = current.kind === 'pushed' && observed.clients?.find(({ isPublisher }) => isPublisher)
  return publisher && !isAllowed(publisher, after) ? 'restarts' : undefined
}

function isAllowed({ address }: ObservedClient, { access }: WantedChannel): boolean {
  const list = createIpAllowList(access?.['allow-ip'] ?? [])
  return list.allows(address) || list.allows(addressOfPeer(address))
}

/** Whether an output goes on with another configuration of its channel. */
function isKept(output: WantedOutput, after: WantedChannel): boolean {
  const next = after.outputs.find(({ id }) => id === output.id)
  return next !== undefined && (next.enable ?? true) && outputText(next) === outputText(output)
}

/** The configuration with which an output runs. Its name is part of it only for NDI, where it is that of the source. */
function outputText({ protocol, name, config }: WantedOutput): string {
  const fields = Object.entries(config).filter(([field]) => field !== 'allow-ip')
  fields.sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([protocol, fields, protocol === NDI && name])
}

/** Which players at the shared ports another configuration of the channel disconnects. */
function droppedBy(before: WantedChannel, after: WantedChannel): (client: ObservedClient) => boolean {
  const isOtherKey = before.access?.['play-key'] !== after.access?.['play-key']
  return (client) => {
    if (client.outputId !== undefined) return false
    const isOff =
      (client.protocol === SRT && after.access?.srt === false) ||
      (client.protocol === RTMP && after.access?.rtmp === false)
    return isOtherKey || isOff || !isAllowed(client, after)
  }
}

/** Whether the input on air is one of these devices. */
function isFedBy(serials: readonly string[], wanted: WantedChannel, observed: ObservedChannel): boolean {
  const input = observed.onAir?.slate ? undefined : inputOnAir(wanted, observed)
  return input?.kind === 'device' && serials.includes(input.sn)
}

/** What a channel loses while devices restart: its input on air, or the outputs to them. */
function interruptedByDevices(
  serials: readonly string[],
  wanted: WantedChannel,
  observed: ObservedChannel
): Difference | undefined {
  if (isFedBy(serials, wanted, observed)) return everything('restarts', wanted, observed)
  const outputs = connectedOutputs(wanted, observed).filter(
    (output) => output.protocol === PROTOCOL_DEFAULT && serials.includes(output.config.sn)
  )
  return outputs.length > 0 ? { effect: 'outputs', outputs, clients: [] } : undefined
}

/** What a channel loses with clients: its stream with its publisher, else these players. */
function withoutClients(
  isDropped: (client: ObservedClient) => boolean,
  wanted: WantedChannel,
  observed: ObservedChannel
): Difference | undefined {
  const clients = (observed.clients ?? []).filter(isDropped)
  if (clients.some(({ isPublisher }) => isPublisher)) return everything('restarts', wanted, observed)
  return clients.length > 0 ? { effect: 'outputs', outputs: [], clients } : undefined
}

/**
 * What a channel loses when it is moved to another engine: its stream if a sender has to connect again, else the
 * outputs that are connections. Datagrams and HLS go on.
 */
function interruptedBySwitchOver(wanted: WantedChannel, observed: ObservedChannel): Difference | undefined {
  const input = observed.onAir?.slate ? undefined : inputOnAir(wanted, observed)
  const isPull = input?.kind === 'ndi' || (input?.kind === 'url' && (input.url.srt?.mode ?? 'caller') === 'caller')
  if (input && !isPull) return everything('restarts', wanted, observed)
  const outputs = connectedOutputs(wanted, observed).filter(({ protocol }) => ![UDP, RTP, HTTP].includes(protocol))
  const clients = (observed.clients ?? []).filter((client) => isPlayer(client) && client.protocol !== HTTP)
  return outputs.length + clients.length > 0 ? { effect: 'outputs', outputs, clients } : undefined
}

/** What a channel loses when a shared port closes: its clients there, and a device that sends to it. */
function withoutSharedPort(
  protocol: typeof SRT | typeof RTMP,
  wanted: WantedChannel,
  observed: ObservedChannel
): Difference | undefined {
  const input = inputOnAir(wanted, observed)
  if (protocol === RTMP && input?.kind === 'device' && input.push?.protocol === RTMP)
    return everything('restarts', wanted, observed)
  return withoutClients((client) => client.protocol === protocol && client.outputId === undefined, wanted, observed)
}

const isPrivateHost = (host: string | undefined) => host !== undefined && isForbiddenHost(host, true)

function usesPrivateAddress(input: WantedInput): boolean {
  const others = input.kind === 'ndi' ? ndiSearchHosts(input.source) : []
  return [sourceHost(input), ...others].some(isPrivateHost)
}

/**
 * What a channel loses when private addresses are forbidden, as far as it is known without a lookup of names: its
 * stream, which the engine restarts if one of its inputs is forbidden, else outputs.
 */
function withoutPrivateAddresses(wanted: WantedChannel, observed: ObservedChannel): Difference | undefined {
  const inputs = inputsOf(wanted)
  const allowed = inputs.filter((input) => !usesPrivateAddress(input))
  if (allowed.length < inputs.length)
    return everything(wanted.slate || allowed.length > 0 ? 'restarts' : 'stops', wanted, observed)
  const outputs = connectedOutputs(wanted, observed).filter((output) => isPrivateHost(targetHost(output)))
  return outputs.length > 0 ? { effect: 'outputs', outputs, clients: [] } : undefined
}

/** What a channel loses with blocked ports: its stream, unless another input takes over, else its players of HLS. */
function interruptedByFirewall(
  { inputs, blocksHls }: Extract<Interruption, { kind: 'firewall' }>,
  wanted: WantedChannel,
  observed: ObservedChannel
): Difference | undefined {
  const input = observed.onAir?.slate ? undefined : inputOnAir(wanted, observed)
  if (input && inputs.includes(input.id)) {
    const hasOther = wanted.slate || inputsOf(wanted).some(({ id }) => !inputs.includes(id))
    return everything(hasOther ? 'restarts' : 'stops', wanted, observed)
  }
  const isCut = (client: ObservedClient) => client.protocol === HTTP && blocksHls(client.address)
  const cut = withoutClients(isCut, wanted, observed)
  const names = connectedOutputs(wanted, observed).filter(({ id }) => cut?.clients.some((each) => each.outputId === id))
  return cut && { ...cut, outputs: names }
}
