// The change counter: every change of anything the console shows gets the next number. Kept in memory, since live values change too;
// it starts from the clock, so that no number from before a restart is ever taken for one of now.
import { TOPICS, type Topic } from '../../contract/change-feed.ts'

/** What changed on a topic since a revision. */
export interface Difference {
  changed: Set<number>
  gone: Set<number>
}

export interface Changes {
  /** The newest number given. */
  readonly rev: number
  /** Newest number of a topic. */
  revOf(topic: Topic): number
  /** Newest number of each topic. */
  revs(): Record<Topic, number>
  /** Says that item `id` of a topic changed. */
  bump(topic: Topic, id?: number): void
  /** Says that item `id` is no more. */
  gone(topic: Topic, id: number): void
  /** Says that anything of the topic may differ, for instance because rights changed: lists are answered whole again. */
  reset(topic: Topic): void
  /** What changed after `rev`; undefined when that can no longer be told. */
  since(topic: Topic, rev: number): Difference | undefined
  /** Calls `listener` after each change. @returns how to stop it */
  listen(listener: (topic: Topic) => void): () => void
}

/** Removed items remembered per topic; a console further behind gets the whole list. */
const GONE_MAX = 10_000

interface TopicState {
  floor: number
  rev: number
  changed: Map<number, number>
  gone: Map<number, number>
}

export function createChanges(start = Date.now() * 1000): Changes {
  let rev = start
  const topics = new Map<Topic, TopicState>()
  const listeners = new Set<(topic: Topic) => void>()
  const stateOf = (topic: Topic) => {
    let state = topics.get(topic)
    if (!state) {
      state = { floor: start, rev: start, changed: new Map(), gone: new Map() }
      topics.set(topic, state)
    }
    return state
  }
  const next = (topic: Topic) => {
    const state = stateOf(topic)
    state.rev = ++rev
    return state
  }
  const announce = (topic: Topic) => {
    for (const listener of listeners) listener(topic)
  }
  return {
    get rev() {
      return rev
    },
    revOf: (topic) => stateOf(topic).rev,
    revs() {
      return Object.fromEntries(TOPICS.map((topic) => [topic, stateOf(topic).rev])) as Record<Topic, number>
    },
    bump(topic, id) {
      const state = next(topic)
      if (id !== undefined) {
        state.gone.delete(id)
        state.changed.set(id, rev)
      }
      announce(topic)
    },
    gone(topic, id) {
      const state = next(topic)
      state.changed.delete(id)
      state.gone.set(id, rev)
      if (state.gone.size > GONE_MAX) {
        const [oldest] = state.gone
        if (oldest) {
          state.floor = Math.max(state.floor, oldest[1])
          state.gone.delete(oldest[0])
        }
      }
      announce(topic)
    },
    reset(topic) {
      const state = next(topic)
      state.floor = rev
      announce(topic)
    },
    since(topic, from) {
      const state = stateOf(topic)
      if (from < state.floor || from > rev) return undefined
      // What most polls ask.
      if (from >= state.rev) return { changed: new Set(), gone: new Set() }
      const after = (map: Map<number, number>) => new Set([...map].filter(([, at]) => at > from).map(([id]) => id))
      return { changed: after(state.changed), gone: after(state.gone) }
    },
    listen(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    }
  }
}
