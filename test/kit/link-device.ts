// The far end of the device link, as small as it can be: dials in and serves what a test says.
import { type IncomingMessage, request } from 'node:http'
import { performServerHandshake, type ServerHttp2Session, type ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import { HELLO_HEADER, LINK_PROTOCOL, STATE_HEADER } from '../../contract/device/link.ts'

export interface DeviceCall {
  method: string
  /** Of a CONNECT: where to. */
  path: string
  body: string
}

/** Serves one call. What it returns is sent as JSON with status 200; with undefined it has answered by itself, or never will. */
export type Serve = (call: DeviceCall, stream: ServerHttp2Stream) => unknown

export interface LinkDevice {
  /** Registration state that the hub answered with. */
  state: number
  socket: Socket
  session: ServerHttp2Session
  /** What the hub asked, oldest first. */
  calls: DeviceCall[]
  /** The connection is gone. */
  closed: Promise<unknown>
  /** Goes without a word. */
  end(): Promise<unknown>
}

export interface Refused {
  status: number
  body: string
}

export interface DialOptions {
  path?: string
  protocol?: string
  /** Sends no hello at all where it is undefined. */
  header?: string
}

export function helloHeader(hello: unknown): string {
  return Buffer.from(JSON.stringify(hello)).toString('base64url')
}

/** Opens a connection with any hello. @returns the raw socket after a 101, or the refusal */
export async function knock(
  port: number,
  { path = '/link', protocol = LINK_PROTOCOL, header }: DialOptions
): Promise<{ state: number; socket: Socket } | Refused> {
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

/** Dials in and serves. @throws when it is refused */
export async function dial(port: number, hello: unknown, serve: Serve = () => ({ result: 0 })): Promise<LinkDevice> {
  const opened = await knock(port, { header: helloHeader(hello) })
  if (!('socket' in opened)) throw new Error(`refused: ${opened.status} ${opened.body}`)
  const { state, socket } = opened
  const calls: DeviceCall[] = []
  const session = performServerHandshake(socket)
  session.on('error', () => {})
  session.on('stream', async (stream, headers) => {
    stream.on('error', () => {})
    const { ':method': method = '', ':path': path = '', ':authority': authority = '' } = headers
    // A tunnel: what comes on it is no body.
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
      // The hub is gone, and with it the call.
      return
    }
    const call = { method, path, body }
    calls.push(call)
    const answer = await serve(call, stream)
    if (answer === undefined || stream.destroyed) return
    stream.respond({ ':status': 200, 'content-type': 'application/json' })
    stream.end(JSON.stringify(answer))
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
