// Connections to the other nodes that run, one to each, for requests over their links. A lost one is dialled again as
// long as the node runs.
import { X509Certificate } from 'node:crypto'
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2'
import { connect as connectTls, type TLSSocket } from 'node:tls'
import { withoutBrackets } from '../../contract/ipv6.ts'
import type { Link } from '../../device-link/link.ts'
import { logger } from '../../process-log/logger.ts'
import { pinOf } from '../../tls/identity.ts'
import type { NodeIdentity } from './node-identity.ts'
import { CONNECTION_WINDOW, NODE_CONNECTION } from './node-server.ts'
import type { RunningNode } from './nodes.ts'
import { RemoteLink } from './remote-link.ts'
import type { LinkRow } from './remote-rows.ts'

/** Milliseconds between attempts: at first, and at most. */
const RETRY = { first: 100, max: 2000 }
/** Milliseconds for a connection, between pings, and for their answers. */
const CONNECTION_TIMEOUT = 5000
const PING_INTERVAL = 2000
const PING_TIMEOUT = 5000

interface PeersOptions {
  identity: NodeIdentity
  /** A node can be reached, or cannot any more. */
  onChange(node: string): void
}

export class Peers {
  readonly #options: PeersOptions
  readonly #peers = new Map<string, Peer>()

  constructor(options: PeersOptions) {
    this.#options = options
  }

  /** Connects to these nodes, and to no others. */
  update(nodes: readonly RunningNode[]): void {
    for (const [id, peer] of this.#peers)
      if (nodes.every((node) => node.id !== id)) {
        this.#peers.delete(id)
        peer.close()
      }
    for (const node of nodes)
      if (!this.#peers.has(node.id) && node.peerAddress !== '')
        this.#peers.set(node.id, new Peer(node, this.#options.identity, () => this.#options.onChange(node.id)))
  }

  /** The link of a row; undefined: its node cannot be reached, or has it no more. */
  linkOf(row: LinkRow): Link | undefined {
    return this.#peers.get(row.node)?.linkOf(row)
  }

  close(): void {
    this.update([])
  }
}

class Peer {
  readonly #node: RunningNode
  readonly #identity: NodeIdentity
  readonly #onChange: () => void
  /** The same link object for each row, because challenges belong to it. */
  #links = new WeakMap<LinkRow, RemoteLink>()
  #session: ClientHttp2Session | undefined
  #socket: TLSSocket | undefined
  #timer: NodeJS.Timeout | undefined
  #retry = RETRY.first
  #isClosed = false

  constructor(node: RunningNode, identity: NodeIdentity, onChange: () => void) {
    this.#node = node
    this.#identity = identity
    this.#onChange = onChange
    this.#dial()
  }

  linkOf(row: LinkRow): Link | undefined {
    const session = this.#session
    if (!session || session.closed || session.destroyed) return undefined
    let link = this.#links.get(row)
    if (!link) {
      link = new RemoteLink(session, row.organisation, row.sn)
      this.#links.set(row, link)
    }
    return link.hasEnded ? undefined : link
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#socket?.destroy()
    this.#session?.destroy()
  }

  #dial(): void {
    const { cert, key } = this.#identity
    const { hostname, port } = new URL(`https://${this.#node.peerAddress}`)
    const socket = connectTls({
      ...{
        host: withoutBrackets(hostname),
        port: Number(port) || 443,
        cert,
        key,
        minVersion: 'TLSv1.3',
        ALPNProtocols: ['h2']
      },
      // No authority signs the certificates of nodes: the key is compared, before anything is sent.
      rejectUnauthorized: false
    })
    this.#socket = socket
    socket.setTimeout(CONNECTION_TIMEOUT, () => socket.destroy())
    socket.on('error', () => {})
    socket.once('close', () => this.#end())
    socket.once('secureConnect', () => {
      socket.setTimeout(0)
      const { raw } = socket.getPeerCertificate()
      if (raw && pinOf(new X509Certificate(raw)) === this.#node.pin) this.#open(socket)
      else {
        logger.warn('Another program answers at the address of a node', { address: this.#node.peerAddress })
        socket.destroy()
      }
    })
  }

  #open(socket: TLSSocket): void {
    socket.setNoDelay(true)
    const session = connectHttp2('http://device', { createConnection: () => socket, ...NODE_CONNECTION })
    session.on('error', () => {})
    session.on('goaway', () => session.destroy())
    session.once('close', () => socket.destroy())
    session.once('remoteSettings', () => {
      session.setLocalWindowSize(CONNECTION_WINDOW)
      this.#session = session
      this.#retry = RETRY.first
      this.#ping(session)
      this.#onChange()
    })
  }

  #ping(session: ClientHttp2Session): void {
    if (session.destroyed || session.closed) return
    const timer = setTimeout(() => session.destroy(), PING_TIMEOUT)
    timer.unref()
    session.ping((error) => {
      clearTimeout(timer)
      if (error) return
      this.#timer = setTimeout(() => this.#ping(session), PING_INTERVAL)
      this.#timer.unref()
    })
  }

  #end(): void {
    clearTimeout(this.#timer)
    const wasConnected = this.#session !== undefined
    this.#session?.destroy()
    this.#session = undefined
    this.#links = new WeakMap()
    if (this.#isClosed) return
    this.#timer = setTimeout(() => this.#dial(), this.#retry * (0.75 + Math.random() / 2))
    this.#timer.unref()
    this.#retry = Math.min(2 * this.#retry, RETRY.max)
    if (wasConnected) this.#onChange()
  }
}
