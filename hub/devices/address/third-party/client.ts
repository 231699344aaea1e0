// A camera or server at an address that was identified: its streams, pictures and movement. Sends one request at a
// time, because cameras serve few connections. Only movements do not wait for other requests, so that a request to stop
// is sent at once.
import { AUTH_FAILED } from '../../../../contract/codes.ts'
import { LinkError } from '../../link/link-error.ts'
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

export class ThirdPartyClient {
  readonly adapter: ThirdPartyAdapter
  readonly #endpoint: ThirdPartyEndpoint
  readonly #login: Login
  #last: Promise<unknown> = Promise.resolve()
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
  check(): Promise<boolean> {
    return this.#inTurn(() => this.adapter.recognizes(this.#endpoint))
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
      if (error instanceof LinkError && error.code === AUTH_FAILED) this.#refusal = error
      throw error
    }
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const result = this.#last.then(work)
    this.#last = result.catch(() => {})
    return result
  }
}
