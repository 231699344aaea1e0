// Hands channels over to the engine that runs beside this one, and takes them over from it
// (docs/architecture/upgrade.md).
import { HTTP, RTP, UDP } from '../../contract/stream/protocols.ts'
import { originKey } from '../inputs/origin.ts'
import type { WantedChannel } from '../interfaces/channel.ts'
import type { HandOverGroup, OfferedInputs, TakenLegs } from '../interfaces/hand-over.ts'
import type { HlsStores } from '../interfaces/leg-parts.ts'
import { waitFor } from '../interfaces/wait-at-most.ts'
import type { SharedPorts } from '../ports/shared-ports.ts'
import { Channel } from './channel.ts'
import type { InputPool } from './input-pool.ts'
import type { Reconciler } from './reconciler.ts'

/** Milliseconds to wait for the streams of taken channels, for their outputs, and for the first HLS segment. */
const STREAM_TIMEOUT = 5000
const OUTPUT_TIMEOUT = 5000
const HLS_TIMEOUT = 8000
/** Milliseconds for a target to reach its next start point, which is at most as far away as a relay can go back. */
const TARGET_TIMEOUT = 12_000

interface HandOverParts {
  channels: Map<number, Channel>
  inputs: InputPool
  reconciler: Reconciler
  ports: SharedPorts
  hlsStores: HlsStores
  /** Removes a channel without an event. */
  drop(channel: Channel): void
  /** Resolves when the ports of removed channels are closed. */
  whenReleased(): Promise<void>
}

export class HandOver {
  readonly #parts: HandOverParts

  constructor(parts: HandOverParts) {
    this.#parts = parts
  }

  /** All channels, those together that share an input. */
  groups(): HandOverGroup[] {
    const groups: (HandOverGroup & { origins: Set<string> })[] = []
    for (const { wanted } of this.#parts.channels.values()) {
      const origins = new Set(inputsOf(wanted).map(originKey))
      const group = { ids: [wanted.id], usesPorts: this.#usesPorts(wanted), origins }
      for (const other of groups.filter((each) => [...each.origins].some((origin) => origins.has(origin)))) {
        groups.splice(groups.indexOf(other), 1)
        group.ids.push(...other.ids)
        group.usesPorts ||= other.usesPorts
        for (const origin of other.origins) origins.add(origin)
      }
      groups.push(group)
    }
    return groups.map(({ ids, usesPorts }) => ({ ids, usesPorts }))
  }

  /** The datagram inputs of channels, which the next engine can continue. */
  offer(ids: readonly number[]): OfferedInputs {
    const sockets = this.#parts.inputs.usedOnlyBy(ids).flatMap((input): OfferedInputs['sockets'] => {
      const path = input.mediaSocket()
      return path === undefined ? [] : [[input.key, path]]
    })
    return { sockets }
  }

  /**
   * Runs what can run of channels beside those of the engine before, until they are applied.
   * @param offered by that engine
   */
  prepare(wanted: readonly WantedChannel[], { sockets }: OfferedInputs): void {
    const { channels, inputs, reconciler, ports } = this.#parts
    for (const [key, path] of sockets) inputs.continue(key, path)
    for (const each of wanted) {
      const channel = new Channel(each, ports)
      channel.wanted = structuredClone(each)
      channel.stage = 'beside'
      channel.isTakenOver = true
      channels.set(each.id, channel)
      reconciler.reconcile(channel)
    }
  }

  /** Whether a channel is taken over, and was not applied yet. */
  isTakingOver(id: number): boolean {
    return this.#parts.channels.get(id)?.isTakenOver ?? false
  }

  /**
   * Prepares to take the outputs of channels over whose inputs run already.
   * @param onAir IDs of the channels whose stream is waited for
   */
  async take(ids: readonly number[], onAir: readonly number[]): Promise<TakenLegs> {
    // Meanwhile a hub can apply or remove them, after which they are no longer taken over.
    const taken = () => ids.flatMap((id) => (this.isTakingOver(id) ? (this.#parts.channels.get(id) ?? []) : []))
    const awaited = () => taken().filter(({ wanted, input }) => input && onAir.includes(wanted.id))
    const isOnAir = ({ stream }: Channel) => stream?.isActive() ?? false
    await waitFor(() => awaited().every(isOnAir), STREAM_TIMEOUT)
    await waitFor(() => awaited().every((channel) => !isOnAir(channel) || this.#hasSegments(channel)), HLS_TIMEOUT)
    for (const channel of taken()) {
      channel.stage = 'waiting'
      this.#parts.reconciler.reconcile(channel)
    }
    const addressOf = (channel: Channel, id: number) => channel.outputs.get(id)?.output.takeOverAddress?.()
    const isReady = (channel: Channel) =>
      outputsOver(channel, UDP, RTP).every(({ id }) => addressOf(channel, id) !== undefined)
    await waitFor(() => taken().filter(isOnAir).every(isReady), OUTPUT_TIMEOUT)
    const targets = taken().flatMap((channel) =>
      [...channel.outputs.keys()].flatMap((id): TakenLegs['targets'] => {
        const address = isOnAir(channel) ? addressOf(channel, id) : undefined
        return address ? [[channel.wanted.id, id, address]] : []
      })
    )
    const sources = this.#parts.inputs.usedOnlyBy(ids).flatMap((input): TakenLegs['sources'] => {
      const address = input.sourceAddress()
      return address ? [[input.key, address]] : []
    })
    return { ids: [...ids], sources, targets }
  }

  /**
   * Hands over what the next engine has prepared, the outputs first, and ends the channels here. Resolves when their
   * ports are closed.
   */
  async give({ ids, sources, targets }: TakenLegs): Promise<void> {
    const moved = targets.flatMap(([channel, id, address]) => {
      const output = this.#parts.channels.get(channel)?.outputs.get(id)?.output
      output?.handOver?.(address)
      return output ?? []
    })
    await waitFor(() => moved.every((output) => output.isHandedOver?.() ?? true), TARGET_TIMEOUT)
    const inputs = this.#parts.inputs.usedOnlyBy(ids)
    const handOver = async ([key, address]: TakenLegs['sources'][number]) =>
      inputs.find((input) => input.key === key)?.handOverSource(address)
    // The next engine opens a port itself that cannot be handed over.
    await Promise.allSettled(sources.map(handOver))
    for (const id of ids) {
      const channel = this.#parts.channels.get(id)
      if (channel) this.#parts.drop(channel)
    }
    await this.#parts.whenReleased()
  }

  /** Closes the shared ports, so that the next engine can open them. */
  closePorts(): Promise<void> {
    return this.#parts.ports.close()
  }

  #usesPorts(wanted: WantedChannel): boolean {
    const isPushed = inputsOf(wanted).some(
      (input) => input.kind === 'pushed' || (input.kind === 'device' && input.push?.protocol !== undefined)
    )
    return isPushed || this.#parts.ports.clients(wanted.id).length > 0
  }

  /** Whether players find segments of all HLS outputs. */
  #hasSegments(channel: Channel): boolean {
    const playlistOf = (key: string | undefined) => this.#parts.hlsStores.get(key ?? '')?.playlist()
    return outputsOver(channel, HTTP).every((output) => 'key' in output.config && playlistOf(output.config.key))
  }
}

const inputsOf = ({ enable, input, backups = [] }: WantedChannel) => (enable && input ? [input, ...backups] : [])

const outputsOver = ({ wanted }: Channel, ...protocols: number[]) =>
  wanted.outputs.filter(({ enable = true, protocol }) => enable && protocols.includes(protocol))
