// Who plays an output over HLS. There is no connection to count: a player is an address that fetches segments, and has left when it has
// fetched none for a while. Several behind one address are one.
import type { TakerObserved } from '../interfaces/channel.ts'

/** A player fetches a segment in each target duration; after so many without one it has left. */
const ABSENT = 3
/** Target durations that a rate is of: what comes in pieces has none of one second. */
const RATED = 10
/** Milliseconds within which what is fetched counts as one: whoever fetches like mad is no burden. */
const SPACING = 250
/** Milliseconds for which one that was thrown out is refused: without a connection nothing else would end it. */
export const BANISHED = 60_000
/** Players, and addresses that are refused; the one that came first goes first. */
const MOST = 1000

interface Player {
  id: number
  since: number
  /** What was fetched when, as long ago as its rate is of. */
  fetched: { at: number; bytes: number }[]
}

export interface HlsPlayers {
  /** Whether one at this address is let in: it was not thrown out lately. */
  admits(address: string): boolean
  /** Whether one is there now. */
  has(address: string): boolean
  fetched(address: string, bytes: number): void
  /** The rate is what each fetched, from piece to piece; in the beginning over the time after which it would have left. */
  takers(now: number): TakerObserved[]
  /** Throws one out. False when there is none. */
  drop(id: number): boolean
  /** Forgets those whose address is not wanted any more. */
  keep(wanted: (address: string) => boolean): void
}

export interface HlsPlayersOptions {
  /** Seconds of the longest segment. */
  target(): number
  clientId(): number
  now(): number
  changed(): void
}

export function createHlsPlayers({ target, clientId, now, changed }: HlsPlayersOptions): HlsPlayers {
  const players = new Map<string, Player>()
  /** Until when. */
  const banished = new Map<string, number>()
  /** Milliseconds. */
  const targets = (count: number) => count * 1000 * target()

  /** The player at an address, while it is there. */
  function present(address: string, at: number): Player | undefined {
    const player = players.get(address)
    if (!player) return undefined
    const { fetched } = player
    if (at - (fetched.at(-1)?.at ?? 0) < targets(ABSENT)) return player
    players.delete(address)
    return undefined
  }

  function kbpsOf({ fetched }: Player): number {
    const [oldest, newest] = [fetched[0], fetched.at(-1)]
    if (!oldest || !newest) return 0
    const bytes = fetched.reduce((sum, one) => sum + one.bytes, 0)
    const span = newest.at - oldest.at
    // Bits in a millisecond are kilobits in a second.
    const rate = span < targets(ABSENT) ? bytes / targets(ABSENT) : (bytes - oldest.bytes) / span
    return Math.round(rate * 8)
  }

  return {
    admits: (address) => (banished.get(address) ?? 0) <= now(),
    has: (address) => present(address, now()) !== undefined,
    fetched(address, bytes) {
      const at = now()
      let player = present(address, at)
      if (!player) {
        player = { id: clientId(), since: at, fetched: [] }
        players.set(address, player)
        trim(players)
        changed()
      }
      const newest = player.fetched.at(-1)
      if (newest && at - newest.at < SPACING) {
        newest.bytes += bytes
        return
      }
      player.fetched = player.fetched.filter((one) => at - one.at < targets(RATED))
      player.fetched.push({ at, bytes })
    },
    takers: (at) =>
      [...players.keys()].flatMap((address) => {
        const player = present(address, at)
        if (!player) return []
        return { id: player.id, address, kbps: kbpsOf(player), livingTimeS: Math.floor((at - player.since) / 1000) }
      }),
    drop(id) {
      const address = [...players].find(([, player]) => player.id === id)?.[0]
      if (address === undefined) return false
      players.delete(address)
      banished.delete(address)
      banished.set(address, now() + BANISHED)
      trim(banished)
      changed()
      return true
    },
    keep(wanted) {
      for (const address of players.keys()) if (!wanted(address)) players.delete(address)
      changed()
    }
  }
}

function trim(map: Map<string, unknown>): void {
  if (map.size > MOST) map.delete(map.keys().next().value ?? '')
}
