// Events for the hub's log. They are kept until the hub has acknowledged them, also while the hub is away.
import type { EngineEvent } from '../interfaces/wire.ts'

/** Events that are kept. The oldest are dropped first. */
export const EVENTS_MAX = 1000
/** Events of one message. */
const BATCH_MAX = 100

type NewEvent = EngineEvent extends infer Each
  ? Each extends EngineEvent
    ? Omit<Each, 'sequence' | 'time'>
    : never
  : never

export class EventBuffer {
  readonly #events: EngineEvent[] = []
  #lastSequence = 0
  #isSending = false

  add(event: NewEvent): void {
    this.#events.push({ ...event, sequence: ++this.#lastSequence, time: Date.now() } as EngineEvent)
    if (this.#events.length > EVENTS_MAX) this.#events.shift()
  }

  /** Sends all events, oldest first. @param send resolves when the hub has acknowledged the events, and rejects if it does not */
  async flush(send: (events: EngineEvent[]) => Promise<void>): Promise<void> {
    if (this.#isSending) return
    this.#isSending = true
    try {
      while (this.#events.length > 0) {
        const batch = this.#events.slice(0, BATCH_MAX)
        await send(batch)
        const last = batch.at(-1)?.sequence ?? 0
        while ((this.#events[0]?.sequence ?? Number.POSITIVE_INFINITY) <= last) this.#events.shift()
      }
    } catch {
      // They are sent again when the hub is back.
    } finally {
      this.#isSending = false
    }
  }
}
