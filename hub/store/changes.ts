// The change counter: each change of something that the console shows gets the next revision number. It is kept in
// memory, because live values change too, and starts from the clock, so that revisions from before a restart are never
// mistaken for current ones.
import { TOPICS, type Topic } from '../../contract/change-feed.ts'

/** Items of a topic that changed or were removed after a revision, by ID. */
interface ChangeSet {
  changed: Set<number>
  removed: Set<number>
}

/** Removed items remembered per topic; a console further behind gets the whole list. */
const REMOVED_MAX = 10_000

interface TopicState {
  /** Changes up to this revision are not known one by one. */
  floor: number
  rev: number
  /** Revision by item ID. */
  changed: Map<number, number>
  removed: Map<number, number>
}

export class Changes {
  /** The newest revision. */
  rev: number
  readonly #topics: Record<Topic, TopicState>
  readonly #listeners = new Set<(topic: Topic) => void>()

  /** @param start first revision */
  constructor(start: number = Date.now() * 1000) {
    this.rev = start
    this.#topics = Object.fromEntries(
      TOPICS.map((topic) => [topic, { floor: start, rev: start, changed: new Map(), removed: new Map() }])
    ) as Record<Topic, TopicState>
  }

  /** The newest revision of a topic. */
  revOf(topic: Topic): number {
    return this.#topics[topic].rev
  }

  /** The newest revision of each topic. */
  revs(): Record<Topic, number> {
    return Object.fromEntries(TOPICS.map((topic) => [topic, this.revOf(topic)])) as Record<Topic, number>
  }

  /** Marks an item of a topic as changed, or the topic alone if no ID is given. */
  markChanged(topic: Topic, id?: number): void {
    const state = this.#advance(topic)
    if (id !== undefined) {
      state.removed.delete(id)
      state.changed.set(id, this.rev)
    }
    this.#notify(topic)
  }

  /** Marks an item of a topic as removed. */
  markRemoved(topic: Topic, id: number): void {
    const state = this.#advance(topic)
    state.changed.delete(id)
    state.removed.set(id, this.rev)
    if (state.removed.size > REMOVED_MAX) {
      const [oldest] = state.removed
      if (oldest) {
        state.floor = Math.max(state.floor, oldest[1])
        state.removed.delete(oldest[0])
      }
    }
    this.#notify(topic)
  }

  /** Marks the whole topic as changed, for instance because permissions changed: clients then fetch whole lists. */
  resetTopic(topic: Topic): void {
    this.#advance(topic).floor = this.rev
    this.#notify(topic)
  }

  /** The changes after `rev`; undefined if they are no longer known, and the client must fetch the whole list. */
  changesSince(topic: Topic, since: number): ChangeSet | undefined {
    const state = this.#topics[topic]
    if (since < state.floor || since > this.rev) return undefined
    // The usual case: a client polls and nothing changed.
    if (since >= state.rev) return { changed: new Set(), removed: new Set() }
    const idsAfter = (revisions: Map<number, number>) =>
      new Set([...revisions].filter(([, rev]) => rev > since).map(([id]) => id))
    return { changed: idsAfter(state.changed), removed: idsAfter(state.removed) }
  }

  /** Calls `listener` after each change. @returns a function that ends the subscription */
  subscribe(listener: (topic: Topic) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #advance(topic: Topic): TopicState {
    const state = this.#topics[topic]
    state.rev = ++this.rev
    return state
  }

  #notify(topic: Topic): void {
    for (const listener of this.#listeners) listener(topic)
  }
}
