// The challenges of one cloud link, and the assertions that were used with each.
import { randomBytes } from 'node:crypto'
import { CHALLENGE_SECONDS, CHALLENGE_USES_MAX } from '../../contract/cloud/relay.ts'

/** Challenges at a time. The oldest one makes room. */
const CHALLENGES_MAX = 8

interface Challenge {
  /** Milliseconds on the clock of the challenges. */
  madeAt: number
  /** IDs of the assertions that were used. */
  used: Set<string>
}

export class Challenges {
  readonly #now: () => number
  readonly #challenges = new Map<string, Challenge>()

  /** @param now milliseconds of a clock that never jumps */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now
  }

  make(): string {
    const [oldest] = this.#challenges.keys()
    if (oldest !== undefined && this.#challenges.size >= CHALLENGES_MAX) this.#challenges.delete(oldest)
    const challenge = randomBytes(16).toString('base64url')
    this.#challenges.set(challenge, { madeAt: this.#now(), used: new Set() })
    return challenge
  }

  /** Records that an assertion is used. @returns why it cannot be; undefined if it can */
  use(challenge: string, id: string): 'expired' | 'used' | undefined {
    const known = this.#challenges.get(challenge)
    if (!known || this.#now() - known.madeAt > CHALLENGE_SECONDS * 1000 || known.used.size >= CHALLENGE_USES_MAX) {
      this.#challenges.delete(challenge)
      return 'expired'
    }
    if (known.used.has(id)) return 'used'
    known.used.add(id)
    return undefined
  }
}
