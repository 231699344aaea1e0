// A connection to a syslog server: datagrams (RFC 5426), or a TCP connection with a length before each message (RFC
// 6587, 3.4.1).
import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { SyslogTarget } from '../../contract/settings.ts'
import { resolveServer } from '../machine/server-address.ts'
import { SyslogError } from './error-text.ts'

export interface SyslogConnection {
  /** Sends messages in their order. Resolves when the system has taken all; rejects if that failed or took too long. */
  send(messages: readonly string[]): Promise<void>
  close(): void
}

/** Milliseconds for connecting, and for the system to take the messages of one call. */
const TIMEOUT = 10_000
/** Milliseconds within which the refusal of a datagram arrives. */
export const REFUSAL_TIME = 500

/**
 * @param onFailure called once if the connection fails between two calls of `send`, and for a datagram that was refused
 */
export async function openConnection(
  { protocol, host, port }: SyslogTarget,
  onFailure: (error: Error) => void
): Promise<SyslogConnection> {
  const address = await resolveServer(host)
  return protocol === 'tcp' ? openTcp(address, port, onFailure) : openUdp(address, port, onFailure)
}

/** Sends a message over a connection of its own, and waits for a refusal. @throws why it could not be sent */
export async function sendOnce(target: SyslogTarget, message: string, signal?: AbortSignal): Promise<void> {
  let failure: Error | undefined
  const connection = await openConnection(target, (error) => {
    failure ??= error
  })
  try {
    await connection.send([message])
    await sleep(REFUSAL_TIME, undefined, { signal })
    if (failure) throw failure
  } finally {
    connection.close()
  }
}

async function openUdp(host: string, port: number, onFailure: (error: Error) => void): Promise<SyslogConnection> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4')
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject)
    socket.connect(port, host, () => {
      socket.off('error', reject)
      resolve()
    })
  }).catch((error) => {
    socket.close()
    throw error
  })
  // A machine that answers says that no program listens on the port. Nothing confirms a datagram that arrived.
  socket.on('error', onFailure)
  return {
    async send(messages) {
      for (const message of messages)
        await new Promise<void>((resolve, reject) =>
          socket.send(message, (error) => (error ? reject(error) : resolve()))
        )
    },
    close: () => void socket.close()
  }
}

async function openTcp(host: string, port: number, onFailure: (error: Error) => void): Promise<SyslogConnection> {
  const socket = connect({ host, port, timeout: TIMEOUT })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject).once('timeout', () => socket.destroy(new SyslogError('no-answer')))
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve()
    })
  })
  let failure: Error | undefined
  let isClosing = false
  socket.setTimeout(0)
  socket.on('error', (error) => {
    failure = error
  })
  socket.on('close', () => {
    if (!isClosing) onFailure(failure ?? new SyslogError('disconnected'))
  })
  // A server sends nothing, but the socket must be read to notice its end.
  socket.resume()
  return {
    send: (messages) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed || !socket.writable) return reject(failure ?? new SyslogError('disconnected'))
        const timer = setTimeout(() => socket.destroy(new SyslogError('not-reading')), TIMEOUT)
        const handleClose = () => reject(failure ?? new SyslogError('disconnected'))
        socket.once('close', handleClose)
        socket.write(messages.map((message) => `${message.length} ${message}`).join(''), (error) => {
          clearTimeout(timer)
          socket.off('close', handleClose)
          if (error) reject(error)
          else resolve()
        })
      }),
    close() {
      isClosing = true
      socket.destroy()
    }
  }
}
