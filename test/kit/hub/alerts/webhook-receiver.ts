// A web server that receives webhooks, and checks their signatures as the documentation says.
import { createHmac, timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface ReceivedWebhook {
  path: string
  headers: IncomingHttpHeaders
  body: string
  /** The body as JSON. */
  message: Record<string, unknown>
  /** Whether the signature is that of the time and the body. */
  isSigned: boolean
}

interface ReceiverOptions {
  /** Key of the signatures. */
  secret?: string
  /** 0: any. */
  port?: number
  /** Status, headers and body of each response; undefined: the connection is cut without a response. */
  respond?: (
    received: ReceivedWebhook
  ) => { status: number; headers?: Record<string, string>; body?: string } | undefined
}

/** Seconds by which the time of a signed message may differ from the clock of the receiver. */
const TOLERANCE = 300

function isSigned(secret: string, headers: IncomingHttpHeaders, body: string): boolean {
  const seconds = String(headers['x-headend-timestamp'] ?? '')
  if (!/^\d+$/.test(seconds) || Math.abs(Date.now() / 1000 - Number(seconds)) > TOLERANCE) return false
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(`${seconds}.${body}`).digest('hex')}`)
  const sent = Buffer.from(String(headers['x-headend-signature'] ?? ''))
  return sent.length === expected.length && timingSafeEqual(sent, expected)
}

/** Starts a receiver on the loopback interface. */
export async function startWebhookReceiver({ secret = '', port = 0, respond }: ReceiverOptions = {}) {
  const received: ReceivedWebhook[] = []
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString('utf8')
      const { headers, url: path = '' } = request
      const webhook = { path, headers, body, message: JSON.parse(body), isSigned: isSigned(secret, headers, body) }
      received.push(webhook)
      const reply = respond ? respond(webhook) : { status: 200, body: 'ok' }
      if (!reply) return request.destroy()
      response.writeHead(reply.status, reply.headers).end(reply.body)
    })
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const { port: listening } = server.address() as AddressInfo
  return {
    received,
    port: listening,
    url: `http://127.0.0.1:${listening}`,
    async close(): Promise<void> {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    }
  }
}

export type WebhookReceiver = Awaited<ReturnType<typeof startWebhookReceiver>>
