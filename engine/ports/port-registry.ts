// The channels at the shared ports and their clients, independent of the protocol.
import type { RTMP, SRT } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import type { IpAllowList } from '../access/ip-allow-list.ts'
import { hashKey } from '../access/key-throttle.ts'
import { maskSecret, RefusedCallers } from '../access/refused-callers.ts'
import type { ChannelAccess } from '../interfaces/channel.ts'
import type {
  ChangeReports,
  ClientIds,
  KeyChecks,
  Processes,
  Publisher,
  ShownRefusal
} from '../interfaces/leg-parts.ts'
import type { PortRefusal } from '../interfaces/ports.ts'
import type { Stream } from '../interfaces/relay.ts'
import { PUBLISHER_SILENCE } from '../srt/port-key.ts'
import { DevicePushes } from './device-pushes.ts'
import type { Players } from './players.ts'

/**
 * Milliseconds before the end of a publisher from which an unknown key counts as that of its next connection: an
 * encoder that was restarted with another key may call before the end of its previous connection is noticed.
 */
const REFUSED_BEFORE_END = 10_000
/** Milliseconds that a publisher has for its first media. */
const PUBLISHER_START = 5000
/** Milliseconds for which media of a publisher may still arrive that it has sent before it failed. */
const IN_FLIGHT = 700
/** Milliseconds between two looks at a publisher that may have failed. */
const SILENCE_CHECK_INTERVAL = 100

export interface PortChannel {
  id: number
  access: ChannelAccess
  allowList: IpAllowList
  /** The stream for players. */
  stream: Stream
  /** The stream of the publisher; undefined if the channel has a configured input. */
  published: Stream | undefined
  players: Players
  /** The last publisher that was refused although its key is known. */
  refusedCallers: RefusedCallers
  /** When its last publisher left. */
  leftAt?: number
  publisher?: { client: PortClient; publisher: Publisher }
  /** How its last publisher was connected. */
  publisherProtocol?: PortClient['protocol']
}

export interface PortClient {
  id: number
  isPublisher: boolean
  protocol: typeof RTMP | typeof SRT
  /** ID of the client at its port. */
  portId: number
  /** IP address, with the port if it is known. */
  address: string
  /** When it connected. */
  since: number
  channel: PortChannel
}

interface PortRegistryEvents {
  /** The publisher of a channel connected or left. */
  onPublisherChange(channelId: number): void
  /** Disconnects a client at its port. */
  disconnect(client: PortClient): void
  onRefusal?(refusal: PortRefusal): void
  /** Clients, or the state of a port, changed. */
  onChange(): void
}

export class PortRegistry {
  readonly context: Processes & ChangeReports & ClientIds & KeyChecks
  readonly events: PortRegistryEvents
  readonly devicePushes = new DevicePushes()
  /** By channel ID. */
  readonly channels = new Map<number, PortChannel>()
  readonly #clients = new Map<number, PortClient>()
  /** The last caller with an unknown key. It may have meant any channel that waits for its publisher. */
  readonly #unknownCallers: RefusedCallers

  constructor(context: Processes & ChangeReports & ClientIds & KeyChecks, events: PortRegistryEvents) {
    this.context = context
    this.events = events
    this.#unknownCallers = new RefusedCallers(context.now)
  }

  /** Finds the channel of an SRT token or an RTMP stream name, which are `<side>-<channel ID>`. */
  findChannel(name: string): PortChannel | undefined {
    return this.channels.get(Number(name.split('-')[1]))
  }

  /** Clients of a channel, oldest first. */
  clientsOf(channelId: number): PortClient[] {
    return [...this.#clients.values()].filter(({ channel }) => channel.id === channelId)
  }

  client(id: number): PortClient | undefined {
    return this.#clients.get(id)
  }

  /** Finds a client by its ID at its port. */
  clientAt(protocol: number, portId: number): PortClient | undefined {
    return [...this.#clients.values()].find((each) => each.protocol === protocol && each.portId === portId)
  }

  addClient(fields: Omit<PortClient, 'id' | 'since'>): PortClient {
    const client = { ...fields, id: this.context.nextClientId(), since: this.context.now() }
    this.#clients.set(client.id, client)
    this.events.onChange()
    return client
  }

  /** Removes a client, also as publisher of its channel. The caller must report the change. */
  removeClient(protocol: number, portId: number): { client: PortClient; wasPublisher: boolean } | undefined {
    const client = this.clientAt(protocol, portId)
    if (!client) return undefined
    const { id, channel } = client
    this.#clients.delete(id)
    channel.players.removeSrtPlayer(id)
    const wasPublisher = channel.publisher?.client === client
    if (wasPublisher) {
      delete channel.publisher
      channel.leftAt = this.context.now()
    }
    return { client, wasPublisher }
  }

  setPublisher(client: PortClient, publisher: Publisher): void {
    const { channel } = client
    channel.publisher = { client, publisher }
    channel.refusedCallers.clear()
    channel.publisherProtocol = client.protocol
    this.events.onPublisherChange(channel.id)
  }

  /** Whether a new publisher is refused because another one sends. */
  hasActivePublisher({ publisher, published, access }: PortChannel): boolean {
    if (!publisher || access['replace-publisher']) return false
    const { since } = publisher.client
    const now = this.context.now()
    const lastMediaAt = published?.lastMediaAt() ?? 0
    return lastMediaAt > since ? now - lastMediaAt < PUBLISHER_SILENCE : now - since < PUBLISHER_START
  }

  /**
   * Waits until it is clear whether the publisher of a channel still sends. A crashed encoder connects again before its
   * silence is long enough, and may try only once.
   * @returns whether a new publisher replaces it
   */
  async isReplaceable(channel: PortChannel): Promise<boolean> {
    const { now } = this.context
    const start = now()
    while (this.hasActivePublisher(channel)) {
      const { publisher, published } = channel
      const since = publisher?.client.since ?? 0
      const lastMediaAt = published?.lastMediaAt() ?? 0
      const isSending = lastMediaAt > Math.max(since, start + IN_FLIGHT)
      if (isSending || now() - start > IN_FLIGHT + PUBLISHER_SILENCE) return false
      await new Promise((resolve) => setTimeout(resolve, SILENCE_CHECK_INTERVAL))
    }
    return this.channels.get(channel.id) === channel
  }

  /** Ends the publisher of a channel, which a new one replaces. */
  endPublisher({ id, publisher }: PortChannel): void {
    if (!publisher) return
    const { client } = publisher
    this.events.disconnect(client)
    // The SRT port reports the end later, when the new publisher has taken its place.
    if (this.removeClient(client.protocol, client.portId)) this.events.onPublisherChange(id)
  }

  /** The last publisher that was refused, if the channel may be the one that it meant. */
  lastRefusal(channelId: number): ShownRefusal | undefined {
    const channel = this.channels.get(channelId)
    const own = channel?.refusedCallers.last()
    const unknown = this.#unknownCallers.last()
    const isOlder = unknown && unknown.lastAt < Math.max(own?.lastAt ?? 0, (channel?.leftAt ?? 0) - REFUSED_BEFORE_END)
    return isOlder ? own : (unknown ?? own)
  }

  /** Shows a refused publisher as the state of the channel's input. */
  showRefusal({ refusedCallers }: PortChannel, reason: Reason, address: string): void {
    if (refusedCallers.record(reason, address)) this.context.onChange()
  }

  /**
   * Shows a caller with an unknown key at all channels that wait for their publisher. A key of a stopped channel says
   * nothing about the others.
   */
  showUnknownKey(key: string, address: string): void {
    if (key === '' || this.context.keyThrottle.isIssued(hashKey(key))) return
    if (this.#unknownCallers.record(`key-refused ${maskSecret(key)}`, address)) this.context.onChange()
  }

  reportRefusal(
    protocol: PortRefusal['protocol'],
    address: string,
    channel: PortChannel | undefined,
    reason: Reason
  ): void {
    this.events.onRefusal?.({ protocol, address, channelId: channel?.id, reason })
  }
}
