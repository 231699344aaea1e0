// A connection to a syslog server: datagrams (RFC 5426), or a TCP connection with a length before each message (RFC 6587, 3.4.1).
import { createSocket } from 'node:dgram'
import { connect } from 'node:net'
import type { SyslogTarget } from '../../contract/settings.ts'

export interface SyslogConnection {
  /** Sends messages in their order. Resolves when the system has taken all; rejects if that failed or took too long. */
  send(messages: readonly string[]): Promise<void>
  close(): void
}

/** Milliseconds for connecting, and for the system to take the messages of one call. */
const TIMEOUT = 10_000

export async function openConnection({ protocol, host, port }: SyslogTarget): Promise<SyslogConnection> {
  return protocol === 'tcp' ? openTcp(host, port) : openUdp(host, port)
}

async function openUdp(host: string, port: number): Promise<SyslogConnection> {
  const socket = createSocket('udp4')
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
  // A refused datagram is reported for the next one, whose callback has the error.
  socket.on('error', () => {})
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

async function openTcp(host: string, port: number): Promise<SyslogConnection> {
  const socket = connect({ host, port, timeout: TIMEOUT })
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject).once('timeout', () => socket.destroy(new Error('The syslog server does not answer')))
    socket.once('connect', () => {
      socket.off('error', reject)
      resolve()
    })
  })
  let failure: Error | undefined
  socket.setTimeout(0)
  socket.on('error', (error) => {
    failure = error
  })
  // A server sends nothing, but the socket must be read to notice its end.
  socket.resume()
  return {
    send: (messages) =>
      new Promise((resolve, reject) => {
        if (socket.destroyed || !socket.writable) return reject(failure ?? new Error('The syslog server disconnected'))
        const timer = setTimeout(() => socket.destroy(new Error('The syslog server does not read')), TIMEOUT)
        const handleClose = () => reject(failure ?? new Error('The syslog server disconnected'))
        socket.once('close', handleClose)
        socket.write(messages.map((message) => `${message.length} ${message}`).join(''), (error) => {
          clearTimeout(timer)
          socket.off('close', handleClose)
          if (error) reject(error)
          else resolve()
        })
      }),
    close: () => void socket.destroy()
  }
}
