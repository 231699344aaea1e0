// The shared RTMP port: connects its clients with channels. A stream inside nginx is named `in-<channel ID>-<number of
// the publisher>`, so that a publisher can replace another one whose end nginx has not noticed, or `out-<channel ID>`.
import { RTMP } from '../../contract/stream/protocols.ts'
import { hashKey } from '../access/key-throttle.ts'
import { type RtmpClient, RtmpPort } from '../rtmp/rtmp-port.ts'
import type { DevicePush } from './device-pushes.ts'
import type { PortChannel, PortRegistry } from './port-registry.ts'
import { createRtmpPublisher } from './publishers.ts'

type ClientRequest = Pick<RtmpClient, 'isPublisher' | 'key' | 'peer'>

export class RtmpGateway {
  readonly port: RtmpPort
  readonly #registry: PortRegistry
  /** Internal addresses of the outputs to nginx, by channel. */
  readonly #relays = new Map<number, { url: string; name: string }>()
  #publishers = 0

  /** @param host IP address */
  constructor(registry: PortRegistry, host: string, port: number) {
    const { launcher, now } = registry.context
    this.#registry = registry
    this.port = new RtmpPort({
      launcher,
      host,
      port,
      now,
      authorize: (client) => this.#authorize(client),
      onConnect: (client) => this.#handleConnect(client),
      onDisconnect: (client) => this.#handleDisconnect(client),
      onChange: () => {
        // A port chosen by the system can change when nginx restarts.
        if (this.port.port() === undefined) this.#relays.clear()
        registry.events.onChange()
      }
    })
  }

  /** Disconnects clients of a channel that would now be refused. */
  recheckClients(channel: PortChannel): void {
    for (const client of this.#registry.clientsOf(channel.id)) {
      if (client.protocol !== RTMP) continue
      const rtmpClient = this.port.clients().find(({ id }) => id === client.portId)
      const isValid =
        rtmpClient &&
        isValidKey(channel, client.isPublisher, rtmpClient.key) &&
        channel.allowList.allows(rtmpClient.peer)
      if (!isValid) this.port.disconnect(client.portId)
    }
  }

  /** Disconnects the players of a stream that RTMP cannot carry. Otherwise they would wait for it. */
  refuseUnsupported(channel: PortChannel): void {
    const reason = channel.players.rtmpRefusal()
    if (reason === undefined) return
    for (const { protocol, isPublisher, portId, address } of this.#registry.clientsOf(channel.id)) {
      if (protocol !== RTMP || isPublisher) continue
      this.#registry.reportRefusal(RTMP, address, channel, reason)
      this.port.disconnect(portId)
    }
  }

  /** Forgets a channel that was removed. */
  removeChannel(channelId: number): void {
    this.#relays.delete(channelId)
    this.port.revokeInternalAddresses(playerStream(channelId))
  }

  /** Rate sent to each player of a channel. */
  playerKbps(channelId: number): number {
    return this.port.kbps(playerStream(channelId))
  }

  /** Resolves with the name of the stream inside nginx, or undefined to refuse the client. */
  async #authorize({ isPublisher, key, peer }: ClientRequest): Promise<string | undefined> {
    const { channels, context, devicePushes } = this.#registry
    const push = isPublisher ? devicePushes.byKey(key) : undefined
    if (push) return this.#admitDevice(push)
    if (devicePushes.isRevoked(key)) return undefined
    if (context.keyThrottle.isBlocked(peer)) return undefined
    const channel = [...channels.values()].find((each) => isValidKey(each, isPublisher, key))
    if (!channel) {
      this.#refuseKey(isPublisher, key, peer)
      return undefined
    }
    const isAllowed = channel.allowList.allows(peer)
    const unsupported = isPublisher ? undefined : channel.players.rtmpRefusal()
    if (isAllowed && !isPublisher && !unsupported) return playerStream(channel.id)
    const isFree = isAllowed && isPublisher && (await this.#registry.isReplaceable(channel))
    if (isFree && isValidKey(channel, true, key)) {
      this.#registry.endPublisher(channel)
      return `in-${channel.id}-${++this.#publishers}`
    }
    if (isPublisher && !isAllowed) this.#registry.showRefusal(channel, 'from-elsewhere', peer)
    this.#registry.reportRefusal(RTMP, peer, channel, isAllowed ? (unsupported ?? 'key-in-use') : 'from-elsewhere')
    return undefined
  }

  #refuseKey(isPublisher: boolean, key: string, peer: string): void {
    const { channels, context } = this.#registry
    context.keyThrottle.recordWrongKey(peer, hashKey(key))
    const other = [...channels.values()].find((each) => each.published && isValidKey(each, !isPublisher, key))
    this.#registry.reportRefusal(RTMP, peer, other, other ? 'key-other-way' : 'key-unknown')
    if (isPublisher && other) this.#registry.showRefusal(other, 'key-other-way', peer)
    else if (isPublisher) this.#registry.showUnknownKey(key, peer)
  }

  /** A device that connects again replaces its connection, whose end nginx may not have noticed. */
  #admitDevice(push: DevicePush): string {
    if (push.client !== undefined) this.port.disconnect(push.client)
    return push.stream
  }

  #handleConnect({ id: portId, isPublisher, peer, stream }: RtmpClient): void {
    const registry = this.#registry
    const push = registry.devicePushes.byStream(stream)
    if (push) {
      push.client = portId
      const disconnectDevice = () => {
        if (push.client === portId) this.port.disconnect(portId)
      }
      push.onPublisher(createRtmpPublisher(stream, this.port, registry.context.launcher, disconnectDevice))
      return
    }
    const channel = registry.findChannel(stream)
    if (!channel) return
    const client = registry.addClient({ isPublisher, protocol: RTMP, portId, address: peer, channel })
    if (!isPublisher) return void this.#updateRelay(channel)
    const disconnect = () => {
      if (registry.client(client.id)) this.port.disconnect(portId)
    }
    registry.setPublisher(client, createRtmpPublisher(stream, this.port, registry.context.launcher, disconnect))
  }

  #handleDisconnect({ id: portId, stream }: RtmpClient): void {
    const { events, devicePushes } = this.#registry
    const push = devicePushes.byStream(stream)
    if (push) {
      if (push.client !== portId) return
      delete push.client
      this.port.revokeInternalAddresses(stream)
      return
    }
    const removed = this.#registry.removeClient(RTMP, portId)
    if (!removed) return
    const { channel } = removed.client
    if (removed.wasPublisher) {
      // An address that was created for the input, but not used.
      this.port.revokeInternalAddresses(stream)
      events.onPublisherChange(channel.id)
    } else this.#updateRelay(channel)
    events.onChange()
  }

  /** Sends the stream of a channel to nginx while it has RTMP players. */
  #updateRelay(channel: PortChannel): void {
    const hasPlayers = this.#registry
      .clientsOf(channel.id)
      .some(({ protocol, isPublisher }) => protocol === RTMP && !isPublisher)
    if (!hasPlayers) return void channel.players.setRelay(undefined)
    const { url, name } =
      this.#relays.get(channel.id) ?? this.port.createInternalAddress(playerStream(channel.id), false)
    this.#relays.set(channel.id, { url, name })
    channel.players.setRelay({ url, key: name })
  }
}

/** Name of the stream for the players of a channel inside nginx. */
const playerStream = (channelId: number) => `out-${channelId}`

/** Whether a key publishes to a channel, or plays it. */
function isValidKey({ access, published }: PortChannel, isPublisher: boolean, key: string): boolean {
  return isPublisher ? published !== undefined && access['push-key'] === key : access.rtmp && access['play-key'] === key
}
