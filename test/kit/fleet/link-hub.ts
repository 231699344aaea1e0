// The hub's end of the device link, with nothing but contract/device/link.ts: accepts devices and makes calls to them.
import { createServer, type IncomingMessage, type Server } from 'node:http'
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { type DeviceHello, HELLO_HEADER, LINK_PROTOCOL, STATE_HEADER } from '../../../contract/device/link.ts'

export interface LinkResponse {
  status: number
  text: string
  /** The body as JSON; undefined when it is not JSON. */
  json: Record<string, unknown> | undefined
}

export interface LinkHub {
  port: number
  /** All received hello messages, oldest first. */
  hellos: DeviceHello[]
  /** Decides about a connecting device: a registration state, or a state with which it is refused. */
  decide: (hello: DeviceHello) => { state: number } | { refuse: number }
  /** Serial numbers with an open link. */
  online(): string[]
  call(sn: string, method: string, path: string, body?: object): Promise<LinkResponse>
  /** Opens a stream whose body the test reads. */
  open(sn: string, path: string): ClientHttp2Stream
  /** Reads `count` preview images. */
  readPreviews(sn: string, count: number, query?: string): Promise<Buffer[]>
  /** Waits for an answer of the link itself, which comes after everything that the device has read before. */
  ping(sn: string): Promise<void>
  drop(sn: string): void
  close(): Promise<void>
}

interface Link {
  session: ClientHttp2Session
  socket: Socket
}

/** Returns the hello message of an upgrade request, or undefined when the request is not valid. */
function readHello({ url, headers }: IncomingMessage): DeviceHello | undefined {
  const header = headers[HELLO_HEADER]
  if (url !== '/link' || headers.upgrade !== LINK_PROTOCOL || typeof header !== 'string') return undefined
  return JSON.parse(Buffer.from(header, 'base64url').toString())
}

function parseJson(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Reads a response to its end. */
function readResponse(stream: ClientHttp2Stream): Promise<LinkResponse> {
  return new Promise((resolve, reject) => {
    let status = 0
    let text = ''
    stream.on('response', (headers) => {
      status = Number(headers[':status'])
    })
    stream.setEncoding('utf8').on('data', (part) => {
      text += part
    })
    stream.on('end', () => resolve({ status, text, json: parseJson(text) }))
    stream.on('error', reject)
  })
}

/** Reads `count` images, each with its length in 4 bytes before it, and cancels the stream. */
function readImages(stream: ClientHttp2Stream, count: number): Promise<Buffer[]> {
  return new Promise((resolve, reject) => {
    const images: Buffer[] = []
    let rest = Buffer.alloc(0)
    stream.on('data', (chunk: Buffer) => {
      rest = Buffer.concat([rest, chunk])
      while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE(0)) {
        const end = 4 + rest.readUInt32BE(0)
        images.push(rest.subarray(4, end))
        rest = rest.subarray(end)
      }
      if (images.length < count) return
      stream.close(constants.NGHTTP2_CANCEL)
      resolve(images.slice(0, count))
    })
    stream.on('close', () => reject(new Error('The preview stream ended')))
  })
}

class TestLinkHub implements LinkHub {
  readonly #links = new Map<string, Link>()
  readonly #server: Server = createServer((_, response) => response.writeHead(426).end())
  readonly hellos: DeviceHello[] = []
  decide: LinkHub['decide'] = () => ({ state: REGISTRATION_STATE.accepted })

  async listen(): Promise<void> {
    this.#server.on('upgrade', (request, socket) => this.#accept(request, socket as Socket))
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port
  }

  online(): string[] {
    return [...this.#links.keys()]
  }

  open(sn: string, path: string): ClientHttp2Stream {
    return this.#linkOf(sn)
      .session.request({ ':path': path })
      .on('error', () => {})
  }

  call(sn: string, method: string, path: string, body?: object): Promise<LinkResponse> {
    const stream = this.#linkOf(sn).session.request({ ':method': method, ':path': path }, { endStream: !body })
    if (body) stream.end(JSON.stringify(body))
    return readResponse(stream)
  }

  async readPreviews(sn: string, count: number, query = 'width=320&fps=10'): Promise<Buffer[]> {
    return readImages(this.open(sn, `/link/preview?${query}`), count)
  }

  ping(sn: string): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#linkOf(sn).session.ping((error) => (error ? reject(error) : resolve()))
    })
  }

  drop(sn: string): void {
    const { session, socket } = this.#linkOf(sn)
    session.destroy()
    socket.destroy()
  }

  async close(): Promise<void> {
    for (const sn of this.#links.keys()) this.drop(sn)
    await new Promise((resolve) => this.#server.close(resolve))
  }

  #linkOf(sn: string): Link {
    const link = this.#links.get(sn)
    if (!link) throw new Error(`${sn} has no link`)
    return link
  }

  #accept(request: IncomingMessage, socket: Socket): void {
    socket.on('error', () => {})
    socket.allowHalfOpen = false
    const hello = readHello(request)
    if (!hello) return void socket.destroy()
    this.hellos.push(hello)
    const decision = this.decide(hello)
    if ('refuse' in decision) {
      const body = JSON.stringify({ state: decision.refuse })
      return void socket.end(
        `HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      )
    }
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${LINK_PROTOCOL}\r\n` +
        `${STATE_HEADER}: ${decision.state}\r\n\r\n`
    )
    this.#openSession(hello.sn, socket)
  }

  #openSession(sn: string, socket: Socket): void {
    const session = connect('http://device', { createConnection: () => socket })
    session.on('error', () => {})
    session.once('remoteSettings', () => this.#links.set(sn, { session, socket }))
    const onClose = () => {
      if (this.#links.get(sn)?.socket === socket) this.#links.delete(sn)
      session.destroy()
      socket.destroy()
    }
    for (const event of ['end', 'close']) socket.on(event, onClose)
    session.on('close', onClose)
  }
}

export async function startLinkHub(): Promise<LinkHub> {
  const hub = new TestLinkHub()
  await hub.listen()
  return hub
}
