// One link: an HTTP/2 client on the connection that a device has dialled. Knows when it is up and when it is over, once each.
import { type ClientHttp2Session, connect, constants } from 'node:http2'
import type { Socket } from 'node:net'
import { createBitByBit } from '../time-sliced.ts'

export interface LinkOptions {
  /** Milliseconds from one answer to the next question, and for which an answer is waited for. */
  pingEvery: number
  pingTimeout: number
  /** The other end proved to speak the protocol. */
  up(): void
  /** It is over, whether it was ever up or not. Called once. */
  over(reason: string): void
}

export interface Link {
  readonly session: ClientHttp2Session
  readonly isUp: boolean
  readonly isOver: boolean
  /** Whether the device answers within so many milliseconds. */
  answers(timeout: number): Promise<boolean>
  /** Ends it at once. Calls on it are rejected as offline. */
  end(reason: string): void
}

/** Bytes that a device may send ahead of all its streams together: fills 20 Mbps at a round trip of 100 ms. */
const WINDOW = 256 << 10

/** Where a network fails, all its links end at once. */
const soon = createBitByBit()

/** Speaks HTTP/2 as the client on a socket whose other end is to speak it as the server. */
export function openLink(socket: Socket, { pingEvery, pingTimeout, up, over }: LinkOptions): Link {
  let isUp = false
  let isOver = false
  let timer: NodeJS.Timeout | undefined

  socket.setNoDelay(true)
  // A device pushes nothing, and its headers are few. Streams keep the protocol's window of 64 KiB, so that a ping never waits
  // behind more than that of one bulk transfer.
  const session = connect('http://device', {
    createConnection: () => socket,
    settings: { enablePush: false, maxHeaderListSize: 16 << 10 }
  })

  function end(reason: string): void {
    if (isOver) return
    isOver = true
    clearTimeout(timer)
    // With a code, or answers under way would look as if they had come to their end.
    session.destroy(undefined, constants.NGHTTP2_CANCEL)
    socket.destroy()
    over(reason)
  }

  function ping(): void {
    if (session.destroyed) return
    let answered = false
    session.ping((error) => {
      if (error || isOver) return
      answered = true
      clearTimeout(timer)
      timer = setTimeout(ping, pingEvery)
    })
    timer = setTimeout(() => {
      // The answer may be here but unread, when it was the hub that stood still: read first, then judge.
      setImmediate(() => {
        if (!answered) end(`no answer for ${pingTimeout / 1000} s`)
      })
    }, pingTimeout)
  }

  session.on('connect', () => session.setLocalWindowSize(WINDOW))
  session.once('remoteSettings', () => {
    if (isOver) return
    isUp = true
    ping()
    up()
  })
  const endSoon = (reason: string) => soon(() => end(reason))
  session.on('error', (error) => endSoon(error.message))
  session.on('goaway', () => endSoon('the device left'))
  session.on('close', () => endSoon('the connection was closed'))
  socket.on('end', () => endSoon('the connection was closed'))

  return {
    session,
    get isUp() {
      return isUp
    },
    get isOver() {
      return isOver
    },
    answers: (timeout) =>
      new Promise((resolve) => {
        if (isOver || session.destroyed) return resolve(false)
        const late = setTimeout(resolve, timeout, false)
        session.ping((error) => {
          clearTimeout(late)
          resolve(!error && !isOver)
        })
      }),
    end
  }
}
