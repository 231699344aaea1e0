// Makes scheduled takes when they are due, in the name of the users who scheduled them. A take that is too late,
// because the hub was stopped or the clock was set, is logged and not made.
import { isPermitted, NDI_EDIT } from '../../contract/access/permissions.ts'
import { SUCCESS } from '../../contract/codes.ts'
import { LOG_WARNING } from '../../contract/log.ts'
import { SCHEDULE_LATE_MAX } from '../../contract/ndi/router.ts'
import type { StoredScheduledTake } from '../store/matrices.ts'
import type { Store } from '../store/store.ts'
import type { NdiRouters } from './ndi-routers.ts'

/** Longest time in milliseconds between checks of the clock, because it may be set. */
const CHECK_INTERVAL = 30_000

interface ScheduledTakesOptions {
  store: Pick<Store, 'database' | 'matrices' | 'users' | 'logEvent'>
  routers: Pick<NdiRouters, 'take'>
  /** A scheduled take was made or removed. */
  onChange(matrixId: number): void
  /** Milliseconds since the epoch. */
  clock?: (() => number) | undefined
}

export class ScheduledTakes {
  readonly #options: ScheduledTakesOptions
  readonly #clock: () => number
  #timer: ReturnType<typeof setTimeout> | undefined
  /**
   * IDs of the takes that are being made, and of those that were made and could not be removed during a storage fault.
   * IDs are not reused.
   */
  readonly #running = new Set<number>()
  #isClosed = false

  constructor(options: ScheduledTakesOptions) {
    this.#options = options
    this.#clock = options.clock ?? Date.now
  }

  /**
   * Makes the takes that are due, and waits for the next one. Called at the start, after each change, and by a timer.
   */
  check(): void {
    if (this.#isClosed) return
    clearTimeout(this.#timer)
    const now = this.#clock()
    const scheduled = this.#options.store.matrices.allScheduled()
    for (const take of scheduled) if (take.at <= now) void this.#make(take, now)
    const next = scheduled.find(({ at }) => at > now)?.at ?? Number.POSITIVE_INFINITY
    this.#timer = setTimeout(() => this.check(), Math.min(next - now, CHECK_INTERVAL))
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
  }

  async #make(take: StoredScheduledTake, now: number): Promise<void> {
    if (this.#running.has(take.id)) return
    this.#running.add(take.id)
    const event = await this.#findFault(take, now).catch(() => 'scheduled-take-failed' as const)
    if (this.#isClosed) return
    const { store, onChange } = this.#options
    // It is removed last: a hub that ends before this makes the same take again if it is back in time, and logs it as
    // missed otherwise.
    const isRemoved = store.database.transactionOrLater(() => {
      store.matrices.removeScheduled(take.id)
      if (event) store.logEvent({ event, detail: this.#describe(take), level: LOG_WARNING })
      return true
    })
    if (isRemoved) this.#running.delete(take.id)
    onChange(take.matrix)
  }

  /** Makes a take. @returns why it was not made */
  async #findFault({ at, by, token, matrix, takes, name }: StoredScheduledTake, now: number) {
    if (now - at > SCHEDULE_LATE_MAX * 1000) return 'scheduled-take-missed'
    const user = this.#options.store.users.byName(by)
    if (!user || !isPermitted(NDI_EDIT, user)) return 'scheduled-take-refused'
    const actor = { name: by, token, address: '', isAdmin: false }
    const { result } = await this.#options.routers.take(matrix, takes, actor, { title: name })
    return result === SUCCESS ? undefined : 'scheduled-take-failed'
  }

  #describe({ matrix, name }: StoredScheduledTake): string {
    const matrixName = this.#options.store.matrices.byId(matrix)?.name ?? String(matrix)
    return name === '' ? matrixName : `${matrixName}, ${name}`
  }
}
