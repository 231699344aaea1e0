// Reports of chronyc in its format for programs: one line for each row, with commas. chronyc(1) documents the columns.
import type { SyncState, TimeSource, TimeSourceState } from '../../../contract/machine/time.ts'

/** Seconds. A larger offset is being corrected. */
const OFFSET_MAX = 0.1

/** The report `tracking`. */
export interface Tracking {
  isSynchronised: boolean
  /** Seconds by which the clock is ahead. */
  offset: number
  /** Milliseconds since the epoch of the last update; 0: none. */
  updatedAt: number
}

const STATES: Readonly<Record<string, TimeSourceState>> = {
  '*': 'selected',
  '+': 'combined',
  '-': 'unused',
  x: 'false',
  '~': 'unstable'
}

/** Value of the column with the seconds since the last answer while there was none. */
const NEVER = 0xffffffff

/** Columns of `tracking`: reference ID, name, stratum, reference time, correction, 8 others, leap status. */
export function parseTracking(line: string): Tracking | undefined {
  const columns = line.split(',')
  const [, , , updatedAt, correction] = columns
  const leap = columns.at(-1)
  if (columns.length < 14 || leap === undefined) return undefined
  return {
    isSynchronised: leap !== 'Not synchronised',
    // A positive correction moves the clock forward.
    offset: 0 - Number(correction),
    updatedAt: Math.round(Number(updatedAt) * 1000)
  }
}

/**
 * Columns of `sources`: mode, state, name, stratum, poll, reach (octal), seconds since the last answer, adjusted
 * offset, offset, error.
 */
export function parseSource(line: string, servers: readonly string[]): TimeSource | undefined {
  const [mode, state = '', name = '', stratum, , reach = '0', age, offset, , error] = line.split(',')
  if (mode !== '^' && mode !== '=' && mode !== '#') return undefined
  const hasAnswered = Number(age) !== NEVER
  return {
    name,
    'set-here': servers.some((server) => server.toLowerCase() === name.toLowerCase()),
    state: STATES[state] ?? 'unreachable',
    reach: Number.parseInt(reach, 8),
    ...(hasAnswered && {
      'last-answer-s': Number(age),
      stratum: Number(stratum),
      offset: Number(offset),
      error: Number(error)
    })
  }
}

/** The state that follows from what chrony reports. It is healthy only if the server in use has answered lately. */
export function syncStateOf({ isSynchronised, offset }: Tracking, sources: readonly TimeSource[]): SyncState {
  if (!isSynchronised) return 'waiting'
  const used = sources.filter(({ state }) => state === 'selected' || state === 'combined')
  if (!used.some(({ reach }) => (reach & 0b111) !== 0)) return 'lost'
  return Math.abs(offset) > OFFSET_MAX ? 'correcting' : 'synchronised'
}
