// Fetches HLS playlists, their segments, and the streams of channels from the engine.
import { Agent, type IncomingMessage, request } from 'node:http'
import { Readable } from 'node:stream'
import type { HlsRequest } from '../interfaces/engine-client.ts'
import { HLS_PREFIX, PLAYER_HEADER, WATCH_PREFIX } from '../interfaces/wire.ts'

/** Milliseconds for the response to a request for a playlist or segment. */
const HLS_TIMEOUT = 5000
/** Milliseconds for the first bytes of a stream: longer than the engine waits for it. */
const WATCH_TIMEOUT = 15_000
/** Connections to the engine that are kept open. */
const IDLE_CONNECTIONS = 16

export class HlsFetcher {
  readonly #socket: () => string
  readonly #agent = new Agent({ keepAlive: true, maxFreeSockets: IDLE_CONNECTIONS })

  /** @param socket path of the engine's socket, which can change */
  constructor(socket: () => string) {
    this.#socket = socket
  }

  /** @returns a response without headers except its length; 503 if the engine cannot be reached */
  async fetch({ method, key, file, address }: HlsRequest): Promise<Response> {
    try {
      const response = await this.#request(method, `${HLS_PREFIX}${key}/${file}`, address)
      const { statusCode: status = 502, headers } = response
      const length = headers['content-length']
      if (status !== 200 || method !== 'GET') response.resume()
      const body = status === 200 && method === 'GET' ? (Readable.toWeb(response) as ReadableStream) : null
      return new Response(body, { status, headers: length === undefined ? {} : { 'content-length': length } })
    } catch {
      return new Response(null, { status: 503 })
    }
  }

  close(): void {
    this.#agent.destroy()
  }

  #request(method: string, path: string, address: string): Promise<IncomingMessage> {
    return new Promise((resolve, reject) => {
      const headers = { [PLAYER_HEADER]: address }
      const sent = request({
        socketPath: this.#socket(),
        agent: this.#agent,
        method,
        path,
        headers,
        timeout: HLS_TIMEOUT
      })
      sent.on('response', (response) => {
        // A slow player may take any time.
        sent.setTimeout(0)
        resolve(response)
      })
      sent.on('timeout', () => sent.destroy(new Error('timeout')))
      sent.on('error', reject)
      sent.end()
    })
  }
}

/**
 * As `EngineClient.watchChannel`.
 * @param socket path of the engine's socket
 */
export function openWatch(socket: string, id: number, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve) => {
    const fail = () => resolve(new Response(null, { status: 503 }))
    const sent = request({
      socketPath: socket,
      path: `${WATCH_PREFIX}${id}`,
      timeout: WATCH_TIMEOUT,
      signal,
      agent: false
    })
    sent.on('response', (response) => {
      sent.setTimeout(0)
      const { statusCode: status = 502, headers } = response
      if (status !== 200) {
        response.resume()
        return resolve(new Response(null, { status }))
      }
      // The body reports it.
      response.on('error', () => {})
      resolve(new Response(Readable.toWeb(response) as ReadableStream, { headers: headers as Record<string, string> }))
    })
    sent.on('timeout', () => sent.destroy(new Error('timeout')))
    sent.on('error', fail)
    sent.end()
  })
}
