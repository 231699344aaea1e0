// Movement of a camera. The console repeats the request while a user holds a button. The hub stops the camera one
// second after the last request, so that it also stops if the console is closed or loses its connection. The request
// contains the same limit, but not all cameras obey it.
import type { Movement } from './adapter.ts'

/** Milliseconds for which a camera moves after a request, unless another one follows. */
export const MOVE_TIME = 1000
/** Attempts to stop a camera that does not respond. */
const STOP_ATTEMPTS = 5

const STOP: Movement = { pan: 0, tilt: 0, zoom: 0 }

const isStop = ({ pan, tilt, zoom }: Movement) => pan === 0 && tilt === 0 && zoom === 0

/** A movement of the camera while it sends a stream. */
interface Order {
  streamId: string
  movement: Movement
}

/** Sends a movement to the camera. @throws LinkError */
type SendMovement = (streamId: string, movement: Movement) => Promise<void>

export class CameraMovement {
  readonly #send: SendMovement
  #newest: Order | undefined
  #last: Promise<unknown> = Promise.resolve()
  #timer: NodeJS.Timeout | undefined
  /** Attempts to stop it that have failed. */
  #failures = 0

  constructor(send: SendMovement) {
    this.#send = send
  }

  /** Whether the camera moves, as far as the hub has moved it. */
  get isActive(): boolean {
    return this.#timer !== undefined || (this.#newest !== undefined && !isStop(this.#newest.movement))
  }

  /** Moves or stops the camera. A movement that still waits when the next one is requested is not sent. */
  async move(streamId: string, movement: Movement): Promise<void> {
    const order = { streamId, movement }
    this.#newest = order
    const sent = this.#last.then(() => (this.#newest === order ? this.#apply(order) : undefined))
    this.#last = sent.catch(() => {})
    await sent
  }

  /** Stops the camera if it moves. */
  async close(): Promise<void> {
    if (!this.#newest || !this.isActive) return
    await this.move(this.#newest.streamId, STOP).catch(() => {})
    clearTimeout(this.#timer)
  }

  async #apply({ streamId, movement }: Order): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    let isSent = false
    try {
      await this.#send(streamId, movement)
      isSent = true
    } finally {
      this.#failures = isStop(movement) && !isSent ? this.#failures + 1 : 0
      // A camera may have begun to move although its response is missing.
      const isDone = isStop(movement) && (isSent || this.#failures >= STOP_ATTEMPTS)
      if (!isDone) this.#timer = setTimeout(() => void this.move(streamId, STOP).catch(() => {}), MOVE_TIME)
    }
  }
}
