// Limits for devices that nobody has approved yet: guessing of the invitation code, and the rate of registrations.
// Accepted devices are never subject to them. Times are monotonic, and counters are in memory: a restart resets them.
import { networkPrefix } from '../contract/network-prefix.ts'

/** Milliseconds for which wrong invitation codes count. */
const GUESS_WINDOW = 3_600_000
/**
 * Different wrong codes within the window: of one network, and of all together. A device with an old code repeats the
 * same one, which counts once. A code has 4 digits, so guessing one takes 50 hours on average.
 */
export const GUESSES_PER_NETWORK = 5
export const GUESSES_MAX = 100
/**
 * Milliseconds between two codes that are checked of a blocked network that has accepted devices. Guessing one then
 * takes 14 hours on average.
 */
export const KNOWN_NETWORK_INTERVAL = 10_000

/** New devices of one network: at once, and then per second. */
export const REGISTRATION_BURST = 500
export const REGISTRATIONS_PER_SECOND = 20
/** Networks whose rate is remembered; the one unused for the longest time is forgotten first. */
const NETWORKS_MAX = 10_000

type CodeVerdict = 'right' | 'wrong' | 'blocked'

interface CodeGuardEvents {
  /** A network has sent too many wrong codes. */
  onNetworkBlocked(address: string): void
  /** All networks together have sent too many wrong codes. */
  onAllBlocked(address: string): void
  /**
   * Whether a network has accepted devices. It may register further ones while all others are blocked, and slowly while
   * it is blocked itself: somebody who mistypes a code must not keep out the devices of a site for an hour.
   */
  isKnownNetwork(prefix: string): boolean
}

/**
 * Checks invitation codes, and blocks networks that guess. While a network is blocked its right code is refused, too,
 * unless it has accepted devices.
 */
export class CodeGuard {
  readonly #events: CodeGuardEvents
  readonly #monotonic: () => number
  #windowStart = Number.NEGATIVE_INFINITY
  #guesses = 0
  /** Wrong codes by network. Has at most `GUESSES_MAX` entries. */
  readonly #codes = new Map<string, Set<string>>()
  /** When a code of a blocked network was last checked, by network. */
  readonly #checkedAt = new Map<string, number>()

  constructor(events: CodeGuardEvents, monotonic: () => number = () => performance.now()) {
    this.#events = events
    this.#monotonic = monotonic
  }

  /** @param isRight compares the code with the right one */
  check(address: string, code: string, isRight: (code: string) => boolean): CodeVerdict {
    const prefix = networkPrefix(address)
    if (this.#monotonic() - this.#windowStart >= GUESS_WINDOW) this.reset()
    const isBlocked = this.#isBlocked(prefix)
    if (isBlocked && !this.#takeCheck(prefix)) return 'blocked'
    if (isRight(code)) return 'right'
    if (isBlocked) return 'wrong'
    // Any other text says nothing about the code.
    if (/^\d{4}$/.test(code)) this.#recordGuess(prefix, address, code)
    return 'wrong'
  }

  /** Forgets all wrong codes, because the code was changed. */
  reset(): void {
    this.#windowStart = this.#monotonic()
    this.#guesses = 0
    this.#codes.clear()
    this.#checkedAt.clear()
  }

  /** @returns whether a code of a blocked network is checked now */
  #takeCheck(prefix: string): boolean {
    const now = this.#monotonic()
    const next = (this.#checkedAt.get(prefix) ?? Number.NEGATIVE_INFINITY) + KNOWN_NETWORK_INTERVAL
    if (now < next || !this.#events.isKnownNetwork(prefix)) return false
    this.#checkedAt.set(prefix, now)
    return true
  }

  #isBlocked(prefix: string): boolean {
    if ((this.#codes.get(prefix)?.size ?? 0) >= GUESSES_PER_NETWORK) return true
    return this.#guesses >= GUESSES_MAX && !this.#events.isKnownNetwork(prefix)
  }

  #recordGuess(prefix: string, address: string, code: string): void {
    const codes = this.#codes.get(prefix) ?? new Set()
    if (codes.has(code)) return
    this.#codes.set(prefix, codes.add(code))
    this.#guesses++
    if (codes.size === GUESSES_PER_NETWORK) this.#events.onNetworkBlocked(address)
    if (this.#guesses === GUESSES_MAX) this.#events.onAllBlocked(address)
  }
}

/** Limits how fast one network registers new devices (token bucket). */
export class RegistrationRate {
  readonly #monotonic: () => number
  readonly #buckets = new Map<string, { left: number; at: number }>()

  constructor(monotonic: () => number = () => performance.now()) {
    this.#monotonic = monotonic
  }

  /** Counts a new device. @returns false if its network is too fast */
  take(address: string): boolean {
    const prefix = networkPrefix(address)
    const now = this.#monotonic()
    const { left, at } = this.#buckets.get(prefix) ?? { left: REGISTRATION_BURST, at: now }
    const available = Math.min(REGISTRATION_BURST, left + ((now - at) / 1000) * REGISTRATIONS_PER_SECOND)
    this.#buckets.delete(prefix)
    this.#buckets.set(prefix, { left: available >= 1 ? available - 1 : available, at: now })
    if (this.#buckets.size > NETWORKS_MAX) this.#buckets.delete(this.#buckets.keys().next().value ?? '')
    return available >= 1
  }
}
