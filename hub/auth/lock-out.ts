// Slows down guessing, so that whoever guesses bars himself and nobody else. Unknown names wait like known ones, so that waiting tells
// nothing. Kept in memory: a restart forgives.
//
// Failures are counted in three ways:
// - of a name from an address: the lock proper, minutes long, which nobody can put on somebody who is elsewhere;
// - of an address, whatever the name: short, for it may be a whole campus behind one router;
// - of a name, wherever from: seconds only, so that guessing from a thousand addresses is slow. It bars new addresses, and none for good.
// The last two do not count for a name that signed in from the address before: what others do there or elsewhere does not slow it.

import { networkOf } from '../../contract/network-prefix.ts'

interface Way {
  /** Failures before the first wait. */
  free: number
  /** Milliseconds: the first wait, doubled by each further failure, and the longest. */
  first: number
  longest: number
}

const PAIR: Way = { free: 5, first: 10_000, longest: 15 * 60_000 }
const ADDRESS: Way = { free: 20, first: 10_000, longest: 60_000 }
const NAME: Way = { free: 20, first: 1000, longest: 5000 }

/** Milliseconds without a failure after which all is forgotten. */
const FORGET = 30 * 60_000
/** Remembered of each way; the one not heard of for the longest time goes first. */
const KEYS_MAX = 10_000

interface Count {
  failures: number
  last: number
  until: number
}

export interface LockOut {
  /** Seconds that this name still has to wait at this address; 0 = it may try. */
  wait(user: string, address: string): number
  /** Counts a failure. @returns whether the lock of the name at the address began or went on with it */
  failed(user: string, address: string): boolean
  succeeded(user: string, address: string): void
  /** Whether the name signed in from the address since the hub started. */
  knows(user: string, address: string): boolean
}

/** A map that remembers the newest entries. */
function newest<Value>() {
  const map = new Map<string, Value>()
  return {
    get: (key: string) => map.get(key),
    delete: (key: string) => map.delete(key),
    set(key: string, value: Value): void {
      map.delete(key)
      map.set(key, value)
      if (map.size > KEYS_MAX) map.delete(map.keys().next().value ?? '')
    }
  }
}

/** Counts failures one way. */
function counter({ free, first, longest }: Way, now: () => number) {
  const counts = newest<Count>()
  return {
    /** Milliseconds since the epoch. */
    until: (key: string) => counts.get(key)?.until ?? 0,
    /** @returns whether a wait began with it */
    failed(key: string): boolean {
      let count = counts.get(key)
      if (!count || now() - count.last > FORGET) count = { failures: 0, last: 0, until: 0 }
      count.failures++
      count.last = now()
      const waits = count.failures >= free
      if (waits) count.until = now() + Math.min(longest, first * 2 ** Math.min(20, count.failures - free))
      counts.set(key, count)
      return waits
    },
    forget: (key: string) => counts.delete(key)
  }
}

export function createLockOut(now: () => number = Date.now): LockOut {
  const pairs = counter(PAIR, now)
  const addresses = counter(ADDRESS, now)
  const names = counter(NAME, now)
  const known = newest<true>()
  const pairOf = (user: string, address: string) => `${networkOf(address)} ${user}`
  const knows = (user: string, address: string) => known.get(pairOf(user, address)) === true
  return {
    wait(user, address) {
      const others = knows(user, address) ? 0 : Math.max(addresses.until(networkOf(address)), names.until(user))
      return Math.max(0, Math.ceil((Math.max(pairs.until(pairOf(user, address)), others) - now()) / 1000))
    },
    failed(user, address) {
      addresses.failed(networkOf(address))
      names.failed(user)
      return pairs.failed(pairOf(user, address))
    },
    succeeded(user, address) {
      pairs.forget(pairOf(user, address))
      // Not the other two: whoever has an account could forgive himself all guesses at those of others.
      known.set(pairOf(user, address), true)
    },
    knows
  }
}
