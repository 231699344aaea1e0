// Whether the hub lives and is ready, for supervisors and load balancers. Public, so the response names parts of the
// hub and nothing else.

import type { EngineClient } from '../../engine/interfaces/engine-client.ts'
import { logger } from '../../process-log/logger.ts'
import type { HubRequest } from '../../web-server/request.ts'
import type { Store } from '../store/store.ts'

/**
 * - `/healthz`: 200 if the hub is ready, else 503
 * - `/healthz/live`: always 200
 * - `/healthz/ready`: as `/healthz`
 */
const PATHS: readonly string[] = ['/healthz', '/healthz/live', '/healthz/ready']

/** Handles the paths of the health check; returns undefined for others. */
export function createHealthHandler(parts: { store: Store; engine: EngineClient }) {
  return ({ method, path }: HubRequest): Response | undefined => {
    if (!PATHS.includes(path)) return undefined
    if (method !== 'GET' && method !== 'HEAD')
      return new Response('Method not allowed\n', { status: 405, headers: { allow: 'GET, HEAD' } })
    const failing = failingParts(parts)
    const ready = failing.length === 0
    const status = ready || path === '/healthz/live' ? 200 : 503
    const body = JSON.stringify({ live: true, ready, ...(!ready && { failing }) })
    return new Response(method === 'GET' ? body : null, {
      status,
      headers: { 'content-type': 'application/json', 'cache-control': 'no-store' }
    })
  }
}

/** The parts without which the hub cannot do its work. */
function failingParts({ store, engine }: { store: Store; engine: EngineClient }): string[] {
  const failing = [...(engine.isAway() ? ['engine'] : []), ...(store.database.storageFault ? ['storage'] : [])]
  try {
    store.database.get('SELECT 1')
    return failing
  } catch (error) {
    logger.error('The database cannot be read', error)
    return ['store', ...failing]
  }
}
