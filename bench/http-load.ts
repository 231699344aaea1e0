// Sends the same request repeatedly over several connections and counts the responses. It parses as little as possible,
// so that it measures the server and not the client.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

/** Number of parallel connections. */
const CONNECTIONS = 32

const HEAD_END = Buffer.from('\r\n\r\n')

/** Sends requests over one connection, each after the response to the previous one. */
function keepRequesting(
  socket: Socket,
  request: string,
  onResponse: () => void,
  onBody: (bytes: number) => void,
  onError: (error: Error) => void
): void {
  let head = Buffer.alloc(0)
  /** Remaining bytes of the body; undefined while reading the head. */
  let remaining: number | undefined
  socket.on('error', onError)
  socket.on('close', () => onError(new Error('The server closed a connection')))
  socket.on('data', (chunk) => {
    let rest = chunk
    if (remaining === undefined) {
      head = head.length ? Buffer.concat([head, chunk]) : chunk
      const end = head.indexOf(HEAD_END)
      if (end < 0) return
      const text = head.toString('latin1', 0, end)
      const length = /^content-length: *(\d+)/im.exec(text)?.[1]
      if (!text.startsWith('HTTP/1.1 200') || length === undefined)
        return onError(new Error(`Unexpected response: ${text.split('\r\n')[0]}, content-length ${length}`))
      rest = head.subarray(end + HEAD_END.length)
      remaining = Number(length)
      head = Buffer.alloc(0)
    }
    remaining -= rest.length
    onBody(rest.length)
    if (remaining > 0) return
    remaining = undefined
    onResponse()
    socket.write(request)
  })
  socket.write(request)
}

export interface RequestLoad {
  /** Rejects when a response has another status than 200 or no content length, or a connection ends. Never resolves. */
  failed: Promise<never>
  /** Number of responses so far. */
  count(): number
  /** Bytes of their bodies so far, including those of responses that have not ended. */
  bytes(): number
  /** Closes all connections. */
  end(): void
}

/**
 * Sends a GET request over `connections` connections, on each after the response to the previous one, until `end` is
 * called.
 */
export function startRequests(
  address: string,
  headers: Readonly<Record<string, string>>,
  connections = CONNECTIONS
): RequestLoad {
  const { hostname, port, host, pathname, search } = new URL(address)
  const fields = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}\r\n`)
  const request = `GET ${pathname}${search} HTTP/1.1\r\n${fields.join('')}\r\n`
  let count = 0
  let bytes = 0
  const onBody = (length: number) => {
    bytes += length
  }
  const sockets = Array.from({ length: connections }, () => connect(Number(port), hostname))
  const failed = new Promise<never>((_, reject) => {
    for (const socket of sockets) keepRequesting(socket, request, () => count++, onBody, reject)
  })
  // After `end` nobody waits for it, and the closed connections reject it.
  failed.catch(() => {})
  return {
    failed,
    count: () => count,
    bytes: () => bytes,
    end() {
      for (const socket of sockets) socket.destroy()
    }
  }
}

/**
 * Measures the request rate of a server.
 * @param address URL of the request
 * @param headers of each request
 * @param duration in milliseconds
 * @returns responses per second
 * @throws Error when a response has another status than 200 or no content length
 */
export async function requestsPerSecond(
  address: string,
  headers: Readonly<Record<string, string>>,
  duration: number
): Promise<number> {
  const load = startRequests(address, headers)
  const began = performance.now()
  try {
    await Promise.race([load.failed, sleep(duration)])
  } finally {
    load.end()
  }
  return (load.count() * 1000) / (performance.now() - began)
}
