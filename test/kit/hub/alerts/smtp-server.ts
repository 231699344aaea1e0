// An SMTP server (the package smtp-server) that keeps the messages that it accepts.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface ReceivedMail {
  from: string
  to: string[]
  /** Headers and body as they were sent. */
  source: string
  /** Whether the connection was encrypted. */
  isSecure: boolean
  /** The user who was signed in. */
  user: string | undefined
}

export async function startSmtpServer(options: SMTPServerOptions) {
  const mails: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    ...options,
    onData(stream, session, done) {
      const chunks: Buffer[] = []
      stream.on('data', (chunk: Buffer) => chunks.push(chunk))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        mails.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          source: Buffer.concat(chunks).toString(),
          isSecure: session.secure,
          user: session.user
        })
        done(null, '2.0.0 queued as 77')
      })
    }
  })
  // A client that refuses the certificate ends the handshake.
  server.on('error', () => {})
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  return {
    port,
    mails,
    /** Connections that are open. */
    get openCount() {
      return server.connections.size
    },
    close: () => new Promise<void>((resolve) => server.close(resolve))
  }
}
