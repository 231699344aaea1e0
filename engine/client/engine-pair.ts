// The engine that the hub uses, and the one of a newer release that runs beside it while channels are moved from one to
// the other (docs/architecture/upgrade.md). Each channel belongs to one of them.
import { CONNECTION_STATE } from '../../contract/stream/protocols.ts'
import type { EnginePeer } from '../connection/peer.ts'
import type { PreviewSize, WantedChannel } from '../interfaces/channel.ts'
import type { EngineClientOptions } from '../interfaces/engine-client.ts'
import type { NdiSettings } from '../interfaces/ndi.ts'
import type { PortSettings } from '../interfaces/ports.ts'
import { waitFor } from '../interfaces/wait-at-most.ts'
import type { EngineHello } from '../interfaces/wire.ts'
import { SocketEngineClient } from './engine-client.ts'

/** Milliseconds to wait for the streams of moved channels before the next ones are moved. */
const SETTLE_TIMEOUT = 5000
/** Milliseconds until the hub is connected with the next engine, which listens. */
const CONNECT_TIMEOUT = 10_000

/** A subscription to preview images, which moves with its channel. */
interface PreviewWatch {
  id: number
  size: PreviewSize
  onImage(jpeg: Uint8Array): void
  end(): void
}

export class EnginePair {
  readonly #options: EngineClientOptions
  #current: SocketEngineClient
  #next: SocketEngineClient | undefined
  /** Whether the next engine has the shared ports. */
  #hasMovedPorts = false
  #ports: PortSettings | undefined
  readonly #previews = new Set<PreviewWatch>()
  #switchOver: Promise<void> | undefined

  constructor(options: EngineClientOptions) {
    this.#options = options
    this.#current = this.#createClient(options.socket)
  }

  /** The engine that runs all channels that were not moved. */
  get current(): SocketEngineClient {
    return this.#current
  }

  /** Both engines; normally there is one. */
  get all(): SocketEngineClient[] {
    return this.#next ? [this.#current, this.#next] : [this.#current]
  }

  /** The engine to which a channel belongs. */
  of(id: number): SocketEngineClient {
    return this.#next?.isWanted(id) ? this.#next : this.#current
  }

  /** The engine that has the shared ports. */
  get portOwner(): SocketEngineClient {
    return (this.#hasMovedPorts && this.#next) || this.#current
  }

  configurePorts(settings: PortSettings): Promise<void> {
    this.#ports = structuredClone(settings)
    return this.portOwner.configurePorts(settings)
  }

  async configureNdi(settings: NdiSettings): Promise<void> {
    await Promise.all(this.all.map((client) => client.ndi.configure(settings)))
  }

  watchPreview(id: number, size: PreviewSize, onImage: (jpeg: Uint8Array) => void): (() => void) | undefined {
    if (!this.of(id).isWanted(id)) return undefined
    const watch: PreviewWatch = { id, size, onImage, end: this.of(id).previews.watchChannel(id, size, onImage) }
    this.#previews.add(watch)
    return () => {
      this.#previews.delete(watch)
      watch.end()
    }
  }

  get canSwitchOver(): boolean {
    return this.#current.canSwitchOver
  }

  get isSwitchingOver(): boolean {
    return this.#switchOver !== undefined
  }

  /**
   * Starts an engine of the newest release beside the one that runs, moves all channels to it, one after the other, and
   * ends the one before. A failure leaves each channel where it is; another call continues.
   */
  async switchOver(): Promise<void> {
    this.#switchOver ??= this.#moveAll().finally(() => {
      this.#switchOver = undefined
    })
    await this.#switchOver
  }

  async close(): Promise<void> {
    await Promise.all(this.all.map((client) => client.close()))
  }

  /** Only the current engine can be away, or back: the next one ends with it. */
  #createClient(socket: string): SocketEngineClient {
    const options = this.#options
    const isCurrent = () => this.#current === client
    const client: SocketEngineClient = new SocketEngineClient({
      ...options,
      socket,
      wantedMatrices: () => (isCurrent() ? options.wantedMatrices() : []),
      onAway: () => isCurrent() && options.onAway(),
      onBack: (back) => isCurrent() && options.onBack(back),
      onRestart: () => isCurrent() && options.onRestart(),
      onNdiStatusChange: (status) => isCurrent() && options.onNdiStatusChange(status),
      onPortsChange: () => client === this.portOwner && options.onPortsChange(),
      onSuccessor: (successor) => isCurrent() && this.#setSuccessor(successor)
    })
    return client
  }

  /** The current engine says which channels another engine has, whether this hub or the one before has moved them. */
  #setSuccessor(successor: EngineHello['successor']): void {
    if (!successor) {
      const next = this.#next
      this.#next = undefined
      this.#hasMovedPorts = false
      for (const wanted of next?.allWanted() ?? []) {
        this.#current.expect(wanted)
        this.#movePreviews(wanted.id, this.#current)
      }
      if (this.#ports) void this.#current.configurePorts(this.#ports)
      void next?.close()
      return
    }
    if (this.#next) return
    const next = this.#openNext(successor.socket)
    for (const id of successor.channels) {
      const wanted = this.#current.wanted(id)
      if (!wanted) continue
      next.expect(wanted)
      this.#current.forget(id)
    }
    if (successor.hasPorts) void this.#openPorts(next)
    next.connect()
  }

  #openNext(socket: string): SocketEngineClient {
    const next = this.#createClient(socket)
    const { settings } = this.#current.ndi
    if (settings) void next.ndi.configure(settings)
    this.#next = next
    return next
  }

  async #moveAll(): Promise<void> {
    // After another connection is made, the engine may be another one.
    const peer = this.#current.require()
    const socket = await peer.call('startSuccessor')
    if (!this.#next) this.#openNext(socket).connect()
    await waitFor(() => this.#next?.isConnected ?? true, CONNECT_TIMEOUT)
    if (!this.#next) throw new Error('The next engine has ended')
    const groups = await peer.call('handOverGroups')
    for (const group of groups.filter(({ usesPorts }) => !usesPorts)) await this.#move(peer, group.ids)
    // What uses the shared ports is moved with them, at once.
    const ids = groups.flatMap((group) => (group.usesPorts ? group.ids : []))
    await this.#movePorts(peer, ids)
    await this.#finish(peer)
  }

  async #movePorts(peer: EnginePeer, ids: number[]): Promise<void> {
    await this.#move(peer, ids, async () => {
      await peer.call('closePorts')
      if (this.#next) await this.#openPorts(this.#next)
    })
  }

  async #openPorts(next: SocketEngineClient): Promise<void> {
    this.#hasMovedPorts = true
    this.#current.forgetPorts()
    if (this.#ports) await next.configurePorts(this.#ports)
  }

  /**
   * Moves channels.
   * @param peer connection to the current engine
   * @param whenGiven called when they have ended at the current engine
   */
  async #move(peer: EnginePeer, ids: number[], whenGiven?: () => Promise<void>): Promise<void> {
    const [current, next] = [this.#current, this.#next]
    if (!next) throw new Error('The next engine has ended')
    const isOnAir = (client: SocketEngineClient) => (id: number) =>
      client.observe(id).connState === CONNECTION_STATE.connected
    const onAir = ids.filter(isOnAir(current))
    const taken = await this.#take(peer, ids, onAir, next)
    try {
      await peer.call('give', taken)
      await whenGiven?.()
    } finally {
      // Unless the current engine has said meanwhile that there is no next one.
      if (this.#next === next) for (const id of ids) this.#settle(id, next)
    }
    await waitFor(() => onAir.every(isOnAir(next)), SETTLE_TIMEOUT)
  }

  /** Lets the next engine run channels beside the current one, as far as both can. */
  async #take(peer: EnginePeer, ids: number[], onAir: number[], next: SocketEngineClient) {
    const prepared = ids.flatMap((id) => this.#current.wanted(id) ?? [])
    try {
      await next.require().call('prepare', prepared, await peer.call('offer', ids))
      return await next.require().call('take', ids, onAir)
    } catch (error) {
      for (const id of ids) void next.remove(id)
      throw error
    }
  }

  /** The next engine runs a channel as it is wanted now, which may have changed meanwhile. */
  #settle(id: number, next: SocketEngineClient): void {
    const wanted: WantedChannel | undefined = this.#current.wanted(id)
    if (!wanted) return void next.remove(id)
    this.#current.forget(id)
    void next.apply(wanted)
    this.#movePreviews(id, next)
  }

  #movePreviews(id: number, client: SocketEngineClient): void {
    for (const watch of this.#previews) {
      if (watch.id !== id) continue
      watch.end()
      watch.end = client.previews.watchChannel(id, watch.size, watch.onImage)
    }
  }

  /** Ends the engine before. */
  async #finish(peer: EnginePeer): Promise<void> {
    const [before, next] = [this.#current, this.#next]
    if (!next) throw new Error('The next engine has ended')
    // Channels that were added meanwhile.
    for (const { id } of before.allWanted()) this.#settle(id, next)
    await peer.call('retire')
    next.takePlace(this.#options.socket)
    this.#current = next
    this.#next = undefined
    this.#hasMovedPorts = false
    await before.close()
    next.router.apply()
  }
}
