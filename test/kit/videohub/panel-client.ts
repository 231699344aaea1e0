// A client of the Videohub Ethernet Protocol that sends any bytes and keeps those that it received.
import { connect, type Socket } from 'node:net'
import { until } from '../until.ts'

export class PanelClient {
  readonly socket: Socket
  /** Received since the connection, or since `clear`. */
  received = ''
  isClosed = false

  constructor(port: number, localAddress = '127.0.0.1') {
    this.socket = connect({ port, host: '127.0.0.1', localAddress, noDelay: true })
    this.socket.setEncoding('utf8')
    this.socket.on('data', (text: string) => {
      this.received += text
    })
    this.socket.on('error', () => {})
    this.socket.on('close', () => {
      this.isClosed = true
    })
  }

  clear(): void {
    this.received = ''
  }

  /** Waits for a text. */
  async waitFor(text: string): Promise<void> {
    await until(() => this.received.includes(text), `${JSON.stringify(text)} in ${JSON.stringify(this.received)}`)
  }

  /** Sends a block, and waits for the response and the status blocks that follow it. @returns all of them */
  async request(...lines: string[]): Promise<string> {
    this.clear()
    // The response to the second request comes after everything that the first one causes.
    this.socket.write(`${lines.join('\n')}\n\nPING:\n\n`)
    const responses = () => this.received.match(/^(ACK|NAK)\n\n/gm)?.length
    await until(() => responses() === 2, `response to ${lines.join(', ')}`)
    return this.received.slice(0, this.received.lastIndexOf('ACK\n\n'))
  }

  async waitForEnd(): Promise<void> {
    await until(() => this.isClosed, 'end of the connection')
  }
}

const clients = new Set<PanelClient>()

/** Connects, and waits for the prelude. `closePanels` disconnects. */
export async function connectPanel(port: number, localAddress?: string): Promise<PanelClient> {
  const client = openPanel(port, localAddress)
  await client.waitFor('END PRELUDE:\n\n')
  return client
}

/** Connects without waiting. */
export function openPanel(port: number, localAddress?: string): PanelClient {
  const client = new PanelClient(port, localAddress)
  clients.add(client)
  return client
}

export function closePanels(): void {
  for (const { socket } of clients) socket.destroy()
  clients.clear()
}
