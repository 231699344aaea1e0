// The registration port: takes connections, reads the hello, answers as contract/device/link.ts says. Nobody is known here yet, so all
// that a stranger can take up is bounded: how many, how long, how much.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import {
  type DeviceHello,
  HELLO_HEADER,
  HELLO_MAX,
  LINK_PROTOCOL,
  REFUSAL,
  STATE_HEADER
} from '../../../contract/device/link.ts'
import { readHello } from './hello.ts'

/** What a hello leads to: a registration state, or the state that refuses it. */
export type Verdict = { state: number } | { refuse: number }

export interface DoorOptions {
  /** Whether another device is here already under the same serial number. Takes a moment where it has to be asked. */
  taken(hello: DeviceHello, address: string): boolean | Promise<boolean>
  /** Decides on a device. */
  hello(hello: DeviceHello, address: string): Verdict
  /** Takes over the socket of a device that was let in, after its 101. Calls `settled` once it proves to be a device. */
  enter(sn: string, address: string, socket: Socket, settled: () => void): void
  /** Milliseconds from connecting to being settled. */
  handshakeTimeout: number
  /** Connections that are not settled yet: of all, and of one address. A whole site may dial out through one address. */
  halfOpenMax: number
  halfOpenPerAddress: number
}

function answer(socket: Socket, status: string, headers: string[], body = ''): void {
  const length = `Content-Length: ${Buffer.byteLength(body)}`
  socket.end([`HTTP/1.1 ${status}`, ...headers, length, 'Connection: close', '', body].join('\r\n'))
  // Reads what else comes, so that the end of it is seen and the socket goes.
  socket.resume()
}

function refuse(socket: Socket, state: number): void {
  answer(socket, '403 Forbidden', ['Content-Type: application/json'], JSON.stringify({ state }))
}

export function createDoor(options: DoorOptions) {
  /** Connections that are not settled yet, with what settles them. */
  const halfOpen = new Map<Socket, () => void>()
  const perAddress = new Map<string, number>()

  const server = createServer(
    {
      maxHeaderSize: 2 * HELLO_MAX,
      headersTimeout: options.handshakeTimeout,
      requestTimeout: options.handshakeTimeout
    },
    (_request, response) => {
      response.writeHead(426, { upgrade: LINK_PROTOCOL, connection: 'close' }).end()
    }
  )

  server.on('connection', (socket) => {
    const address = addressOf(socket)
    const same = perAddress.get(address) ?? 0
    // The HTTP parser and the link come and go; somebody must always listen, or an error ends the hub.
    socket.on('error', () => socket.destroy())
    if (halfOpen.size >= options.halfOpenMax || same >= options.halfOpenPerAddress) return void socket.destroy()
    perAddress.set(address, same + 1)
    const timer = setTimeout(() => socket.destroy(), options.handshakeTimeout)
    const settle = () => {
      if (!halfOpen.delete(socket)) return
      clearTimeout(timer)
      const left = (perAddress.get(address) ?? 1) - 1
      if (left > 0) perAddress.set(address, left)
      else perAddress.delete(address)
    }
    halfOpen.set(socket, settle)
    socket.on('close', settle)
  })

  server.on('upgrade', (request: IncomingMessage, duplex, head: Buffer) => {
    const socket = duplex as Socket
    meet(request, socket, head).catch((error) => {
      console.error('hello:', error)
      answer(socket, '500 Internal Server Error', [])
    })
  })

  async function meet(request: IncomingMessage, socket: Socket, head: Buffer): Promise<void> {
    socket.allowHalfOpen = false
    if (request.url !== '/link' || request.method !== 'GET') return answer(socket, '404 Not Found', [])
    if (request.headers.upgrade?.toLowerCase() !== LINK_PROTOCOL)
      return answer(socket, '426 Upgrade Required', [`Upgrade: ${LINK_PROTOCOL}`])
    const header = request.headers[HELLO_HEADER]
    const hello = readHello(typeof header === 'string' ? header : undefined)
    // The hub speaks first on a link: whoever has said more than its hello already speaks something else.
    if (!hello || head.length > 0) return refuse(socket, REFUSAL.illegalDevice)
    const address = addressOf(socket)
    if (await options.taken(hello, address)) return refuse(socket, REFUSAL.exists)
    if (socket.destroyed) return
    const verdict = options.hello(hello, address)
    if ('refuse' in verdict) return refuse(socket, verdict.refuse)
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${LINK_PROTOCOL}\r\n` +
        `${STATE_HEADER}: ${verdict.state}\r\n\r\n`
    )
    options.enter(hello.sn, address, socket, () => halfOpen.get(socket)?.())
  }

  return {
    /**
     * @param port 0 lets the system choose
     * @returns the port
     * @throws when the port is taken or the address is not ours
     */
    listen(port: number, host: string): Promise<number> {
      return new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, () => {
          server.off('error', reject)
          resolve((server.address() as AddressInfo).port)
        })
      })
    },
    /** Lets nobody in any more. Settled sockets are their owner's to close; the promise waits for them. */
    close(): Promise<void> {
      for (const socket of halfOpen.keys()) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}

function addressOf(socket: Socket): string {
  return (socket.remoteAddress ?? '').replace(/^::ffff:/, '')
}
