// Device link: an HTTP/2 client on a connection that a device opened. Reports when the link is up and when it has
// ended, once each.
import { type ClientHttp2Session, connect, constants } from 'node:http2'
import type { Socket } from 'node:net'
import { TLSSocket } from 'node:tls'
import { createTimeSlicedQueue } from './time-sliced.ts'

interface LinkOptions {
  /** Milliseconds from the response to a ping to the next ping, and to wait for a response. */
  pingInterval: number
  pingTimeout: number
  /** The device speaks the protocol. */
  onUp(): void
  /** The link has ended, whether or not it was up before. Called once. */
  onEnd(reason: string): void
}

/** What requests need of the HTTP/2 session of a link. */
export type LinkSession = Pick<ClientHttp2Session, 'request' | 'closed' | 'destroyed'>

export interface Link {
  readonly session: LinkSession
  readonly isUp: boolean
  /** Whether the device connected over TLS. */
  readonly isEncrypted: boolean
  readonly hasEnded: boolean
  /** Whether the device responds to a ping within `timeout` milliseconds. */
  respondsWithin(timeout: number): Promise<boolean>
  /** Ends the link at once. Calls in progress are rejected as offline. */
  end(reason: string): void
}

/**
 * HTTP/2 receive windows in bytes. A ping waits behind what they let the device send, so they are wide only while the
 * line has shown that it is fast. The narrow one of the connection is enough for 20 Mbps at a round-trip time of
 * 100 ms.
 */
const NARROW = { stream: (64 << 10) - 1, connection: 256 << 10 }
const WIDE = { stream: 256 << 10, connection: 1 << 20 }
/** Bytes that arrive in a second on a line that is fast, and milliseconds of a ping on one that is slow. */
const FAST = 2 << 20
const SLOW_PING = 1000

/**
 * Megabytes that a session may hold, at each of its ends, before it refuses further requests: mainly what streams have
 * to send to a peer that reads slowly. The default of Node is reached by a few downloads that nobody reads.
 */
export const SESSION_MEMORY = 64

/** When a network fails, all its links end at the same time. */
const runSoon = createTimeSlicedQueue()

/** Opens an HTTP/2 client session on a socket. The device at the other end is the server. */
export function openLink(socket: Socket, { pingInterval, pingTimeout, onUp, onEnd }: LinkOptions): Link {
  let isUp = false
  let hasEnded = false
  let timer: NodeJS.Timeout | undefined

  socket.setNoDelay(true)
  // Devices do not push, and send few headers.
  const session = connect('http://device', {
    createConnection: () => socket,
    maxSessionMemory: SESSION_MEMORY,
    settings: { enablePush: false, maxHeaderListSize: 16 << 10 }
  })

  function end(reason: string): void {
    if (hasEnded) return
    hasEnded = true
    clearTimeout(timer)
    // Without an error code, responses in progress would look complete.
    session.destroy(undefined, constants.NGHTTP2_CANCEL)
    socket.destroy()
    onEnd(reason)
  }

  let windows = NARROW
  function setWindows(next: typeof NARROW): void {
    if (next === windows) return
    windows = next
    session.settings({ initialWindowSize: next.stream })
    session.setLocalWindowSize(next.connection)
  }

  let received = 0
  let lookedAt = performance.now()
  /** @param duration milliseconds of a ping */
  function adaptWindows(duration: number): void {
    const now = performance.now()
    const bytes = socket.bytesRead
    const rate = ((bytes - received) / (now - lookedAt)) * 1000
    received = bytes
    lookedAt = now
    if (duration > SLOW_PING) setWindows(NARROW)
    else if (rate > FAST) setWindows(WIDE)
  }

  function ping(): void {
    if (session.destroyed) return
    let hasResponse = false
    session.ping((error, duration) => {
      if (error || hasEnded) return
      hasResponse = true
      adaptWindows(duration)
      clearTimeout(timer)
      timer = setTimeout(ping, pingInterval)
    })
    timer = setTimeout(() => {
      // If the hub's event loop was blocked, the response may have arrived without being read: read it before deciding.
      setImmediate(() => {
        if (!hasResponse) end(`no response for ${pingTimeout / 1000} s`)
      })
    }, pingTimeout)
  }

  session.on('connect', () => session.setLocalWindowSize(NARROW.connection))
  session.once('remoteSettings', () => {
    if (hasEnded) return
    isUp = true
    ping()
    onUp()
  })
  const endSoon = (reason: string) => runSoon(() => end(reason))
  session.on('error', (error) => endSoon(error.message))
  session.on('goaway', () => endSoon('the device closed the connection'))
  session.on('close', () => endSoon('the connection was closed'))
  socket.on('end', () => endSoon('the connection was closed'))

  return {
    session,
    isEncrypted: socket instanceof TLSSocket,
    get isUp() {
      return isUp
    },
    get hasEnded() {
      return hasEnded
    },
    respondsWithin: (timeout) =>
      new Promise((resolve) => {
        if (hasEnded || session.destroyed) return resolve(false)
        const timer = setTimeout(resolve, timeout, false)
        session.ping((error) => {
          clearTimeout(timer)
          resolve(!error && !hasEnded)
        })
      }),
    end
  }
}
