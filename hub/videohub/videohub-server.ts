// The port of one matrix for clients of the Videohub Ethernet Protocol.
import { once } from 'node:events'
import { type AddressInfo, BlockList, createServer, isIP, type Server, type Socket } from 'node:net'
import type { Matrix } from '../../contract/ndi/router.ts'
import { plainAddress } from '../../contract/network-prefix.ts'
import type { NdiRouters } from '../ndi/ndi-routers.ts'
import { ClientTable } from './client-table.ts'
import type { PanelRates } from './panel-rates.ts'
import { PanelRouter, type PanelRouters } from './panel-router.ts'
import { VideohubSession } from './session.ts'

/** @param ranges as `clientRange` allows them (contract/rules/network.ts); empty allows every address */
export function createAllowedAddresses(ranges: readonly string[]): (address: string) => boolean {
  if (ranges.length === 0) return () => true
  const list = new BlockList()
  for (const range of ranges) {
    const [first = '', last] = range.split('-')
    if (last !== undefined) {
      list.addRange(first, last, 'ipv4')
      continue
    }
    const [address = '', bits] = range.split('/')
    const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
    list.addSubnet(address, Number(bits ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return (address) => {
    const version = isIP(address)
    return version !== 0 && list.check(address, version === 6 ? 'ipv6' : 'ipv4')
  }
}

/** Milliseconds within which changes of a matrix are sent together. */
const UPDATE_DELAY = 10

/** Milliseconds within which connections that come and go are reported together. */
const REPORT_DELAY = 1000

interface VideohubServerOptions {
  routers: PanelRouters & Pick<NdiRouters, 'get'>
  /** Whether changes are refused, because they would be lost. */
  refusesChanges(): boolean
  matrixId: number
  /** Identifies the matrix to clients. */
  uniqueId: string
  rates: PanelRates
  /** Address on which the port listens. */
  host: string
  /** The number of clients has changed. */
  onClients(): void
  /** A client was refused, because its address is not allowed. */
  onRefused(address: string): void
}

export class VideohubServer {
  readonly #options: VideohubServerOptions
  readonly #server: Server
  readonly #clients = new ClientTable<Socket>()
  readonly #sessions = new Map<Socket, { session: VideohubSession; address: string }>()
  #isAllowed: (address: string) => boolean
  /** The matrix after its last change, once it was read. */
  #matrix: Matrix | undefined
  #updateTimer: NodeJS.Timeout | undefined
  #isClosed = false
  #reportedClients = 0
  #reportTimer: NodeJS.Timeout | undefined

  /** @param allowed addresses and ranges; empty allows every address */
  constructor(options: VideohubServerOptions, allowed: readonly string[]) {
    this.#options = options
    this.#isAllowed = createAllowedAddresses(allowed)
    this.#server = createServer({ allowHalfOpen: true }, (socket) => this.#accept(socket))
  }

  get clients(): number {
    return this.#sessions.size
  }

  /**
   * Opens the port; 0 lets the system choose.
   * @returns the open port
   * @throws the error of the system, for example EADDRINUSE
   */
  async listen(port: number): Promise<number> {
    this.#server.listen(port, this.#options.host)
    await once(this.#server, 'listening')
    // For example if the process has no free descriptor for a new connection.
    this.#server.on('error', () => {})
    return (this.#server.address() as AddressInfo).port
  }

  /** Sets the allowed addresses, and disconnects clients with others. */
  allow(allowed: readonly string[]): void {
    this.#isAllowed = createAllowedAddresses(allowed)
    for (const { session, address } of this.#sessions.values()) if (!this.#isAllowed(address)) session.close()
  }

  /** The matrix has changed: sends the changes to all clients within milliseconds. */
  update(): void {
    this.#matrix = undefined
    if (this.#isClosed) return
    this.#updateTimer ??= setTimeout(() => {
      this.#updateTimer = undefined
      for (const { session } of this.#sessions.values()) session.update()
    }, UPDATE_DELAY)
  }

  /** Closes the port and disconnects all clients. Resolves when the port is free. */
  close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#updateTimer)
    clearTimeout(this.#reportTimer)
    for (const { session } of this.#sessions.values()) session.close()
    return new Promise((resolve) => {
      this.#server.close(() => resolve())
    })
  }

  #accept(socket: Socket): void {
    const { routers, refusesChanges, matrixId, uniqueId, rates, onRefused } = this.#options
    const address = plainAddress(socket.remoteAddress ?? '')
    if (!this.#isAllowed(address)) {
      socket.destroy()
      if (address !== '') onRefused(address)
      return
    }
    const replaced = this.#clients.add(socket, address)
    if (replaced === 'full') return void socket.destroy()
    replaced?.destroy()
    const session = new VideohubSession({
      socket,
      router: new PanelRouter({ routers, refusesChanges, matrixId, matrix: this.#readMatrix, uniqueId, address }),
      rates: rates.of(address),
      changes: rates.changes,
      onRequest: () => this.#clients.recordRequest(socket)
    })
    this.#sessions.set(socket, { session, address })
    socket.once('close', () => {
      this.#clients.delete(socket)
      this.#sessions.delete(socket)
      this.#reportClients()
    })
    this.#reportClients()
    void session.run()
  }

  #readMatrix = (): Matrix | undefined => {
    this.#matrix ??= this.#options.routers.get(this.#options.matrixId)
    return this.#matrix
  }

  #reportClients(): void {
    if (this.#isClosed) return
    this.#reportTimer ??= setTimeout(() => {
      this.#reportTimer = undefined
      if (this.clients === this.#reportedClients) return
      this.#reportedClients = this.clients
      this.#options.onClients()
    }, REPORT_DELAY).unref()
  }
}
