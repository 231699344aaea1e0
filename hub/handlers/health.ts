// Whether the hub is ready, for supervisors and load balancers.
import type { EngineClient } from '../../engine/interfaces/engine-client.ts'
import { logger } from '../../process-log/logger.ts'
import { healthReply, isHealthPath } from '../../web-server/health.ts'
import type { Reply } from '../../web-server/reply.ts'
import type { HubRequest } from '../../web-server/request.ts'
import type { Store } from '../store/store.ts'

/** Handles the paths of the health check; returns undefined for others. */
export function createHealthHandler(parts: { store: Store; engine: EngineClient }) {
  return (request: HubRequest): Reply | undefined =>
    isHealthPath(request.path) ? healthReply(request, failingParts(parts)) : undefined
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
