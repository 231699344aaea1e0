// Who plays an output over HLS. There is no connection to count: a player is an address that fetches segments, and has left when it has
// fetched none for a while. Several behind one address are one.
import type { TakerObserved } from './channel.ts'

/** A player fetches a segment in each target duration; after so many without one it has left. */
const ABSENT = 3
/** Milliseconds for which one that was thrown out is refused: without a connection nothing else would end it. */
export const BANISHED = 60_000
/** Players, and addresses that are refused; the one that came first goes first. */
const MOST = 1000

interface Player {
  id: number
  since: number
  /** What was fetched when, no longer ago than it takes to have left. */
  fetched: { at: number; bytes: number }[]
}

export interface HlsPlayers {
  /** Whether one at this address is let in: it was not thrown out lately. */
  admits(address: string): boolean
  /** Whether one is there now. */
  has(address: string): boolean
  fetched(address: string, bytes: number): void
  /** The rate is what each fetched, over the time after which it would have left. */
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
  const window = () => ABSENT * 1000 * target()

  /** The player at an address, while it is there: what it fetched too long ago is forgotten, and it with the last of that. */
  function present(address: string, at: number): Player | undefined {
    const player = players.get(address)
    if (!player) return undefined
    player.fetched = player.fetched.filter((one) => at - one.at < window())
    if (player.fetched.length > 0) return player
    players.delete(address)
    return undefined
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
      player.fetched.push({ at, bytes })
    },
    takers: (at) =>
      [...players.keys()].flatMap((address) => {
        const player = present(address, at)
        if (!player) return []
        const bytes = player.fetched.reduce((sum, one) => sum + one.bytes, 0)
        // Bits in a millisecond are kilobits in a second.
        const kbps = Math.round((bytes * 8) / window())
        return { id: player.id, address, kbps, livingTimeS: Math.floor((at - player.since) / 1000) }
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
