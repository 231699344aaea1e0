// Serves an engine on a Unix socket: a WebSocket for the hub, and HLS files over HTTP. The engine runs on while no hub
// is connected.

import { createServer, type Server } from 'node:http'
import { type WebSocket, WebSocketServer } from 'ws'
import type { ChannelHistory, HistoryField } from '../../contract/stream/channel-history.ts'
import { logger } from '../../process-log/logger.ts'
import { type Handlers, type HubPeer, MESSAGE_MAX, Peer } from '../connection/peer.ts'
import { Engine, type EngineOptions } from '../engine.ts'
import type { WantedChannel } from '../interfaces/channel.ts'
import {
  CONTROL_PATH,
  ENGINE_PROTOCOL,
  type EngineMethods,
  fingerprint,
  type HandOverMethods,
  type HistoryQuery,
  HLS_PREFIX,
  type HubMethods,
  type LegId,
  type LegRows,
  type Synchronization,
  WATCH_PREFIX
} from '../interfaces/wire.ts'
import { LegStats } from '../stats/leg-stats.ts'
import { DeviceStates } from './device-states.ts'
import { HubConnection } from './hub-connection.ts'
import { handleHlsRequest, handleWatchRequest } from './media-requests.ts'
import { listenOnPrivateSocket, type SocketAccess, succeedSocket } from './private-socket.ts'
import { Successor } from './successor.ts'

/** The options of an engine that do not come from the hub. */
export type LocalOptions = Omit<
  EngineOptions,
  | 'forbidPrivate'
  | 'orderPush'
  | 'cancelOrder'
  | 'orderPlayback'
  | 'cancelPlayback'
  | 'isDeviceOnline'
  | 'hasNoSignal'
  | `on${string}`
>

interface EngineServerOptions {
  /** Path of the socket. */
  socket: string
  /** Default: the user of the engine. */
  socketAccess?: SocketAccess
  engine?: LocalOptions
  /** Identifies this start of the engine. */
  instance: string
  /** Version of the release. */
  version?: string
  /** Protocol number. Default: the current one. */
  protocol?: number
  /**
   * Path at which hubs find the engine that has started this one, and hands its channels over. It is used as soon as
   * that engine has ended.
   */
  before?: string
  /** As in `SuccessorOptions`. */
  launcher?: string
  /** A hub of another version demands a restart. */
  onRestart(): void
  /** All channels were handed over to the engine that this one has started. @param pid of that engine */
  onRetire?(pid: number): void
  /** Another engine has taken the socket. */
  onSocketTaken(): void
}

export interface EngineServer {
  readonly engine: Engine
  /** Stops all streams. */
  close(): Promise<void>
}

/** @throws SocketRefusedError if the socket cannot be used */
export async function startEngineServer(options: EngineServerOptions): Promise<EngineServer> {
  const server = new SocketServer(options)
  try {
    await server.listen()
  } catch (error) {
    await server.close()
    throw error
  }
  return { engine: server.engine, close: () => server.close() }
}

class SocketServer {
  readonly engine: Engine
  readonly #options: EngineServerOptions
  readonly #hub = new HubConnection()
  readonly #devices: DeviceStates
  /** Wanted channels by ID. */
  readonly #wanted = new Map<number, WantedChannel>()
  readonly #http: Server
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: MESSAGE_MAX, perMessageDeflate: false })
  readonly #successor: Successor
  /** Resolves when the last channels that were given to it have ended here. */
  #giving: Promise<void> = Promise.resolve()
  #forbidPrivate = false
  #endCheck = () => {}

  constructor(options: EngineServerOptions) {
    this.#options = options
    this.#devices = new DeviceStates({
      isActive: (sn) => this.engine.isDeviceActive(sn),
      onChange: (sn) => this.engine.notifyDeviceChange(sn)
    })
    this.engine = new Engine({ ...options.engine, ...this.#hubOptions() })
    this.#successor = new Successor({
      socket: options.socket,
      place: options.before ?? options.socket,
      launcher: options.launcher,
      // The hub connects again, and lets this engine run the channels that the other one had. Those that are being
      // handed over end here first.
      onEnd: () => void this.#giving.finally(() => this.#hub.disconnect()).catch(() => {})
    })
    this.#http = createServer((request, response) => {
      if (request.url?.startsWith(HLS_PREFIX)) handleHlsRequest(this.engine, request, response)
      else if (request.url?.startsWith(WATCH_PREFIX)) handleWatchRequest(this.engine, request, response)
      else response.writeHead(404).end()
    })
    this.#http.on('upgrade', (request, socket, head) => {
      if (request.url !== CONTROL_PATH) return void socket.destroy()
      this.#sockets.handleUpgrade(request, socket, head, (webSocket) => this.#accept(webSocket))
    })
  }

  async listen(): Promise<void> {
    const { socket, socketAccess, onSocketTaken } = this.#options
    const endCheck = await listenOnPrivateSocket(this.#http, socket, onSocketTaken, socketAccess)
    const { before } = this.#options
    const endSuccession = before === undefined ? () => {} : succeedSocket(socket, before, onSocketTaken)
    this.#endCheck = () => {
      endCheck()
      endSuccession()
    }
  }

  async close(): Promise<void> {
    this.#endCheck()
    await Promise.all([this.engine.close(), this.#successor.stop()])
    this.#hub.close()
    this.#sockets.close()
    const closed = new Promise<void>((resolve) => this.#http.close(() => resolve()))
    this.#http.closeAllConnections()
    await closed
  }

  /** The engine's functions for the hub's side. */
  #hubOptions(): Omit<EngineOptions, keyof LocalOptions> {
    const hub = this.#hub
    const addEvent: HubConnection['events']['add'] = (event) => {
      hub.events.add(event)
      hub.flushEvents()
    }
    return {
      forbidPrivate: () => this.#forbidPrivate,
      orderPush: (sn, order) => hub.orderPush(sn, order),
      cancelOrder: (sn) => hub.cancel('cancelOrder', sn),
      orderPlayback: (sn, order) => hub.orderPlayback(sn, order),
      cancelPlayback: (sn) => hub.cancel('cancelPlayback', sn),
      isDeviceOnline: (sn) => this.#devices.isOnline(sn),
      hasNoSignal: (sn) => this.#devices.hasNoSignal(sn),
      onNdiSourcesChange: () => hub.notifyNdiSourcesChange(),
      onNdiStateChange: () => hub.notifyNdiStateChange(),
      onKeyGuessing: (address) => addEvent({ kind: 'guessing', address }),
      onPortRefusal: (refusal) => addEvent({ kind: 'refusal', refusal }),
      onUpdate: (snapshot) => {
        hub.update(snapshot)
        hub.flushEvents()
        this.#devices.tick()
      },
      onEvent: (event) => addEvent({ kind: 'stream', event })
    }
  }

  #accept(socket: WebSocket): void {
    const previews = new Map<number, () => void>()
    const peer: HubPeer = new Peer<HubMethods, EngineMethods>(socket, {
      handlers: this.#handlers(() => peer, previews),
      onError: (name, error) => logger.error('A call of the hub failed', error, { name }),
      onClose: () => {
        for (const end of previews.values()) end()
        this.#hub.detach(peer)
      }
    })
  }

  /** @param previews functions that end the previews of this connection, by number */
  #handlers(peer: () => HubPeer, previews: Map<number, () => void>): Handlers<EngineMethods> {
    const { engine } = this
    return {
      ...this.#handOverHandlers(),
      hello: () => ({
        protocol: this.#options.protocol ?? ENGINE_PROTOCOL,
        instance: this.#options.instance,
        ...(this.#options.version !== undefined && { version: this.#options.version }),
        channels: [...this.#wanted].map(([id, wanted]) => [id, this.#fingerprint(wanted)]),
        missing: engine.listMissing(),
        ...(this.#successor.isPossible && { canSwitchOver: true }),
        ...(this.#successor.state && { successor: this.#successor.state })
      }),
      restart: () => this.#options.onRestart(),
      synchronize: (changes) => this.#synchronize(peer(), changes),
      apply: (wanted) => {
        this.#apply(wanted)
        engine.report([wanted.id], true)
      },
      remove: (id) => this.#remove(id),
      configurePorts: (settings) => {
        engine.configurePorts(settings)
        engine.report()
      },
      retryPorts: () => engine.retryPorts(),
      setDevice: (sn, state, hasNoSignal) => {
        this.#devices.set(sn, state)
        this.#devices.setSignal(sn, !hasNoSignal)
        if (state === 'online') this.#hub.retryCancellations(sn)
      },
      recheckAddresses: (forbidPrivate) => {
        this.#forbidPrivate = forbidPrivate
        engine.recheckAddresses()
      },
      disconnectClient: (channel, client) => {
        engine.disconnectClient(channel, client)
        engine.report([channel])
      },
      watchPreview: (watch, channel, size) => {
        const end = engine.watchPreview(channel, size, (jpeg) => peer().sendBinary(encodePreview(watch, jpeg)))
        if (end) previews.set(watch, end)
      },
      watchNdi: (watch, source, size) => {
        const end = engine.watchNdi(source, size, (jpeg) => peer().sendBinary(encodePreview(watch, jpeg)))
        previews.set(watch, end)
      },
      endPreview: (watch) => {
        previews.get(watch)?.()
        previews.delete(watch)
      },
      watchLevel: (id) => engine.watchLevel(id),
      history: (id, leg, query) => readHistory(engine, id, leg, query),
      rows: (id, leg, fields) => readRows(engine, id, leg, fields),
      resetStats: (id, legs) => {
        for (const leg of legs) engine.legStats(id, leg === 'input' ? undefined : leg)?.reset()
        engine.report([id], true)
      },
      applyMatrices: (wanted) => engine.applyMatrices(wanted),
      takeRoutes: async (id, routes) => {
        const outcome = await engine.takeRoutes(id, routes)
        engine.report()
        return outcome
      },
      findNdiSources: async () => {
        const { sources, answers, ...rest } = await engine.findNdiSources()
        return { ...rest, sources: [...sources], answers: [...answers] }
      },
      configureNdi: (settings) => engine.configureNdi(settings),
      observeNdi: () => engine.observeNdi(),
      checkNdiRuntime: () => engine.checkNdiRuntime()
    }
  }

  /** What the hub calls to move channels from this engine to the next one, and to this one from that before. */
  #handOverHandlers(): Pick<Handlers<EngineMethods>, keyof HandOverMethods> {
    const { handOver } = this.engine
    return {
      startSuccessor: () => this.#successor.start(),
      handOverGroups: () => handOver.groups(),
      offer: (ids) => handOver.offer(ids),
      prepare: (channels, offered) => {
        for (const wanted of channels) this.#wanted.set(wanted.id, wanted)
        handOver.prepare(channels, offered)
      },
      take: (ids, onAir) => handOver.take(ids, onAir),
      give: async (taken) => {
        for (const id of taken.ids) this.#wanted.delete(id)
        this.#successor.addChannels(taken.ids)
        this.#giving = handOver.give(taken)
        await this.#giving
      },
      closePorts: async () => {
        await handOver.closePorts()
        this.#successor.addPorts()
      },
      retire: async () => {
        const { onRetire } = this.#options
        if (!onRetire) throw new Error('No other process can take the place of this one')
        const pid = this.#successor.appoint()
        setImmediate(() => onRetire(pid))
      }
    }
  }

  /** A channel that is being taken over differs from each wanted state, so that a hub that connects applies it. */
  #fingerprint(wanted: WantedChannel): string {
    return this.engine.handOver.isTakingOver(wanted.id) ? '' : fingerprint(wanted)
  }

  #synchronize(peer: HubPeer, changes: Synchronization): void {
    const { apply, remove, online, withoutSignal = [], forbidPrivate, ndi, matrices, ports } = changes
    const hadOtherPolicy = forbidPrivate !== this.#forbidPrivate
    this.#forbidPrivate = forbidPrivate
    // Before the channels, whose NDI legs start with it. The engine logs nothing here: host names are looked up again
    // with each leg.
    if (ndi) void this.engine.configureNdi(ndi)
    this.#devices.replaceAll(online)
    this.#devices.replaceWithoutSignal(withoutSignal)
    for (const id of remove) this.#remove(id)
    for (const wanted of apply) this.#apply(wanted)
    this.engine.applyMatrices(matrices)
    if (ports) this.engine.configurePorts(ports)
    if (hadOtherPolicy) this.engine.recheckAddresses()
    this.#hub.attach(peer)
    this.engine.reportAll()
    for (const sn of online) this.#hub.retryCancellations(sn)
  }

  #apply(wanted: WantedChannel): void {
    this.#wanted.set(wanted.id, wanted)
    try {
      this.engine.apply(wanted)
    } catch (error) {
      // The other channels must not suffer from a fault of one.
      logger.error('A channel cannot be applied', error, { id: wanted.id })
    }
  }

  #remove(id: number): void {
    this.#wanted.delete(id)
    this.engine.remove(id)
  }
}

/** A preview image with the number of its subscription (32 bits, big-endian). */
function encodePreview(watch: number, jpeg: Uint8Array): Buffer {
  const header = Buffer.alloc(4)
  header.writeUInt32BE(watch)
  return Buffer.concat([header, jpeg])
}

function statsOf(engine: Pick<Engine, 'legStats'>, id: number, leg: LegId): LegStats {
  return engine.legStats(id, leg === 'input' ? undefined : leg) ?? new LegStats()
}

function readHistory(engine: Pick<Engine, 'legStats'>, id: number, leg: LegId, query: HistoryQuery): ChannelHistory {
  return statsOf(engine, id, leg).history(query, performance.now())
}

/** @param fields those that are wanted; the result has only those that were measured */
function readRows(engine: Pick<Engine, 'legStats'>, id: number, leg: LegId, fields: HistoryField[]): LegRows {
  const stats = statsOf(engine, id, leg)
  const measured = stats.fields()
  const present = fields.filter((field) => measured.includes(field))
  // NaN becomes null in JSON.
  return { fields: present, rows: [...stats.rows(present, performance.now())] }
}
