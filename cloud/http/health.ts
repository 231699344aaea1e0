// Whether the node is ready, for load balancers. All nodes share the database, and consoles go on without it as far as
// they can, so a node that cannot reach it stays ready, and its response says so. A node that is ending is not ready.
import { logger } from '../../process-log/logger.ts'
import { healthReply } from '../../web-server/health.ts'
import type { Reply } from '../../web-server/reply.ts'
import type { HubRequest } from '../../web-server/request.ts'
import type { Store } from '../store/store.ts'

/** Milliseconds for the answer of the database, and for which it is not asked again, because strangers may ask. */
const TIMEOUT = 2000
const INTERVAL = 1000

export class NodeHealth {
  readonly #store: Store
  #isEnding = false
  #askedAt = Number.NEGATIVE_INFINITY
  #answers: Promise<boolean> = Promise.resolve(true)

  constructor(store: Store) {
    this.#store = store
  }

  /** The node ends: load balancers are to send requests to others. */
  end(): void {
    this.#isEnding = true
  }

  /** @param request with a path of the health check */
  async answer(request: HubRequest): Promise<Reply> {
    const impaired = request.path === '/healthz/live' || (await this.#databaseAnswers()) ? [] : ['database']
    return healthReply(request, this.#isEnding ? ['ending'] : [], impaired)
  }

  #databaseAnswers(): Promise<boolean> {
    const now = performance.now()
    if (now - this.#askedAt < INTERVAL) return this.#answers
    this.#askedAt = now
    this.#answers = this.#askDatabase()
    return this.#answers
  }

  async #askDatabase(): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined
    const tooLate = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${TIMEOUT / 1000} s`)), TIMEOUT)
    })
    try {
      await Promise.race([this.#store.ping(), tooLate])
      return true
    } catch (error) {
      logger.warn('The database does not answer', { reason: (error as Error).message })
      return false
    } finally {
      clearTimeout(timer)
    }
  }
}
