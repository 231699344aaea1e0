// Blocks networks that guess stream keys at the shared ports, at listening outputs and over HLS. It counts different
// keys, because an encoder that repeats one outdated key is not guessing. Keys of stopped channels are not counted
// either. Blocking does not end existing connections. State is in memory only: a restart clears it.
import { networkPrefix } from '../../contract/network-prefix.ts'
import type { KeyThrottle } from '../interfaces/leg-parts.ts'

/** Different wrong keys up to the first block. */
export const FREE_ATTEMPTS = 10
/** Milliseconds. Each further wrong key doubles the block, from the first wait to the longest. */
export const FIRST_WAIT = 10_000
export const LONGEST_WAIT = 15 * 60_000
/** Milliseconds without a wrong key after which a network's attempts are forgotten. */
export const FORGET_AFTER = 30 * 60_000
/** Networks that are remembered, and keys of each. The oldest is dropped first. */
const NETWORKS_MAX = 10_000
const KEYS_MAX = 64

interface KeyThrottleOptions {
  /** Whether a hash is that of an issued key, even if the key is of no use at the moment. */
  isKnownHash(hash: string): boolean
  /** Called when a network is blocked for the first time. */
  onFirstBlock(address: string): void
  /** Milliseconds of a monotonic clock. */
  now(): number
}

interface Attempts {
  /** Hashes of the keys tried. */
  hashes: Set<string>
  count: number
  lastAt: number
  blockedUntil: number
}

class NetworkKeyThrottle implements KeyThrottle {
  /** By network and subject, in the order of the last wrong key. */
  readonly #attempts = new Map<string, Attempts>()
  readonly #listeners = new Set<(address: string, wait: number) => void>()
  readonly #options: KeyThrottleOptions

  constructor(options: KeyThrottleOptions) {
    this.#options = options
  }

  isBlocked(address: string, subject = ''): boolean {
    return (this.#attempts.get(entryName(address, subject))?.blockedUntil ?? 0) > this.#options.now()
  }

  recordWrongKey(address: string, hash: string, subject = ''): void {
    const now = this.#options.now()
    const name = entryName(address, subject)
    const attempts = this.#find(name, now)
    if (attempts.blockedUntil > now || attempts.hashes.has(hash)) return
    if (subject === '' && this.#options.isKnownHash(hash)) return
    attempts.hashes.add(hash)
    dropOldest(attempts.hashes, KEYS_MAX)
    attempts.count++
    attempts.lastAt = now
    this.#attempts.delete(name)
    this.#attempts.set(name, attempts)
    dropOldest(this.#attempts, NETWORKS_MAX)
    if (attempts.count >= FREE_ATTEMPTS) this.#block(address, attempts, subject, now)
  }

  isIssued(hash: string): boolean {
    return this.#options.isKnownHash(hash)
  }

  listBlocked(): { address: string; wait: number }[] {
    const now = this.#options.now()
    return [...this.#attempts].flatMap(([name, { blockedUntil }]) => {
      const [address = '', subject] = name.split(' ')
      return subject === '' && blockedUntil > now ? { address, wait: blockedUntil - now } : []
    })
  }

  onBlock(listener: (address: string, wait: number) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #find(name: string, now: number): Attempts {
    const known = this.#attempts.get(name)
    return known && now - known.lastAt < FORGET_AFTER
      ? known
      : { hashes: new Set(), count: 0, lastAt: now, blockedUntil: 0 }
  }

  #block(address: string, attempts: Attempts, subject: string, now: number): void {
    const wait = Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** Math.min(20, attempts.count - FREE_ATTEMPTS))
    attempts.blockedUntil = now + wait
    if (subject === '') for (const listener of this.#listeners) listener(networkPrefix(address), wait)
    if (attempts.count === FREE_ATTEMPTS) this.#options.onFirstBlock(networkPrefix(address))
  }
}

export const createKeyThrottle = (options: KeyThrottleOptions): KeyThrottle => new NetworkKeyThrottle(options)

/** A 32-bit hash (FNV-1a) of a key, in hexadecimal. `headend-srt` computes the same one. */
export function hashKey(key: string): string {
  let hash = 0x811c9dc5
  for (const byte of Buffer.from(key)) hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  return hash.toString(16).padStart(8, '0')
}

const entryName = (address: string, subject: string) => `${networkPrefix(address)} ${subject}`

function dropOldest(from: Set<string> | Map<string, unknown>, max: number): void {
  if (from.size > max) from.delete(from.keys().next().value ?? '')
}
