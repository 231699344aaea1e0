// The shared RTMP port, served by nginx with its RTMP module. nginx asks the engine about each client, and the engine
// gives each stream another name inside nginx, so that keys are not visible there. This module runs nginx, handles its
// hooks and reads its statistics.

import { randomBytes } from 'node:crypto'
import { rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { join } from 'node:path'
import { urlHost } from '../../contract/ipv6.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import { logger } from '../../process-log/logger.ts'
import { normalizeAddress } from '../access/ip-allow-list.ts'
import { loopbackOf } from '../access/listen-address.ts'
import { NotInstalledError } from '../interfaces/errors.ts'
import type { Launcher, Process } from '../interfaces/launcher.ts'
import { RetryTimer } from '../process/back-off.ts'
import { programFailure, quote } from '../process/failure.ts'
import { createPrivateFolder, removeFolder } from '../process/private-files.ts'
import { RecentFailure } from '../process/recent-failure.ts'
import { APPLICATION, buildNginxConfig, dropClient, fetchStats, findNginx, INSTALL_RTMP, readBody } from './nginx.ts'

export interface RtmpClient {
  /** Client ID of nginx; unique until nginx restarts. */
  id: number
  /** Publisher if true, player if false. */
  isPublisher: boolean
  /** The stream key that it used. */
  key: string
  /** IP address. */
  peer: string
  /** Name of the stream inside nginx. */
  stream: string
  /** When it connected, as `RtmpPortOptions.now`. */
  since: number
}

export interface RtmpPortOptions {
  launcher: Pick<Launcher, 'run'>
  /** Path of nginx. Default: searched in the usual folders. */
  program?: string
  host: string
  /** 0 chooses a free port. */
  port: number
  /** Resolves with the name of the stream inside nginx, or undefined to refuse the client. */
  authorize(client: Pick<RtmpClient, 'isPublisher' | 'key' | 'peer'>): string | undefined | Promise<string | undefined>
  onConnect(client: RtmpClient): void
  onDisconnect(client: RtmpClient): void
  /** The port opened or failed, or statistics arrived. */
  onChange(): void
  now(): number
}

/** Milliseconds between checks whether nginx has opened its ports, and between readings of the statistics. */
const OPEN_INTERVAL = 100
const STATS_INTERVAL = 2000
/** Characters of the body of a hook. */
const HOOK_MAX = 16_384

export class RtmpPort {
  readonly #options: RtmpPortOptions
  readonly #folder = createPrivateFolder('rtmp')
  readonly #hookSocket = join(this.#folder, 'hub')
  readonly #controlSocket = join(this.#folder, 'nginx')
  readonly #retryTimer = new RetryTimer(() => this.#start())
  readonly #hooks: Server
  readonly #clients = new Map<number, RtmpClient>()
  /** Passes of the engine's own connections: the stream they are for, and whether they are valid only once. */
  readonly #passes = new Map<string, { stream: string; once: boolean }>()
  /** By stream: bytes sent up to the last statistics, and the rate since those before. */
  #sent = new Map<string, { bytes: number; at: number; kbps: number }>()
  #process: Process | undefined
  #openPort: number | undefined
  #failure: Reason | undefined
  readonly #recentFailure = new RecentFailure()
  #statsTimer: NodeJS.Timeout | undefined
  #startedAt = 0
  #isClosed = false

  constructor(options: RtmpPortOptions) {
    this.#options = options
    this.#hooks = createServer((request, response) => this.#handleHook(request, response))
    this.#hooks.on('error', (error) => logger.error('The server of the RTMP port failed', error))
    this.#hooks.listen(this.#hookSocket, () => this.#start())
  }

  /**
   * Creates an address of a stream inside nginx, for a connection of the engine itself.
   * @param once whether it is valid for one connection only, because others could see it
   */
  createInternalAddress(stream: string, once: boolean): { url: string; name: string } {
    const { host, port } = this.#options
    const pass = randomBytes(18).toString('base64url')
    this.#passes.set(pass, { stream, once })
    return {
      url: `rtmp://${urlHost(loopbackOf(host))}:${this.#openPort ?? port}/${APPLICATION}`,
      name: `${stream}?pass=${pass}`
    }
  }

  /** Revokes all internal addresses of a stream. */
  revokeInternalAddresses(stream: string): void {
    for (const [pass, { stream: of }] of this.#passes) if (of === stream) this.#passes.delete(pass)
  }

  /** Disconnects a client, which may reconnect. */
  disconnect(id: number): void {
    this.#removeClient(id)
    dropClient(this.#controlSocket, id).catch(() => {})
  }

  /** Oldest first. */
  clients(): readonly RtmpClient[] {
    return [...this.#clients.values()]
  }

  /** Rate sent to each player of a stream. */
  kbps(stream: string): number {
    const players = this.clients().filter((client) => client.stream === stream && !client.isPublisher).length
    return players === 0 ? 0 : Math.round((this.#sent.get(stream)?.kbps ?? 0) / players)
  }

  /** The open port; undefined if it is not open. */
  port(): number | undefined {
    return this.#openPort
  }

  /** Why the port is not open; undefined if it is, or is being opened. */
  failure(): Reason | undefined {
    return this.#failure ?? (this.#process?.isStuck?.() ? 'program-stuck' : undefined)
  }

  /** As `failure`, or why the program ended a short time ago. */
  recentFailure(): Reason | undefined {
    return this.failure() ?? this.#recentFailure.read(this.#options.now())
  }

  /** Ends a pause before the next attempt. */
  retryNow(): void {
    this.#retryTimer.retryNow()
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#retryTimer.cancel()
    clearTimeout(this.#statsTimer)
    const stopped = this.#process?.stop()
    this.#removeAllClients()
    await stopped
    this.#hooks.closeAllConnections()
    await new Promise<void>((resolve) => this.#hooks.close(() => resolve()))
    removeFolder(this.#folder)
  }

  async #handleHook(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const refuse = () => response.writeHead(403).end()
    try {
      // Parameters that a client adds to its URL follow those of nginx, and the first one of a name counts.
      const parameters = new URLSearchParams(await readBody(request, HOOK_MAX))
      const id = Number(parameters.get('clientid'))
      const hook = request.url?.slice(1)
      if (hook === 'publish' || hook === 'play') {
        const stream = await this.#admit(id, hook === 'publish', parameters, () => response.destroyed)
        if (stream === undefined) return void refuse()
        response.writeHead(302, { location: stream }).end()
      } else {
        this.#removeClient(id)
        response.end()
      }
    } catch {
      refuse()
    }
  }

  /**
   * Resolves with the name of the stream inside nginx, or undefined to refuse the client.
   * @param hasLeft whether the client has disconnected meanwhile
   */
  async #admit(
    id: number,
    isPublisher: boolean,
    parameters: URLSearchParams,
    hasLeft: () => boolean
  ): Promise<string | undefined> {
    if (!Number.isInteger(id)) return undefined
    const key = parameters.get('name') ?? ''
    const peer = normalizeAddress(parameters.get('addr') ?? '')
    const passText = parameters.get('pass')
    const pass = passText === null ? undefined : this.#passes.get(passText)
    if (pass) {
      if (pass.once) this.#passes.delete(passText ?? '')
      return pass.stream === key ? key : undefined
    }
    // A client that plays again over the same connection has ended its previous stream.
    this.#removeClient(id)
    const stream = await this.#options.authorize({ isPublisher, key, peer })
    if (stream === undefined || this.#isClosed || hasLeft()) return undefined
    const client = { id, isPublisher, key, peer, stream, since: this.#options.now() }
    this.#clients.set(id, client)
    this.#options.onConnect(client)
    return stream
  }

  #removeClient(id: number): void {
    const client = this.#clients.get(id)
    if (!client) return
    this.#clients.delete(id)
    this.#options.onDisconnect(client)
  }

  #removeAllClients(): void {
    for (const id of [...this.#clients.keys()]) this.#removeClient(id)
  }

  async #start(): Promise<void> {
    const { host, port: wantedPort, onChange, now } = this.#options
    this.#startedAt = now()
    const run = { isCurrent: true }
    try {
      const { program, module } = findNginx(this.#options.program)
      const port = wantedPort || (await findFreeTcpPort(host))
      if (this.#isClosed) return
      this.#process = this.#runNginx(program, module, port, run)
      await this.#waitUntilOpen(run)
      if (!run.isCurrent || this.#isClosed) return
      this.#openPort = port
      this.#failure = undefined
      onChange()
      this.#scheduleStats()
    } catch (error) {
      if (this.#isClosed) return
      this.#handleEnd(
        error instanceof NotInstalledError ? `install-with ${INSTALL_RTMP}` : `not-started ${(error as Error).message}`
      )
    }
  }

  #runNginx(program: string, module: string, port: number, run: { isCurrent: boolean }): Process {
    const folder = this.#folder
    const [hookSocket, controlSocket] = [this.#hookSocket, this.#controlSocket]
    rmSync(controlSocket, { force: true })
    const config = join(folder, 'nginx.conf')
    const text = buildNginxConfig({ folder, module, host: this.#options.host, port, hookSocket, controlSocket })
    writeFileSync(config, text, { mode: 0o600 })
    return this.#options.launcher.run({
      program,
      args: ['-e', 'stderr', '-p', folder, '-c', config],
      onEnd: (lines) => {
        run.isCurrent = false
        const fault = programFailure(lines)?.reason
        const last = lines.find((line) => line.includes('[emerg]')) ?? lines.at(-1)
        if (lines.some((line) => line.includes('Address already in use'))) this.#handleEnd(`port-taken ${port}`)
        else this.#handleEnd(fault ?? (last === undefined ? 'ended-silently' : quote(last, [folder])))
      }
    })
  }

  /** Resolves when nginx responds, which it does after opening all its ports, or when it has ended. */
  async #waitUntilOpen(run: { isCurrent: boolean }): Promise<void> {
    while (run.isCurrent && !this.#isClosed) {
      const stats = await fetchStats(this.#controlSocket).catch(() => undefined)
      if (stats !== undefined) return
      await new Promise((resolve) => setTimeout(resolve, OPEN_INTERVAL))
    }
  }

  #handleEnd(reason: Reason): void {
    const openMs = this.#openPort === undefined ? 0 : this.#options.now() - this.#startedAt
    this.#process = undefined
    this.#openPort = undefined
    clearTimeout(this.#statsTimer)
    this.#removeAllClients()
    if (this.#isClosed) return
    this.#failure = reason
    this.#recentFailure.record(reason, this.#options.now())
    this.#retryTimer.schedule(openMs)
    this.#options.onChange()
  }

  #scheduleStats(): void {
    this.#statsTimer = setTimeout(() => this.#readStats(), STATS_INTERVAL)
  }

  /** Updates the rates, and removes clients whose end nginx has not reported. */
  async #readStats(): Promise<void> {
    const known = new Set(this.#clients.keys())
    const stats = known.size > 0 ? await fetchStats(this.#controlSocket).catch(() => undefined) : undefined
    if (this.#isClosed || this.#openPort === undefined) return
    if (stats) {
      for (const id of known) if (!stats.clientIds.has(id)) this.#removeClient(id)
      const now = this.#options.now()
      const next = new Map<string, { bytes: number; at: number; kbps: number }>()
      for (const [stream, bytes] of stats.sentBytes) {
        const last = this.#sent.get(stream)
        const kbps = last && bytes >= last.bytes ? ((bytes - last.bytes) * 8) / (now - last.at) : 0
        next.set(stream, { bytes, at: now, kbps })
      }
      this.#sent = next
      this.#options.onChange()
    }
    this.#scheduleStats()
  }
}

function findFreeTcpPort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createTcpServer().once('error', reject)
    server.listen(0, host, () => {
      const { port } = server.address() as { port: number }
      server.close(() => resolve(port))
    })
  })
}
