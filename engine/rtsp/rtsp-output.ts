// An output that players fetch over RTSP: a server on its own port, with a main stream and, if there is one, a sub
// stream, under a key each.
import { createServer, type Server, type Socket } from 'node:net'
import { urlHost } from '../../contract/ipv6.ts'
import { CLIENTS_DEFAULT } from '../../contract/limits.ts'
import type { RtspOutput } from '../../contract/stream/source.ts'
import { ConnectionTable } from '../access/connection-table.ts'
import { normalizeAddress } from '../access/ip-allow-list.ts'
import { hashKey } from '../access/key-throttle.ts'
import type { ObservedPlayer } from '../interfaces/channel.ts'
import type { ClientIds, KeyChecks, ListenAddress, Processes } from '../interfaces/leg-parts.ts'
import type { Stream } from '../interfaces/relay.ts'
import type { Carrier, CarrierContext, OpenCarrier } from '../legs/carrier.ts'
import { Subscription } from '../legs/subscription.ts'
import type { PacketQueue } from '../mpegts/packet-queue.ts'
import { systemFailure } from '../process/failure.ts'
import { createMeter, type Meter } from '../stats/meter.ts'
import { createRtspLogin } from './authentication.ts'
import { createRtspReader } from './message.ts'
import { RtspPath } from './rtsp-path.ts'
import { RtspPlayer, type RtspPlayerContext } from './rtsp-player.ts'
import { SubStream } from './sub-stream.ts'

/**
 * Connections of clients that have not set up a session: of networks without a player, of each of them, and of a
 * network with players beyond those players. The number of players is limited separately.
 */
const CONNECTIONS = { strangers: 64, strangersPerNetwork: 8, knownPerNetwork: 8 }
/** Milliseconds within which a connection must play, from its beginning or from the end of its session. */
export const HANDSHAKE_TIMEOUT = 10_000
/** Milliseconds of the stream that are sent at once: a frame at 25 per second. */
const BATCH = 40
/** Milliseconds between TCP keep-alive probes. */
const KEEP_ALIVE = 10_000

type ServerContext = Processes & ListenAddress & ClientIds & KeyChecks

interface Connection {
  id: number
  player: RtspPlayer
  meter: Meter
  /** IP address. */
  host: string
  /** `address:port`, an IPv6 address in brackets. */
  address: string
}

class RtspServer implements Carrier {
  readonly #config: RtspOutput
  readonly #context: ServerContext
  readonly #output: CarrierContext
  readonly #server: Server
  readonly #connections = new Map<Socket, Connection>()
  readonly #table: ConnectionTable<Socket>
  /** Wrong logins are counted separately from wrong keys, and block only logins to this output. */
  readonly #loginSubject: string
  readonly #maxPlayers: number
  readonly #paths: readonly RtspPath[]
  #stream: Stream | undefined
  /** Bytes dropped for players that have left. */
  #droppedBytes = 0

  constructor(config: RtspOutput, context: ServerContext, output: CarrierContext) {
    this.#config = config
    this.#context = context
    this.#output = output
    this.#loginSubject = `login ${config.key ?? ''}`
    this.#maxPlayers = config['max-client-num'] ?? CLIENTS_DEFAULT
    const { strangers, strangersPerNetwork, knownPerNetwork } = CONNECTIONS
    this.#table = new ConnectionTable(
      {
        strangers,
        strangersPerNetwork,
        known: this.#maxPlayers + strangers,
        knownPerNetwork: this.#maxPlayers + knownPerNetwork
      },
      context.now
    )
    this.#server = createServer((socket) => this.#accept(socket))
    const main = this.#createPath(config.key ?? '', (tap) =>
      // Players that already play do not begin anew with the group of another stream, which would delay them.
      Subscription.ofTap(tap, { batch: BATCH, fromCache: true }, { batch: BATCH })
    )
    const { 'sub-key': subKey } = config
    const hasSub = config['is-sub'] && subKey !== undefined
    this.#paths = hasSub ? [main, this.#createPath(subKey, (tap) => new SubStream(tap, context))] : [main]
  }

  #createPath(key: string, createSource: ConstructorParameters<typeof RtspPath>[2]): RtspPath {
    const players = {
      queues: () => this.#queues(key),
      disconnect: () => {
        for (const [socket, { player }] of this.#connections)
          if (player.key() === key && player.queue()) socket.destroy()
      }
    }
    return new RtspPath(key, players, createSource, this.#context.now)
  }

  /** Resolves when the port is open. */
  async listen(): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.#server.once('error', reject)
      this.#server.listen(this.#config.port, this.#context.outputHost, () => {
        this.#server.off('error', reject)
        resolve()
      })
    })
    this.#server.on('error', (error) => this.#output.onFailure(systemFailure(error)))
  }

  attach(stream: Stream): void {
    this.#stream = stream
    this.#updatePaths()
  }

  playerCount(): number {
    return this.#players().length
  }

  players(now: number): ObservedPlayer[] {
    return this.#players().map(({ id, address, meter, player }) => ({
      id,
      address,
      kbps: meter.kbps(now),
      livingTimeS: Math.floor((now - (player.since() ?? now)) / 1000)
    }))
  }

  disconnect(player: number): boolean {
    const [socket] = [...this.#connections].find(([each, { id }]) => id === player && !each.destroyed) ?? []
    socket?.destroy()
    return socket !== undefined
  }

  recheckAddresses(): void {
    for (const [socket, { host }] of this.#connections) if (!this.#output.allowList().allows(host)) socket.destroy()
  }

  isWaiting(): boolean {
    return this.playerCount() === 0
  }

  droppedBytes(): number {
    return this.#droppedBytes + this.#queues().reduce((sum, queue) => sum + queue.droppedBytes(), 0)
  }

  close(): Promise<void> {
    for (const path of this.#paths) path.close()
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
      for (const socket of this.#connections.keys()) socket.destroy()
    })
  }

  #accept(socket: Socket): void {
    socket.on('error', () => {})
    const host = normalizeAddress(socket.remoteAddress)
    const isRefused = !this.#output.allowList().allows(host) || this.#isBlocked(host)
    if (isRefused || !this.#table.add(socket, host)) return void socket.destroy()
    socket.setNoDelay(true).setKeepAlive(true, KEEP_ALIVE)
    const { username = '', password = '', 'enable-auth': needsLogin } = this.#config
    const login = needsLogin ? createRtspLogin({ username, password }) : undefined
    const meter = createMeter()
    const player = new RtspPlayer(socket, this.#createPlayerContext(host, meter), login)
    const address = `${urlHost(host)}:${socket.remotePort}`
    this.#connections.set(socket, { id: this.#context.nextClientId(), player, meter, host, address })
    const checkHandshake = this.#watchHandshake(socket, player)
    const readData = createRtspReader(
      (request) => player.handleRequest(request),
      () => socket.destroy()
    )
    socket.on('data', (chunk) => {
      readData(chunk)
      checkHandshake()
    })
    socket.on('close', () => {
      this.#table.delete(socket)
      this.#droppedBytes += player.queue()?.droppedBytes() ?? 0
      this.#connections.delete(socket)
      player.close()
      this.#updatePaths()
    })
  }

  /**
   * Closes a connection that does not play in time: a client that sends a byte now and then must not hold it.
   * @returns a function to be called after each request
   */
  #watchHandshake(socket: Socket, player: RtspPlayer): () => void {
    let timer: NodeJS.Timeout | undefined
    const check = () => {
      if (player.since() === undefined) this.#table.dismiss(socket)
      else this.#table.admit(socket)
      if (player.queue()) {
        clearTimeout(timer)
        timer = undefined
      } else timer ??= setTimeout(() => player.queue() || socket.destroy(), HANDSHAKE_TIMEOUT)
    }
    socket.on('close', () => clearTimeout(timer))
    check()
    return check
  }

  #createPlayerContext(host: string, meter: Meter): RtspPlayerContext {
    const { keyThrottle, now } = this.#context
    const { onBytes, onChange, inputKbps } = this.#output
    return {
      hasStream: (key) => this.#paths.some((path) => path.key === key),
      hasRoom: () => this.playerCount() < this.#maxPlayers,
      recordWrongKey: (key) => {
        keyThrottle.recordWrongKey(host, hashKey(key))
        return !this.#isBlocked(host)
      },
      recordWrongLogin: (authorization) => {
        keyThrottle.recordWrongKey(host, hashKey(authorization), this.#loginSubject)
        return !this.#isBlocked(host)
      },
      onBytes: (bytes) => {
        meter.add(bytes, now())
        onBytes(bytes)
      },
      onPlay: (key, queue) => {
        this.#paths.find((path) => path.key === key)?.begin(queue)
        this.#updatePaths()
      },
      onChange,
      inputKbps,
      now
    }
  }

  #updatePaths(): void {
    for (const path of this.#paths) path.update(this.#stream)
  }

  #isBlocked(host: string): boolean {
    const { keyThrottle } = this.#context
    return keyThrottle.isBlocked(host) || keyThrottle.isBlocked(host, this.#loginSubject)
  }

  /** Connections with a session. */
  #players(): Connection[] {
    return [...this.#connections].flatMap(([socket, connection]) =>
      connection.player.since() === undefined || socket.destroyed ? [] : connection
    )
  }

  /** Queues of the players of one stream, or of all. */
  #queues(key?: string): PacketQueue[] {
    const queues: PacketQueue[] = []
    // Without intermediate arrays, because this is called for each batch.
    for (const { player } of this.#connections.values()) {
      const queue = player.queue()
      if (queue && (key === undefined || player.key() === key)) queues.push(queue)
    }
    return queues
  }
}

export function createRtspOutput(config: RtspOutput, context: ServerContext): OpenCarrier {
  return async (output) => {
    const server = new RtspServer(config, context, output)
    await server.listen()
    return server
  }
}
