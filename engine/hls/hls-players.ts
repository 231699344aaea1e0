// Players of an HLS output. HLS has no connection, so a player is an IP address that fetches segments; it has left when
// it stops fetching. Several players behind one address count as one.
import type { ObservedPlayer } from '../interfaces/channel.ts'

/** A player normally fetches one segment per target duration. After this many without a fetch it has left. */
const ABSENT_AFTER = 3
/** Target durations over which a rate is averaged, because segments arrive in bursts. */
const RATE_WINDOW = 10
/** Milliseconds within which fetches are counted as one, which bounds memory. */
const FETCH_SPACING = 250
/** Milliseconds for which a disconnected player is blocked, because there is no connection to close. */
export const BLOCK_DURATION = 60_000
/** Maximum number of players, and of blocked addresses. The oldest is dropped first. */
const ADDRESSES_MAX = 1000

interface Player {
  id: number
  /** Time of its first fetch. */
  since: number
  /** Fetches in the rate window, oldest first. */
  fetches: { at: number; bytes: number }[]
}

interface HlsPlayersOptions {
  /** Seconds. */
  targetDuration(): number
  nextClientId(): number
  now(): number
  onChange(): void
}

export class HlsPlayers {
  readonly #options: HlsPlayersOptions
  /** By address. */
  readonly #players = new Map<string, Player>()
  /** End of the block, by address. */
  readonly #blockedUntil = new Map<string, number>()

  constructor(options: HlsPlayersOptions) {
    this.#options = options
  }

  /** Whether the address is not blocked. */
  isAllowed(address: string): boolean {
    return (this.#blockedUntil.get(address) ?? 0) <= this.#options.now()
  }

  isPlaying(address: string): boolean {
    return this.#find(address, this.#options.now()) !== undefined
  }

  recordFetch(address: string, bytes: number): void {
    const now = this.#options.now()
    const player = this.#find(address, now) ?? this.#add(address, now)
    const newest = player.fetches.at(-1)
    if (newest && now - newest.at < FETCH_SPACING) {
      newest.bytes += bytes
      return
    }
    player.fetches = player.fetches.filter(({ at }) => now - at < this.#targetDurationsMs(RATE_WINDOW))
    player.fetches.push({ at: now, bytes })
  }

  /** The players. A rate covers the time between fetches, or `ABSENT_AFTER` target durations for a new player. */
  list(now: number): ObservedPlayer[] {
    return [...this.#players.keys()].flatMap((address) => {
      const player = this.#find(address, now)
      if (!player) return []
      const { id, since } = player
      return { id, address, kbps: this.#kbpsOf(player), livingTimeS: Math.floor((now - since) / 1000) }
    })
  }

  /** Removes and blocks a player. Returns false if there is no such player. */
  disconnect(id: number): boolean {
    const address = [...this.#players].find(([, player]) => player.id === id)?.[0]
    if (address === undefined) return false
    this.#players.delete(address)
    this.#blockedUntil.delete(address)
    this.#blockedUntil.set(address, this.#options.now() + BLOCK_DURATION)
    dropOldest(this.#blockedUntil)
    this.#options.onChange()
    return true
  }

  /** Removes players whose address does not satisfy the condition. */
  removeUnless(condition: (address: string) => boolean): void {
    for (const address of this.#players.keys()) if (!condition(address)) this.#players.delete(address)
    this.#options.onChange()
  }

  #add(address: string, now: number): Player {
    const player = { id: this.#options.nextClientId(), since: now, fetches: [] }
    this.#players.set(address, player)
    dropOldest(this.#players)
    this.#options.onChange()
    return player
  }

  /** The player at an address. Removes it if it has left. */
  #find(address: string, now: number): Player | undefined {
    const player = this.#players.get(address)
    if (!player) return undefined
    if (now - (player.fetches.at(-1)?.at ?? 0) < this.#targetDurationsMs(ABSENT_AFTER)) return player
    this.#players.delete(address)
    return undefined
  }

  #kbpsOf({ fetches }: Player): number {
    const [oldest, newest] = [fetches[0], fetches.at(-1)]
    if (!oldest || !newest) return 0
    const bytes = fetches.reduce((sum, fetch) => sum + fetch.bytes, 0)
    const span = newest.at - oldest.at
    const minSpan = this.#targetDurationsMs(ABSENT_AFTER)
    const bytesPerMs = span < minSpan ? bytes / minSpan : (bytes - oldest.bytes) / span
    // Bits per millisecond are kilobits per second.
    return Math.round(bytesPerMs * 8)
  }

  #targetDurationsMs(count: number): number {
    return count * 1000 * this.#options.targetDuration()
  }
}

function dropOldest(map: Map<string, unknown>): void {
  if (map.size > ADDRESSES_MAX) map.delete(map.keys().next().value ?? '')
}
