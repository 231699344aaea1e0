// The device's end of the device link: connects to the hub and serves calls with a function of the test.
import { type IncomingMessage, request } from 'node:http'
import { performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { HELLO_HEADER, LINK_PROTOCOL, STATE_HEADER } from '../../../contract/device/link.ts'

export interface DeviceCall {
  method: string
  /** For a CONNECT, the target. */
  path: string
  body: string
}

/**
 * Serves a call. The result is sent as JSON with status 200. With undefined, the function has responded itself or never
 * will.
 */
export type CallHandler = (call: DeviceCall, stream: ServerHttp2Stream) => unknown

export interface LinkDevice {
  /** Registration state in the hub's response. */
  state: number
  socket: Socket
  session: ServerHttp2Session
  /** Calls from the hub, oldest first. */
  calls: DeviceCall[]
  /** Resolves when the connection is closed. */
  closed: Promise<unknown>
  /** Closes the connection without a shutdown. */
  end(): Promise<unknown>
}

export interface Refusal {
  status: number
  body: string
}

export interface LinkOptions {
  path?: string
  protocol?: string
  /** The hello header; undefined sends none. */
  header?: string
}

export function helloHeader(hello: unknown): string {
  return Buffer.from(JSON.stringify(hello)).toString('base64url')
}

/** Opens a connection with any hello. @returns the socket after status 101, else the refusal */
export async function openLink(
  port: number,
  { path = '/link', protocol = LINK_PROTOCOL, header }: LinkOptions
): Promise<{ state: number; socket: Socket } | Refusal> {
  const headers = { connection: 'upgrade', upgrade: protocol, ...(header !== undefined && { [HELLO_HEADER]: header }) }
  const call = request({ host: '127.0.0.1', port, path, headers, agent: false })
  call.end()
  return new Promise((resolve, reject) => {
    call.on('error', reject)
    call.on('upgrade', (response: IncomingMessage, socket: Socket, head: Buffer) => {
      socket.on('error', () => {})
      if (head.length > 0) socket.unshift(head)
      resolve({ state: Number(response.headers[STATE_HEADER]), socket })
    })
    call.on('response', async (response) => {
      let body = ''
      for await (const chunk of response) body += chunk
      resolve({ status: response.statusCode ?? 0, body })
    })
  })
}

/** Connects to the hub and serves its calls. @throws Error when the hub refuses the connection */
export async function connectLinkDevice(
  port: number,
  hello: unknown,
  serve: CallHandler = () => ({ result: 0 })
): Promise<LinkDevice> {
  const opened = await openLink(port, { header: helloHeader(hello) })
  if (!('socket' in opened)) throw new Error(`The device link was refused: ${opened.status} ${opened.body}`)
  const { state, socket } = opened
  const calls: DeviceCall[] = []
  const session = performServerHandshake(socket)
  session.on('error', () => {})
  session.on('stream', async (stream, headers) => {
    stream.on('error', () => {})
    const { ':method': method = '', ':path': path = '', ':authority': authority = '' } = headers
    // The data of a tunnel is not a request body.
    if (method === 'CONNECT') {
      const call = { method, path: authority, body: '' }
      calls.push(call)
      return void serve(call, stream)
    }
    let body = ''
    stream.setEncoding('utf8')
    try {
      for await (const chunk of stream) body += chunk
    } catch {
      // The hub closed the connection.
      return
    }
    const call = { method, path, body }
    calls.push(call)
    const response = await serve(call, stream)
    if (response === undefined || stream.destroyed) return
    stream.respond({ ':status': 200, 'content-type': 'application/json' })
    stream.end(JSON.stringify(response))
  })
  const closed = new Promise((resolve) => socket.once('close', resolve))
  return {
    state,
    socket,
    session,
    calls,
    closed,
    end() {
      socket.destroy()
      return closed
    }
  }
}
