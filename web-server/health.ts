// Answers to health checks of supervisors and load balancers. They are public, so they name parts of the program and
// nothing else.
import { jsonReply, type Reply, textReply } from './reply.ts'
import type { HubRequest } from './request.ts'

/**
 * - `/healthz`: 200 if the program is ready, else 503
 * - `/healthz/live`: always 200
 * - `/healthz/ready`: as `/healthz`
 */
const PATHS: readonly string[] = ['/healthz', '/healthz/live', '/healthz/ready']

export const isHealthPath = (path: string): boolean => PATHS.includes(path)

/**
 * The answer to a request with one of the paths.
 * @param failing parts of the program without which it cannot do its work
 * @param impaired parts whose failure it bears
 */
export function healthReply(
  { method, path }: HubRequest,
  failing: readonly string[],
  impaired: readonly string[] = []
): Reply {
  if (method !== 'GET' && method !== 'HEAD')
    return textReply('Method not allowed\n', 405, { allow: 'GET, HEAD', 'cache-control': 'no-store' })
  const ready = failing.length === 0
  const parts = { ...(!ready && { failing }), ...(impaired.length > 0 && { impaired }) }
  const reply = jsonReply({ live: true, ready, ...parts }, ready || path === '/healthz/live' ? 200 : 503)
  return method === 'GET' ? reply : { ...reply, body: null }
}
