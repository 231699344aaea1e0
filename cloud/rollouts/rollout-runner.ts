// Finds the rollouts that have not ended, and works on those that no other node has.
import { logger } from '../../process-log/logger.ts'
import { type QueuedRollout, readQueue, removeFromQueue } from './rollout-rows.ts'
import { RolloutWorker, type TurnResult, type WorkerParts } from './rollout-worker.ts'

/** Milliseconds between two turns of a rollout. */
const TURN_INTERVAL = 3000
/** Milliseconds after which an entry of the queue without a rollout is removed. */
const ORPHAN_AGE = 60_000

interface Work {
  worker: RolloutWorker
  /** The turn that runs. */
  turn: Promise<void> | undefined
  /** When its rollout was missing first, on the clock of the process. */
  missingSince: number | undefined
}

export class RolloutRunner {
  readonly #parts: WorkerParts
  readonly #works = new Map<string, Work>()
  #timer: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(parts: Omit<WorkerParts, 'isClosing'>) {
    this.#parts = { ...parts, isClosing: () => this.#isClosed }
  }

  start(): void {
    this.#timer = setInterval(() => void this.run(), TURN_INTERVAL).unref()
  }

  /** What a turn has not stored yet, the next node finds out again. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    await Promise.all([...this.#works.values()].map(({ turn }) => turn))
  }

  /** Runs a step of every rollout whose last step has ended. */
  async run(): Promise<void> {
    if (this.#isClosed) return
    try {
      const queue = await readQueue(this.#parts.store)
      const keys = new Set(queue.map(keyOf))
      for (const [key, { turn }] of this.#works) if (!keys.has(key) && !turn) this.#works.delete(key)
      await Promise.all(queue.map((entry) => this.#work(entry)))
    } catch (error) {
      logger.warn('Rollouts could not be read', { reason: (error as Error).message })
    }
  }

  async #work(entry: QueuedRollout): Promise<void> {
    const key = keyOf(entry)
    const work = this.#works.get(key) ?? this.#addWork(key, entry)
    if (work.turn || this.#isClosed) return
    work.turn = work.worker
      .turn()
      .then((result) => this.#finish(entry, work, result))
      .catch((error) => logger.error('A rollout could not be continued', error, { id: entry.id }))
      .finally(() => {
        work.turn = undefined
      })
    await work.turn
  }

  #addWork(key: string, entry: QueuedRollout): Work {
    const work: Work = { worker: new RolloutWorker(entry, this.#parts), turn: undefined, missingSince: undefined }
    this.#works.set(key, work)
    return work
  }

  async #finish(entry: QueuedRollout, work: Work, result: TurnResult): Promise<void> {
    if (result === 'gone') {
      // It is added to the queue before it is stored.
      work.missingSince ??= performance.now()
      if (performance.now() - work.missingSince < ORPHAN_AGE) return
    } else if (result !== 'ended') return
    await removeFromQueue(this.#parts.store, entry)
  }
}

const keyOf = ({ organisation, id }: QueuedRollout) => `${organisation}/${id}`
