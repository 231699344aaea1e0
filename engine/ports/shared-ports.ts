// One SRT port and one RTMP port for all channels. The stream key of a client determines its channel, and whether it
// publishes or plays. A port opens when the first channel needs it.
import type { MissingPartDetail } from '../../contract/stream/missing-part.ts'
import { RTMP, SRT } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import { createIpAllowList } from '../access/ip-allow-list.ts'
import { RefusedCallers } from '../access/refused-callers.ts'
import type { ChannelAccess, ObservedClient } from '../interfaces/channel.ts'
import { PortClosedError } from '../interfaces/errors.ts'
import type { ClientIds, KeyChecks, Publisher, RtmpPush, ShownRefusal } from '../interfaces/leg-parts.ts'
import type { ObservedPort, ObservedPorts, PortRefusal, PortSettings } from '../interfaces/ports.ts'
import type { Stream } from '../interfaces/relay.ts'
import type { ProcessOutputParts } from '../outputs/process-output.ts'
import { findProgram } from '../process/find-program.ts'
import { INSTALL_RTMP, isRtmpInstalled } from '../rtmp/nginx.ts'
import type { RtmpPort } from '../rtmp/rtmp-port.ts'
import { SRT_PROGRAM } from '../srt/caller.ts'
import { INSTALL_SRT, type SrtPort } from '../srt/srt-port.ts'
import { Players } from './players.ts'
import { type PortChannel, type PortClient, PortRegistry } from './port-registry.ts'
import { RtmpGateway } from './rtmp-gateway.ts'
import { SrtGateway, srtKeysOf } from './srt-gateway.ts'

export type SharedPortParts = ProcessOutputParts & ClientIds & KeyChecks

/** Milliseconds to wait for the RTMP port, and between checks. */
const PORT_TIMEOUT = 10_000
const PORT_CHECK_INTERVAL = 50

interface SharedPortsOptions {
  /** Address at which the ports listen. */
  host: string
  context: SharedPortParts
  /** The publisher of a channel connected or left. */
  onPublisherChange(channelId: number): void
  onRefusal?(refusal: PortRefusal): void
}

export class SharedPorts {
  readonly #options: SharedPortsOptions
  readonly #registry: PortRegistry
  /** The address at which the ports listen. */
  readonly #address: string
  #settings: PortSettings | undefined
  #srt: SrtGateway | undefined
  #rtmp: RtmpGateway | undefined
  /** Ports that are being closed. */
  readonly #closing = new Set<Promise<void>>()

  constructor(options: SharedPortsOptions) {
    const { host, context, onPublisherChange, onRefusal } = options
    this.#options = options
    this.#address = host === 'localhost' ? '127.0.0.1' : host
    this.#registry = new PortRegistry(context, {
      onPublisherChange,
      disconnect: (client) => this.#disconnect(client),
      ...(onRefusal && { onRefusal }),
      onChange: () => context.onChange()
    })
  }

  /** Opens the ports, or moves them, which disconnects the clients of a moved port. */
  configure(settings: PortSettings): void {
    const previous = this.#settings
    if (previous && previous.srt.port !== settings.srt.port) {
      this.#closePort(this.#srt?.port)
      this.#srt = undefined
    }
    if (previous && previous.rtmp.port !== settings.rtmp.port) {
      this.#closePort(this.#rtmp?.port)
      this.#rtmp = undefined
    }
    this.#settings = structuredClone(settings)
    this.#updatePorts()
    this.#options.context.onChange()
  }

  /**
   * Adds, changes or removes a channel. Without access or stream it is removed.
   * @param stream the stream for players
   * @param published the stream of its publisher; undefined if the channel has a configured input
   */
  applyChannel(
    id: number,
    access: ChannelAccess | undefined,
    stream: Stream | undefined,
    published: Stream | undefined
  ): void {
    const known = this.#registry.channels.get(id)
    if (access && stream) this.#setChannel(known, { id, access, stream, published })
    else if (known) this.#removeChannel(known)
    this.#updatePorts()
  }

  /** The publisher of a channel. */
  publisher(channelId: number): Publisher | undefined {
    return this.#registry.channels.get(channelId)?.publisher?.publisher
  }

  /** As `openRtmpPush` of `interfaces/leg-parts.ts`. The port opens with the first device, if no channel needs it. */
  openRtmpPush(onPublisher: (publisher: Publisher) => void): RtmpPush {
    const { devicePushes } = this.#registry
    const push = devicePushes.add(onPublisher)
    this.#updatePorts()
    return {
      key: push.key,
      port: () => this.#waitForRtmpPort(() => devicePushes.byKey(push.key) !== undefined),
      close: () => {
        devicePushes.revoke(push.key)
        if (push.client !== undefined) this.#rtmp?.port.disconnect(push.client)
      }
    }
  }

  /** As `lastRefusal` of `interfaces/leg-parts.ts`. */
  lastRefusal(channelId: number): ShownRefusal | undefined {
    return this.#registry.lastRefusal(channelId)
  }

  /**
   * Why publishers of a channel cannot connect, or were disconnected a short time ago: the port of the last publisher
   * has failed, or both ports if there was none. Undefined if they can.
   */
  portFailure(channelId: number): Reason | undefined {
    const protocol = this.#registry.channels.get(channelId)?.publisherProtocol
    const ports = [protocol !== RTMP && this.#srt?.port, protocol !== SRT && this.#rtmp?.port].filter((port) => !!port)
    const reasons = ports.map((port) => port.recentFailure())
    return reasons.includes(undefined) ? undefined : reasons[0]
  }

  /** Clients of a channel, oldest first. */
  clients(channelId: number): ObservedClient[] {
    const now = this.#options.context.now()
    return this.#registry.clientsOf(channelId).map((client) => {
      const { id, isPublisher, protocol, address, since } = client
      const livingTimeS = Math.floor((now - since) / 1000)
      return { id, isPublisher, protocol, address, kbps: this.#kbpsOf(client), livingTimeS }
    })
  }

  /** Disconnects a client, which may reconnect. Returns false if there is no such client. */
  disconnect(channelId: number, id: number): boolean {
    const client = this.#registry.client(id)
    if (client?.channel.id !== channelId) return false
    this.#disconnect(client)
    return true
  }

  observe(): ObservedPorts {
    return { srt: observePort(this.#srt?.port), rtmp: observePort(this.#rtmp?.port) }
  }

  /** Tries immediately to open ports that have failed. */
  retryNow(): void {
    this.#srt?.port.retryNow()
    this.#rtmp?.port.retryNow()
  }

  /** Call about twice a second. */
  tick(now: number): void {
    for (const channel of this.#registry.channels.values()) {
      channel.players.tick(now)
      this.#rtmp?.refuseUnsupported(channel)
    }
  }

  /** The missing programs, each with the command that installs it. */
  listMissing(): MissingPartDetail[] {
    const missing: MissingPartDetail[] = []
    if (!findProgram(SRT_PROGRAM)) missing.push(`no-srt ${INSTALL_SRT}`)
    if (!isRtmpInstalled()) missing.push(`no-rtmp ${INSTALL_RTMP}`)
    return missing
  }

  /** Closes the ports until they are configured again. */
  async close(): Promise<void> {
    for (const channel of [...this.#registry.channels.values()]) this.#removeChannel(channel)
    this.#closePort(this.#srt?.port)
    this.#closePort(this.#rtmp?.port)
    this.#srt = undefined
    this.#rtmp = undefined
    this.#settings = undefined
    await Promise.all(this.#closing)
  }

  /** Opens the ports that channels need, and updates the SRT keys. */
  #updatePorts(): void {
    const settings = this.#settings
    if (!settings) return
    const channels = [...this.#registry.channels.values()]
    const keys = channels.flatMap((channel) => srtKeysOf(channel, settings.srt))
    if (keys.length > 0) this.#srt ??= new SrtGateway(this.#registry, this.#address, settings.srt.port)
    this.#srt?.port.setKeys(keys)
    if (this.#registry.devicePushes.size > 0 || channels.some(({ access, published }) => published || access.rtmp))
      this.#rtmp ??= new RtmpGateway(this.#registry, this.#address, settings.rtmp.port)
  }

  async #waitForRtmpPort(isWanted: () => boolean): Promise<number> {
    for (const end = this.#options.context.now() + PORT_TIMEOUT; isWanted(); ) {
      const port = this.#rtmp?.port
      const open = port?.port()
      if (open !== undefined) return open
      if (port?.failure() !== undefined || this.#options.context.now() > end) break
      await new Promise((resolve) => setTimeout(resolve, PORT_CHECK_INTERVAL))
    }
    throw new PortClosedError(this.#rtmp?.port.failure() ?? 'ended-silently')
  }

  #closePort(port: SrtPort | RtmpPort | undefined): void {
    if (!port) return
    const closed = port.close().finally(() => this.#closing.delete(closed))
    this.#closing.add(closed)
  }

  #setChannel(
    known: PortChannel | undefined,
    values: Pick<PortChannel, 'id' | 'access' | 'stream' | 'published'>
  ): void {
    const { context } = this.#options
    const before = known && accessFingerprint(known)
    const fields = { ...values, allowList: createIpAllowList(values.access['allow-ip']) }
    const channel: PortChannel = known
      ? Object.assign(known, fields)
      : { ...fields, players: new Players(context), refusedCallers: new RefusedCallers(context.now) }
    this.#registry.channels.set(channel.id, channel)
    channel.players.attach(channel.stream)
    // The SRT port itself disconnects clients whose key has changed.
    if (before !== undefined && before !== accessFingerprint(channel)) this.#rtmp?.recheckClients(channel)
  }

  #removeChannel(channel: PortChannel): void {
    for (const client of this.#registry.clientsOf(channel.id)) this.#disconnect(client)
    this.#registry.channels.delete(channel.id)
    this.#rtmp?.removeChannel(channel.id)
    channel.players.stop()
  }

  #disconnect({ id, protocol, portId }: PortClient): void {
    if (!this.#registry.client(id)) return
    if (protocol === SRT) this.#srt?.port.disconnect(portId)
    if (protocol === RTMP) this.#rtmp?.port.disconnect(portId)
  }

  #kbpsOf({ id, isPublisher, protocol, channel }: PortClient): number {
    if (isPublisher) return channel.published?.kbps() ?? 0
    return protocol === SRT ? channel.players.kbps(id) : (this.#rtmp?.playerKbps(channel.id) ?? 0)
  }
}

/** Changes if clients may have to be disconnected. */
const accessFingerprint = ({ access, published }: PortChannel) => JSON.stringify([access, published !== undefined])

function observePort(port: SrtPort | RtmpPort | undefined): ObservedPort {
  const [open, reason] = [port?.port(), port?.failure()]
  return { ...(open !== undefined && { port: open }), ...(reason !== undefined && { reason }) }
}
