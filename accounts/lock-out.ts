// Delays sign-in attempts after failures, so that guessing passwords is slow for the attacker and hardly affects
// others. Unknown user names are delayed like known ones, so that the delay does not reveal which names exist. Counters
// are in memory: a restart resets them.
//
// Failures are counted three ways:
// - per name and address: the actual lock-out, up to 15 minutes. It does not affect the same user at another address.
// - per address, for all names: up to a minute, because many users may share an address.
// - per name, for all addresses: up to five seconds, so that distributed guessing is slow.
// The last two do not apply to a name that has signed in from the address before.
//
// Wrong codes of the second factor count like wrong passwords and, because a code has a million values only, per name
// for all addresses up to 15 minutes more: who gets that far knows the password, and with a thousand addresses would
// find a code within weeks. This does not apply to a name that has signed in from the address before either.

import { networkPrefix } from '../contract/network-prefix.ts'

interface DelayRule {
  /** Number of the failure that causes the first delay. */
  threshold: number
  /** First and longest delay in milliseconds. Each further failure doubles the delay. */
  first: number
  longest: number
}

const PAIR_RULE: DelayRule = { threshold: 5, first: 10_000, longest: 15 * 60_000 }
const ADDRESS_RULE: DelayRule = { threshold: 20, first: 10_000, longest: 60_000 }
const NAME_RULE: DelayRule = { threshold: 20, first: 1000, longest: 5000 }
const CODE_RULE: DelayRule = { threshold: 10, first: 10_000, longest: 15 * 60_000 }

/** Milliseconds without a failure after which a counter is reset. */
const RESET_AFTER = 30 * 60_000
/** Counters of each kind that are kept; the one unused for the longest time is removed first. */
const COUNTERS_MAX = 10_000

interface Counter {
  failures: number
  lastFailure: number
  /** End of the delay, in milliseconds of the clock. */
  delayUntil: number
}

export interface LockOut {
  /** Seconds until this user may try again from this address; 0 = now. */
  secondsToWait(user: string, address: string): number
  /** Counts a failure. @returns whether the name is now locked out at the address */
  recordFailure(user: string, address: string): boolean
  /** Like `secondsToWait`, for a user whose password is right. */
  secondsToWaitForCode(user: string, address: string): number
  /** Counts a wrong code of the second factor. @returns whether the name is now locked out at the address */
  recordCodeFailure(user: string, address: string): boolean
  recordSuccess(user: string, address: string): void
  /** Whether the user has signed in from the address since the hub started. */
  isKnown(user: string, address: string): boolean
}

/** A map that keeps the entries set last. */
class RecentMap<Value> {
  readonly #entries = new Map<string, Value>()

  get(key: string): Value | undefined {
    return this.#entries.get(key)
  }

  delete(key: string): void {
    this.#entries.delete(key)
  }

  set(key: string, value: Value): void {
    this.#entries.delete(key)
    this.#entries.set(key, value)
    if (this.#entries.size > COUNTERS_MAX) this.#entries.delete(this.#entries.keys().next().value ?? '')
  }
}

class FailureCounters {
  readonly #rule: DelayRule
  readonly #now: () => number
  readonly #counters = new RecentMap<Counter>()

  constructor(rule: DelayRule, now: () => number) {
    this.#rule = rule
    this.#now = now
  }

  /** End of the delay in milliseconds of the clock; negative infinity = no delay. */
  delayUntil(key: string): number {
    return this.#counters.get(key)?.delayUntil ?? Number.NEGATIVE_INFINITY
  }

  /** @returns whether the failure caused a delay */
  recordFailure(key: string): boolean {
    const { threshold, first, longest } = this.#rule
    const now = this.#now()
    let counter = this.#counters.get(key)
    if (!counter || now - counter.lastFailure > RESET_AFTER)
      counter = { failures: 0, lastFailure: now, delayUntil: Number.NEGATIVE_INFINITY }
    counter.failures++
    counter.lastFailure = now
    const isDelayed = counter.failures >= threshold
    const doublings = Math.min(20, counter.failures - threshold)
    if (isDelayed) counter.delayUntil = now + Math.min(longest, first * 2 ** doublings)
    this.#counters.set(key, counter)
    return isDelayed
  }

  reset(key: string): void {
    this.#counters.delete(key)
  }
}

/**
 * @param now milliseconds of a monotonic clock: setting the clock of the machine must neither end nor extend a delay
 */
export function createLockOut(now: () => number = () => performance.now()): LockOut {
  const pairs = new FailureCounters(PAIR_RULE, now)
  const addresses = new FailureCounters(ADDRESS_RULE, now)
  const names = new FailureCounters(NAME_RULE, now)
  const codes = new FailureCounters(CODE_RULE, now)
  const known = new RecentMap<true>()
  const pairKey = (user: string, address: string) => `${networkPrefix(address)} ${user}`
  const isKnown = (user: string, address: string) => known.get(pairKey(user, address)) === true
  const secondsUntil = (time: number) => Math.max(0, Math.ceil((time - now()) / 1000))
  function secondsToWait(user: string, address: string): number {
    const shared = isKnown(user, address)
      ? Number.NEGATIVE_INFINITY
      : Math.max(addresses.delayUntil(networkPrefix(address)), names.delayUntil(user))
    return secondsUntil(Math.max(pairs.delayUntil(pairKey(user, address)), shared))
  }
  function recordFailure(user: string, address: string): boolean {
    addresses.recordFailure(networkPrefix(address))
    names.recordFailure(user)
    return pairs.recordFailure(pairKey(user, address))
  }
  return {
    secondsToWait,
    recordFailure,
    secondsToWaitForCode: (user, address) =>
      Math.max(secondsToWait(user, address), isKnown(user, address) ? 0 : secondsUntil(codes.delayUntil(user))),
    recordCodeFailure(user, address) {
      codes.recordFailure(user)
      return recordFailure(user, address)
    },
    recordSuccess(user, address) {
      pairs.reset(pairKey(user, address))
      // The other counters stay: otherwise a user could reset them by signing in to the own account between guesses.
      known.set(pairKey(user, address), true)
    },
    isKnown
  }
}
