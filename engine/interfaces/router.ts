// Matrices of the NDI router: what the hub wants, and what the engine observes.
import type { Reason } from '../../contract/stream/reason.ts'

/** Connects a source to a destination. */
export interface Route {
  /** Index of the destination. */
  destination: number
  /** NDI name of the source; empty = none. */
  source: string
}

export interface WantedMatrix {
  id: number
  name: string
  /** NDI names of the sources whose presence is observed. */
  sources: string[]
  /** Destinations by index, each with its name without the machine. */
  destinations: (Route & { name: string })[]
}

export interface ObservedDestination extends Route {
  /** NDI name as announced. */
  name: string
  connections: number
}

export interface ObservedMatrix {
  id: number
  /** Why there is no router process. Absent while it runs or starts. */
  reason?: Reason
  /** The destinations that are announced; empty unless the router process runs. */
  destinations: ObservedDestination[]
  /**
   * Presence of the sources. `since`: milliseconds since the epoch. A source that was not looked for yet is missing.
   */
  sources: { name: string; online: boolean; since: number }[]
}

/**
 * Outcome of a take.
 * - `done`: all destinations were switched
 * - `down`: there is no router process, or it has not announced these destinations
 * - otherwise the destinations that could not be switched; all others were switched back
 */
export type TakeOutcome = 'done' | 'down' | { failed: number[] }
