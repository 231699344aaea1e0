// Encrypted and plain connections at the registration port: a device that can starts TLS, whose first byte no HTTP
// request has.
import { constants } from 'node:crypto'
import type { Socket } from 'node:net'
import { createServer, type Server, type TLSSocket } from 'node:tls'

/** The certificate of the hub and its private key, in PEM. */
export interface LinkIdentity {
  cert: string
  key: string
}

/** First byte of a TLS connection: the record type of a handshake (RFC 8446, 5.1). */
const HANDSHAKE = 0x16

/** The plain connections below those over TLS. */
const carriers = new WeakMap<Socket, Socket>()

/** The connection as the system accepted it. */
export const carrierOf = (socket: Socket): Socket => carriers.get(socket) ?? socket

/** A connection during its handshake. */
interface Handshake {
  socket: Socket
  onConnection(socket: Socket): void
}

export class LinkEncryption {
  readonly #identity: (() => Promise<LinkIdentity | undefined>) | undefined
  /** By the address and port of the client. */
  readonly #handshakes = new Map<string, Handshake>()
  /** Not listening: it gets its connections from the port. */
  #server: Server | undefined
  #cert = ''

  /**
   * @param identity resolves to the current certificate, or undefined if the hub has none. Without the function all
   * connections are plain
   */
  constructor(identity: (() => Promise<LinkIdentity | undefined>) | undefined) {
    this.#identity = identity
  }

  /**
   * Waits for the first byte of a connection.
   * @param onConnection receives the connection, or the one over TLS once its handshake is complete. Never called if
   * the client closes before
   */
  accept(socket: Socket, onConnection: (socket: Socket) => void): void {
    const readFirst = () => {
      const first: Buffer | null = socket.read()
      if (!first) return void socket.once('readable', readFirst)
      socket.unshift(first)
      if (first[0] !== HANDSHAKE || !this.#identity) return onConnection(socket)
      this.#encrypt({ socket, onConnection }).catch(() => socket.destroy())
    }
    socket.once('readable', readFirst)
  }

  async #encrypt(handshake: Handshake): Promise<void> {
    const server = await this.#currentServer()
    const { socket } = handshake
    if (socket.destroyed) return
    const key = peerKey(socket)
    this.#handshakes.set(key, handshake)
    socket.once('close', () => this.#handshakes.delete(key))
    server.emit('connection', socket)
  }

  /** @throws Error if the hub has no certificate */
  async #currentServer(): Promise<Server> {
    const identity = await this.#identity?.()
    if (!identity) throw new Error('there is no certificate')
    const { cert, key } = identity
    const options = { cert, key, minVersion: 'TLSv1.2' as const, secureOptions: constants.SSL_OP_NO_RENEGOTIATION }
    if (this.#server && this.#cert !== cert) this.#server.setSecureContext(options)
    this.#cert = cert
    this.#server ??= createServer(options, (secure) => this.#complete(secure)).on('tlsClientError', (_error, secure) =>
      secure.destroy()
    )
    return this.#server
  }

  #complete(secure: TLSSocket): void {
    const key = peerKey(secure)
    const handshake = this.#handshakes.get(key)
    if (!handshake) return void secure.destroy()
    this.#handshakes.delete(key)
    carriers.set(secure, handshake.socket)
    handshake.onConnection(secure)
  }
}

const peerKey = ({ remoteAddress, remotePort }: Socket) => `${remoteAddress} ${remotePort}`
