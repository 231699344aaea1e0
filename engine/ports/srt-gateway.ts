// The shared SRT port: connects its clients with channels. The token of a key is `push-<channel ID>` or `play-<channel
// ID>`.
import { SRT } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import { addressOfPeer } from '../access/ip-allow-list.ts'
import type { PortSettings } from '../interfaces/ports.ts'
import { SRT_PROGRAM } from '../srt/caller.ts'
import { PUBLISHER_SILENCE, type SrtPortKey } from '../srt/port-key.ts'
import { type SrtClient, SrtPort, type SrtRefusal } from '../srt/srt-port.ts'
import type { PortChannel, PortRegistry } from './port-registry.ts'
import { createSrtPublisher, type SrtPublisher } from './publishers.ts'

/** Maximum number of SRT players of a channel. */
const PLAYERS_MAX = 1000
/** Packets after which a player that sends is an encoder with the wrong key. */
const SENT_MAX = 16
/** SRT latency in milliseconds. */
const LATENCY = 120
/** By the cause that `headend-srt` reports; other causes are errors of the client's software. */
const REFUSALS: Partial<Record<SrtRefusal['cause'], Reason>> = {
  key: 'key-unknown',
  mode: 'key-other-way',
  forbidden: 'from-elsewhere',
  busy: 'key-in-use',
  full: 'port-full',
  passphrase: 'wrong-passphrase'
}

/** Reasons that say that the publisher is wrong. */
const SHOWN: readonly Reason[] = ['wrong-passphrase', 'from-elsewhere', 'key-other-way']

export class SrtGateway {
  readonly port: SrtPort
  readonly #registry: PortRegistry
  /** By client ID of the port. */
  readonly #publishers = new Map<number, SrtPublisher>()

  /** @param host IP address */
  constructor(registry: PortRegistry, host: string, port: number) {
    const { launcher, keyThrottle, now } = registry.context
    this.#registry = registry
    this.port = new SrtPort({
      launcher,
      program: SRT_PROGRAM,
      host,
      port,
      keyLength: 0,
      keyThrottle,
      now,
      onConnect: (client) => this.#handleConnect(client),
      onUnlink: ({ id }) => {
        const client = registry.clientAt(SRT, id)
        client?.channel.players.handleUnlink(client.id)
      },
      onDisconnect: ({ id }) => this.#handleDisconnect(id),
      onRefusal: (refusal) => this.#handleRefusal(refusal),
      onStats: (client, { received = 0 }) => received > SENT_MAX && this.#refuseSender(client),
      onChange: () => {
        for (const publisher of this.#publishers.values()) publisher.handleChange()
        registry.events.onChange()
      }
    })
  }

  #handleConnect(srtClient: SrtClient): void {
    const registry = this.#registry
    const { id: portId, token } = srtClient
    const channel = registry.findChannel(token)
    const isPublisher = token.startsWith('push')
    // The port has already replaced a silent SRT publisher.
    const isTaken =
      isPublisher && channel?.publisher?.client.protocol !== SRT && channel && registry.hasActivePublisher(channel)
    if (!channel) this.port.disconnect(portId)
    else if (isTaken) void this.#replacePublisher(srtClient, channel)
    else this.#addClient(srtClient, channel, isPublisher)
  }

  /** Adds a publisher when that over RTMP turns out to be silent, and refuses it otherwise. */
  async #replacePublisher(srtClient: SrtClient, channel: PortChannel): Promise<void> {
    const isReplaceable = await this.#registry.isReplaceable(channel)
    if (!this.port.clients().includes(srtClient)) return
    if (isReplaceable) return this.#addClient(srtClient, channel, true)
    this.#registry.reportRefusal(SRT, addressOfPeer(srtClient.peer), channel, 'key-in-use')
    this.port.disconnect(srtClient.id)
  }

  #addClient(srtClient: SrtClient, channel: PortChannel, isPublisher: boolean): void {
    const registry = this.#registry
    const { id: portId, peer } = srtClient
    if (isPublisher) registry.endPublisher(channel)
    const client = registry.addClient({ isPublisher, protocol: SRT, portId, address: peer, channel })
    if (!isPublisher) return void channel.players.addSrtPlayer(client.id, (address) => this.port.link(portId, address))
    const disconnect = () => {
      if (registry.client(client.id)) this.port.disconnect(portId)
    }
    const publisher = createSrtPublisher(srtClient, this.port, disconnect)
    this.#publishers.set(portId, publisher)
    registry.setPublisher(client, publisher)
  }

  /** Without a direction in its stream ID, an encoder with the play key is a player until it sends. */
  #refuseSender({ id, token, peer }: SrtClient): void {
    if (!token.startsWith('play-')) return
    this.#handleRefusal({ cause: 'mode', token, peer })
    this.port.disconnect(id)
  }

  #handleDisconnect(portId: number): void {
    const { events } = this.#registry
    const removed = this.#registry.removeClient(SRT, portId)
    const publisher = this.#publishers.get(portId)
    this.#publishers.delete(portId)
    if (removed?.wasPublisher) events.onPublisherChange(removed.client.channel.id)
    publisher?.handleEnd()
    if (removed) events.onChange()
  }

  #handleRefusal({ cause, token, peer, name, plays }: SrtRefusal): void {
    const address = addressOfPeer(peer)
    const channel = this.#registry.findChannel(token)
    const reason = REFUSALS[cause]
    if (reason) this.#registry.reportRefusal(SRT, address, channel, reason)
    if (cause === 'key' && !plays) this.#registry.showUnknownKey(name ?? '', address)
    // A caller that would publish with the play key.
    const isPublisher = token.startsWith('push-') !== (cause === 'mode')
    if (channel?.published && reason && SHOWN.includes(reason) && isPublisher)
      this.#registry.showRefusal(channel, reason, address)
  }
}

/** The keys of a channel: one to publish if it has no configured input, and one to play if that is allowed. */
export function srtKeysOf({ id, access, published }: PortChannel, settings: PortSettings['srt']): SrtPortKey[] {
  const { 'pb-key-len': keyLength, passphrase } = settings
  const shared = {
    keyLength,
    passphrase: keyLength === 0 ? '' : passphrase,
    latency: LATENCY,
    allowIp: access['allow-ip']
  }
  const push = {
    ...shared,
    token: `push-${id}`,
    isPublisher: true,
    name: access['push-key'],
    maxClients: 1,
    replaceAfter: access['replace-publisher'] ? 0 : PUBLISHER_SILENCE
  }
  const play = { ...shared, token: `play-${id}`, isPublisher: false, name: access['play-key'], maxClients: PLAYERS_MAX }
  return [...(published ? [push] : []), ...(access.srt ? [play] : [])]
}
