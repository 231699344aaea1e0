// The hub's end of the device link as contract/device/link.ts has it and nothing more: lets devices in, and makes calls to them.

import { createServer } from 'node:http'
import { type ClientHttp2Session, type ClientHttp2Stream, connect, constants } from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { type DeviceHello, HELLO_HEADER, LINK_PROTOCOL, STATE_HEADER } from '../../contract/device/link.ts'

export interface LinkAnswer {
  status: number
  text: string
  /** The body as JSON; undefined where it is none. */
  json: Record<string, unknown> | undefined
}

export interface LinkHub {
  port: number
  /** Every hello that came, in order. */
  hellos: DeviceHello[]
  /** What a device is told that dials in: a state, or one that refuses it. */
  verdict: (hello: DeviceHello) => { state: number } | { refuse: number }
  /** Serials with a link now. */
  online(): string[]
  /** Resolves when the condition holds; rejects after some seconds. */
  until(condition: () => boolean, what?: string): Promise<void>
  call(sn: string, method: string, path: string, body?: object): Promise<LinkAnswer>
  /** Opens a stream whose body is read by the caller. */
  open(sn: string, path: string): ClientHttp2Stream
  /** Reads pictures until there are so many. */
  pictures(sn: string, count: number, query?: string): Promise<Buffer[]>
  drop(sn: string): void
  close(): Promise<void>
}

export async function until(condition: () => boolean | Promise<boolean>, what = 'it', timeout = 10_000): Promise<void> {
  for (const began = Date.now(); !(await condition()); ) {
    if (Date.now() - began > timeout) throw new Error(`${what} did not come about within ${timeout / 1000} s`)
    await new Promise((resolve) => setTimeout(resolve, 15))
  }
}

export async function startLinkHub(): Promise<LinkHub> {
  const links = new Map<string, { session: ClientHttp2Session; socket: Socket }>()
  const server = createServer((_, response) => response.writeHead(426).end())

  server.on('upgrade', (request, duplex) => {
    const socket = duplex as Socket
    socket.on('error', () => {})
    socket.allowHalfOpen = false
    const header = request.headers[HELLO_HEADER]
    if (request.url !== '/link' || request.headers.upgrade !== LINK_PROTOCOL || typeof header !== 'string')
      return void socket.destroy()
    const hello: DeviceHello = JSON.parse(Buffer.from(header, 'base64url').toString())
    self.hellos.push(hello)
    const verdict = self.verdict(hello)
    if ('refuse' in verdict) {
      const body = JSON.stringify({ state: verdict.refuse })
      return void socket.end(
        `HTTP/1.1 403 Forbidden\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
      )
    }
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${LINK_PROTOCOL}\r\n` +
        `${STATE_HEADER}: ${verdict.state}\r\n\r\n`
    )
    const session = connect('http://device', { createConnection: () => socket })
    session.on('error', () => {})
    session.once('remoteSettings', () => links.set(hello.sn, { session, socket }))
    const over = () => {
      if (links.get(hello.sn)?.socket === socket) links.delete(hello.sn)
      session.destroy()
      socket.destroy()
    }
    for (const event of ['end', 'close']) socket.on(event, over)
    session.on('close', over)
  })

  function linkOf(sn: string) {
    const link = links.get(sn)
    if (!link) throw new Error(`${sn} has no link`)
    return link
  }

  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const self: LinkHub = {
    port: (server.address() as AddressInfo).port,
    hellos: [],
    verdict: () => ({ state: REGISTRATION_STATE.accepted }),
    online: () => [...links.keys()],
    until,
    open: (sn, path) =>
      linkOf(sn)
        .session.request({ ':path': path })
        .on('error', () => {}),
    call(sn, method, path, body) {
      const stream = linkOf(sn).session.request({ ':method': method, ':path': path }, { endStream: !body })
      if (body) stream.end(JSON.stringify(body))
      return new Promise((resolve, reject) => {
        let status = 0
        let text = ''
        stream.on('response', (headers) => {
          status = Number(headers[':status'])
        })
        stream.setEncoding('utf8').on('data', (part) => {
          text += part
        })
        stream.on('end', () => resolve({ status, text, json: parsed(text) }))
        stream.on('error', reject)
      })
    },
    pictures(sn, count, query = 'width=320&fps=10') {
      const stream = self.open(sn, `/link/preview?${query}`)
      return new Promise((resolve, reject) => {
        const found: Buffer[] = []
        let rest = Buffer.alloc(0)
        stream.on('data', (chunk: Buffer) => {
          rest = Buffer.concat([rest, chunk])
          while (rest.length >= 4 && rest.length >= 4 + rest.readUInt32BE(0)) {
            const end = 4 + rest.readUInt32BE(0)
            found.push(rest.subarray(4, end))
            rest = rest.subarray(end)
          }
          if (found.length < count) return
          stream.close(constants.NGHTTP2_CANCEL)
          resolve(found.slice(0, count))
        })
        stream.on('close', () => reject(new Error('the pictures ended')))
      })
    },
    drop(sn) {
      const { session, socket } = linkOf(sn)
      session.destroy()
      socket.destroy()
    },
    async close() {
      for (const sn of links.keys()) self.drop(sn)
      await new Promise((resolve) => server.close(resolve))
    }
  }
  return self
}

function parsed(text: string): Record<string, unknown> | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
