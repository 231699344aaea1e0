// Serves CONNECT as a device does, and starts small TCP servers as targets.
import { once } from 'node:events'
import { constants, type ServerHttp2Stream } from 'node:http2'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'
import type { CallHandler } from './link-device.ts'

/** Serves CONNECT with a connection to the requested port, and all other calls with an empty result. */
export const serveTunnels: CallHandler = ({ method, path }, stream) => {
  if (method !== 'CONNECT') return { result: 0 }
  connectTunnel(stream, Number(path.split(':')[1]))
  return undefined
}

function connectTunnel(stream: ServerHttp2Stream, port: number): void {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  let connected = false
  socket.once('connect', () => {
    connected = true
    stream.respond({ ':status': 200 })
    stream.pipe(socket).pipe(stream)
  })
  socket.on('error', () => {
    if (connected) stream.destroy(new Error('cut'))
    else stream.respond({ ':status': 502 }, { endStream: true })
  })
  stream.on('close', () => {
    if (stream.rstCode === constants.NGHTTP2_NO_ERROR) return
    if (socket.writableEnded) socket.destroy()
    else socket.resetAndDestroy()
  })
}

export interface TestServer {
  port: number
  /** Open connections, oldest first. */
  sockets: Socket[]
  close(): Promise<void>
}

/** Starts a TCP server. @param serve called with each connection */
export async function startServer(serve: (socket: Socket) => void): Promise<TestServer> {
  const sockets: Socket[] = []
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.splice(sockets.indexOf(socket), 1))
    serve(socket)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    async close() {
      for (const socket of [...sockets]) socket.destroy()
      if (server.listening) await once(server.close(), 'close')
    }
  }
}

/** Connects to a port of this machine. */
export async function connectTo(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  await once(socket, 'connect')
  socket.on('error', () => {})
  return socket
}

/** Reads until the other end closes its side. @returns the bytes as Latin-1 */
export async function readAll(socket: Socket): Promise<string> {
  let text = ''
  for await (const chunk of socket.setEncoding('latin1')) text += chunk
  return text
}
