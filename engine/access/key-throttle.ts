// Slows down who guesses keys of streams, whichever way: at the shared ports, at outputs that players come to, over HLS. Counted are
// different keys: an encoder that comes again and again with one key of yesterday guesses nothing, nor does one whose channel is stopped.
// Who is connected stays so. Kept in memory: a restart forgives.
import { networkOf } from '../../contract/network-prefix.ts'

/** Different wrong keys before the first wait. */
export const FREE = 10
/** Milliseconds: the first wait, doubled by each further one, and the longest. */
export const FIRST = 10_000
export const LONGEST = 15 * 60_000
/** Milliseconds without another one after which all is forgotten. */
export const FORGET = 30 * 60_000
/** Addresses that are remembered, and keys of each: the oldest goes first. */
const ADDRESSES_MAX = 10_000
const KEYS_MAX = 64

export interface Guesses {
  /** Whether who comes from an address has to wait. */
  barred(address: string, of?: string): boolean
  /**
   * Counts a key that is nobody's. Those of who has to wait are not: they were not looked at.
   * @param mark of the key, by `markOf`
   * @param of what they are guesses at, where it is no key: it is counted, and barred, by itself
   */
  wrong(address: string, mark: string, of?: string): void
  /** Who has to wait for keys, and for how many milliseconds. */
  bars(): { address: string; wait: number }[]
  /** Tells of each new one, until what it answers is called. */
  watch(barred: (address: string, wait: number) => void): () => void
}

export interface GuessesOptions {
  /** Whether a mark is that of a key somebody was given, though it opens nothing now. */
  known(mark: string): boolean
  /** Somebody has to wait for the first time. */
  began(address: string): void
  now(): number
}

interface Guesser {
  tried: Set<string>
  wrong: number
  last: number
  until: number
}

export function createGuesses({ known, began, now }: GuessesOptions): Guesses {
  /** By network, and what is guessed. In the order of their last guess. */
  const guessers = new Map<string, Guesser>()
  const watchers = new Set<(address: string, wait: number) => void>()
  const nameOf = (address: string, of: string) => `${networkOf(address)} ${of}`
  const barred = (address: string, of = '') => (guessers.get(nameOf(address, of))?.until ?? 0) > now()
  return {
    barred,
    wrong(address, mark, of = '') {
      const at = now()
      const name = nameOf(address, of)
      const before = guessers.get(name)
      const one: Guesser =
        before && at - before.last < FORGET ? before : { tried: new Set(), wrong: 0, last: at, until: 0 }
      if (one.until > at || one.tried.has(mark) || (of === '' && known(mark))) return
      one.tried.add(mark)
      dropOldest(one.tried, KEYS_MAX)
      one.wrong++
      one.last = at
      guessers.delete(name)
      guessers.set(name, one)
      dropOldest(guessers, ADDRESSES_MAX)
      if (one.wrong < FREE) return
      const wait = Math.min(LONGEST, FIRST * 2 ** Math.min(20, one.wrong - FREE))
      one.until = at + wait
      if (of === '') for (const watcher of watchers) watcher(networkOf(address), wait)
      if (one.wrong === FREE) began(networkOf(address))
    },
    bars() {
      const at = now()
      return [...guessers].flatMap(([name, { until }]) => {
        const [address = '', of] = name.split(' ')
        return of === '' && until > at ? { address, wait: until - at } : []
      })
    },
    watch(watcher) {
      watchers.add(watcher)
      return () => watchers.delete(watcher)
    }
  }
}

/** What stands for a key, of which it tells next to nothing: FNV-1a of its bytes, as the program of the SRT ports makes it, too. */
export function markOf(key: string): string {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(key)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash.toString(16).padStart(8, '0')
}

function dropOldest(from: Set<string> | Map<string, unknown>, most: number): void {
  if (from.size > most) from.delete(from.keys().next().value ?? '')
}
