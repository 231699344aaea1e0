// A machine in the network that counts how it is looked at, and minds: it serves one connection at a time, and notes
// each login. It answers every request like a web server that is no device.
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'

export interface MindingPeer {
  port: number
  /** Connections so far, and the most at a time. */
  readonly connections: number
  readonly concurrent: number
  /** Requests that carried a user name or a password. */
  readonly logins: number
  close(): Promise<void>
}

/** @param port 0 lets the system choose @param answers `silence`: it accepts connections and says nothing */
export async function startMindingPeer(
  address: string,
  port: number,
  answers: 'page' | 'silence' = 'page'
): Promise<MindingPeer> {
  const sockets = new Set<Socket>()
  const counts = { connections: 0, concurrent: 0, logins: 0 }
  const web = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      if (/pass|Security|Username/i.test(`${request.url} ${body}`) || request.headers.authorization) counts.logins++
      response.setHeader('connection', 'close').end('<html>A printer</html>')
    })
  })
  const server = createTcpServer((socket) => {
    sockets.add(socket)
    counts.connections++
    counts.concurrent = Math.max(counts.concurrent, sockets.size)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
    if (answers === 'page') web.emit('connection', socket)
  })
  await new Promise<void>((resolve) => server.listen(port, address, resolve))
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return counts.connections
    },
    get concurrent() {
      return counts.concurrent
    },
    get logins() {
      return counts.logins
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
      })
  }
}
