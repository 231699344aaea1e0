// Assertions for relayed requests (contract/cloud/relay.ts): who makes a request, signed by the cloud.
import { randomBytes } from 'node:crypto'
import {
  ASSERTION_PURPOSE,
  type AssertedUser,
  type Assertion,
  CHALLENGE_PATH,
  CHALLENGE_USES_MAX
} from '../../contract/cloud/relay.ts'
import { UNSUPPORTED } from '../../contract/codes.ts'
import type { Link } from '../../device-link/link.ts'
import { LinkError } from '../../device-link/link-error.ts'
import { sendRequest } from '../../device-link/request.ts'
import { signMessage } from '../../device-link/signed-message.ts'

/**
 * Milliseconds after which a new challenge is requested. The hub accepts one for a minute, so that a request may wait
 * for the rest of it on a slow line.
 */
const CHALLENGE_AGE_MAX = 20_000
/** Milliseconds for the challenge to arrive. */
const CHALLENGE_TIMEOUT = 10_000
const CHALLENGE_MAX = 1024

/** The hub has refused an assertion: its reason. */
export class AssertionRefused extends Error {
  /** Another key may have signed it than the one that the hub expects. */
  get isInvalid(): boolean {
    return this.message === 'invalid'
  }
}

/** An assertion that was signed, and the challenge in it. */
interface Signed {
  text: string
  challenge: LinkChallenge
}

/** The user of a session of the cloud, for one hub. */
export interface RelayCaller {
  user: AssertedUser
  /** Hash of the session of the cloud. */
  session: string
  /** When the user last proved the password, in milliseconds since the epoch. */
  authenticatedAt: number
  /** When the user proved the password for the rollout that makes the request; undefined: none makes it. */
  approvedAt?: number
}

/** The request that an assertion is for. */
type AssertedRequest = Pick<Assertion, 'sn' | 'method' | 'target' | 'address'>

interface AssertionsOptions {
  sign(data: Buffer): Buffer
  /** Reads which signing keys the cloud has, and tells a hub. */
  refreshKeys(link: Link, sn: string): Promise<void>
  /** Milliseconds since the epoch. */
  now: () => number
}

interface LinkChallenge {
  requestedAt: number
  /** Assertions that were made with it. */
  uses: number
  text: Promise<string>
}

export class Assertions {
  readonly #options: AssertionsOptions
  readonly #challenges = new WeakMap<Link, LinkChallenge>()

  constructor(options: AssertionsOptions) {
    this.#options = options
  }

  /**
   * Makes an assertion for one request.
   * @throws LinkError if the hub sends no challenge
   */
  async make(link: Link, caller: RelayCaller, request: AssertedRequest): Promise<string> {
    return (await this.#sign(link, caller, request)).text
  }

  /**
   * Makes a request with an assertion, and once more with a new challenge if the hub has refused the assertion.
   * @param mayRepeat whether the request can be sent again
   * @throws LinkError, AssertionRefused, and what `send` throws
   */
  async use<Result>(
    link: Link,
    caller: RelayCaller,
    request: AssertedRequest,
    send: (assertion: string) => Promise<Result>,
    mayRepeat: () => boolean = () => true
  ): Promise<Result> {
    const signed = await this.#sign(link, caller, request)
    try {
      return await send(signed.text)
    } catch (error) {
      if (!(error instanceof AssertionRefused) || !mayRepeat()) throw error
      // The signing key may have been replaced, and either this node or the hub does not know it yet.
      if (error.isInvalid) await this.#options.refreshKeys(link, request.sn)
      // Another request may have asked for a new challenge already. Asking again would make the hub forget that one.
      if (this.#challenges.get(link) === signed.challenge) this.#challenges.delete(link)
      return send(await this.make(link, caller, request))
    }
  }

  async #sign(link: Link, caller: RelayCaller, request: AssertedRequest): Promise<Signed> {
    const { user, session, authenticatedAt, approvedAt } = caller
    const { sign, now } = this.#options
    const ageOf = (time: number) => Math.max(0, (now() - time) / 1000)
    const challenge = this.#challenge(link, request.sn)
    const assertion: Assertion = {
      ...request,
      challenge: await challenge.text,
      id: randomBytes(16).toString('base64url'),
      user,
      session,
      'authenticated-s': ageOf(authenticatedAt),
      ...(approvedAt !== undefined && { 'approved-s': ageOf(approvedAt) })
    }
    return { text: signMessage(ASSERTION_PURPOSE, assertion, sign), challenge }
  }

  /** The current challenge of a link, counted as used once more. */
  #challenge(link: Link, sn: string): LinkChallenge {
    const known = this.#challenges.get(link)
    const now = performance.now()
    if (known && now - known.requestedAt < CHALLENGE_AGE_MAX && known.uses < CHALLENGE_USES_MAX) {
      known.uses++
      return known
    }
    const call = { method: 'GET', path: CHALLENGE_PATH, maxBody: CHALLENGE_MAX }
    const text = sendRequest(link, sn, call, CHALLENGE_TIMEOUT).then(({ status, body }) => {
      if (status !== 200) throw new LinkError(UNSUPPORTED, 'the hub has no relay')
      return String(JSON.parse(body.toString()).challenge)
    })
    const challenge = { requestedAt: now, uses: 1, text }
    text.catch(() => {
      if (this.#challenges.get(link) === challenge) this.#challenges.delete(link)
    })
    this.#challenges.set(link, challenge)
    return challenge
  }
}
