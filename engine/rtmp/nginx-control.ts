// HTTP between the engine and nginx, over Unix sockets.
import { type IncomingMessage, request } from 'node:http'
import { APPLICATION } from './nginx-config.ts'

/** Milliseconds that nginx has to respond. */
const TIMEOUT = 2000
/** Bytes of the statistics page. */
const PAGE_MAX = 1 << 22

export interface NginxStats {
  /** IDs of the connected clients. */
  clientIds: ReadonlySet<number>
  /** Bytes sent to all players, by internal stream name. */
  sentBytes: ReadonlyMap<string, number>
}

/** Reads the statistics page. Rejects if nginx does not respond. */
export async function fetchStats(socketPath: string): Promise<NginxStats> {
  const page = await get(socketPath, '/stat')
  const clients = page.matchAll(/<client><id>(\d+)<\/id>/g)
  const streams = page.matchAll(/<stream>\s*<name>([^<]*)<\/name>.*?<bytes_out>(\d+)<\/bytes_out>/gs)
  return {
    clientIds: new Set([...clients].map((match) => Number(match[1]))),
    sentBytes: new Map([...streams].map(([, name = '', bytes]) => [name, Number(bytes)]))
  }
}

/** Disconnects a client. Rejects if nginx does not respond. */
export async function dropClient(socketPath: string, id: number): Promise<void> {
  await get(socketPath, `/control/drop/client?app=${APPLICATION}&clientid=${id}`)
}

/**
 * Reads the body of a message as text.
 * @throws Error if it is longer than `max` characters
 */
export async function readBody(message: IncomingMessage, max: number): Promise<string> {
  let text = ''
  for await (const chunk of message.setEncoding('utf8')) {
    text += chunk
    if (text.length > max) throw new Error(`The body is longer than ${max} characters`)
  }
  return text
}

function get(socketPath: string, path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request({ socketPath, path, timeout: TIMEOUT }, (response) => {
      readBody(response, PAGE_MAX).then(resolve, reject)
    })
    outgoing.on('timeout', () => outgoing.destroy(new Error('nginx did not respond')))
    outgoing.on('error', reject).end()
  })
}
