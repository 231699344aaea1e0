// Opens the stream of a channel for a page of the console.
import { request } from 'node:http'
import { Readable } from 'node:stream'
import { WATCH_PREFIX } from '../interfaces/wire.ts'

/** Milliseconds for a response: longer than the engine waits for a stream. */
const TIMEOUT = 15_000

/**
 * As `EngineClient.watchChannel`.
 * @param socket path of the engine's socket
 */
export function openWatch(socket: string, id: number, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve) => {
    const fail = () => resolve(new Response(null, { status: 503 }))
    const sent = request({ socketPath: socket, path: `${WATCH_PREFIX}${id}`, timeout: TIMEOUT, signal, agent: false })
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
