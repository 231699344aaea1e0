// A camera or server at an address that was identified: its streams, pictures and movement. Sends one request at a
// time, because cameras serve few connections. Only movements and checks do not wait for other requests: a request to
// stop is sent at once, and a camera that has gone is noticed soon.
import { AUTH_FAILED } from '../../../../contract/codes.ts'
import { LinkError, SilenceError } from '../../../../device-link/link-error.ts'
import { silenceLimit } from '../http-call.ts'
import { RecentList } from '../recent-list.ts'
import {
  addressWithLogin,
  type Login,
  type Movement,
  type ThirdPartyAdapter,
  type ThirdPartyEndpoint,
  type ThirdPartyStream
} from './adapter.ts'
import { CameraMovement } from './movement.ts'

/** It spends at most this share of its time on checks. */
const BUSY_SHARE = 0.2
/** Longest time in milliseconds from one check to the next. */
const CHECK_INTERVAL_MAX = 30_000

export class ThirdPartyClient {
  readonly adapter: ThirdPartyAdapter
  readonly #endpoint: ThirdPartyEndpoint
  readonly #login: Login
  #last: Promise<unknown> = Promise.resolve()
  /** Milliseconds of the last check; undefined before the first one. */
  #checkTime: number | undefined
  /** Called when it refuses the login that it accepted before. */
  onLoginRefused: ((refusal: LinkError) => void) | undefined
  readonly #streams = new RecentList<ThirdPartyStream>(() =>
    this.#inTurn(() => this.#withLogin(() => this.adapter.listStreams(this.#endpoint, this.#login)))
  )
  /** The refusal of the login, after which it is not sent again: cameras lock accounts. */
  #refusal: LinkError | undefined
  readonly #movement = new CameraMovement((id, movement) =>
    this.#withLogin(async () => this.adapter.move?.(this.#endpoint, this.#login, id, movement))
  )

  constructor(adapter: ThirdPartyAdapter, endpoint: ThirdPartyEndpoint, login: Login) {
    this.adapter = adapter
    this.#endpoint = endpoint
    this.#login = login
  }

  /** Whether it is still there. Needs no login. @throws LinkError */
  async check(): Promise<boolean> {
    const startedAt = performance.now()
    const usual = this.#checkTime
    let timer: NodeJS.Timeout | undefined
    const silence = new Promise<never>((_, reject) => {
      if (usual === undefined) return
      timer = setTimeout(() => reject(new SilenceError()), silenceLimit(usual))
    })
    try {
      return await Promise.race([this.adapter.recognizes(this.#endpoint), silence])
    } finally {
      clearTimeout(timer)
      this.#checkTime = performance.now() - startedAt
    }
  }

  /** Milliseconds from one check to the next. @param shortest of one that answers soon */
  checkInterval(shortest: number): number {
    const pace = Math.min(CHECK_INTERVAL_MAX, (this.#checkTime ?? 0) / BUSY_SHARE)
    return Math.max(shortest, this.adapter.checkInterval ?? 0, pace)
  }

  /** The streams that were read last, however long ago; read now if they never were. @throws LinkError */
  knownStreams(): Promise<ThirdPartyStream[]> {
    return this.#streams.known()
  }

  /** Its streams, read at most every 5 s. @throws LinkError */
  listStreams(): Promise<ThirdPartyStream[]> {
    return this.#streams.get()
  }

  /** The address of a stream with the login, as an input has it; undefined if it cannot be played. */
  playAddress({ url }: ThirdPartyStream): string | undefined {
    return url === undefined ? undefined : addressWithLogin(url, this.#login)
  }

  /** @returns a JPEG; undefined if cameras of this kind have none. @throws LinkError */
  async picture(id: string): Promise<Buffer | undefined> {
    return this.#inTurn(() => this.#withLogin(async () => this.adapter.picture?.(this.#endpoint, this.#login, id)))
  }

  /** Whether the hub moves it. */
  get isMoving(): boolean {
    return this.#movement.isActive
  }

  /** Moves it for a second at most, unless another movement follows. @throws LinkError */
  move(id: string, movement: Movement): Promise<void> {
    return this.#movement.move(id, movement)
  }

  /** Stops it if the hub moves it. */
  close(): Promise<void> {
    return this.#movement.close()
  }

  async #withLogin<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#refusal) throw this.#refusal
    try {
      return await work()
    } catch (error) {
      if (error instanceof LinkError && error.code === AUTH_FAILED) {
        this.#refusal = error
        this.onLoginRefused?.(error)
      }
      throw error
    }
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => {})
    return result
  }
}
