// Moves a camera while the user holds a button or a key. The hub stops it a second after the last request, so that it
// never goes on moving because a console has gone.
import type { MoveInputRequest } from '../../../contract/device/stream.ts'

/** Speeds in percent; none = stop. */
export type Movement = Omit<MoveInputRequest, 'id'>

/** Milliseconds from the answer to a request to the next one, while the user holds a button. */
const REPEAT_DELAY = 400

const delay = () => new Promise((resolve) => setTimeout(resolve, REPEAT_DELAY))

export interface CameraHold {
  /** Moves the camera until `release` is called or another movement begins. */
  press(movement: Movement): Promise<void>
  /** Stops the camera if it moves. */
  release(): void
  /** Moves the camera for a moment. */
  step(movement: Movement): Promise<void>
}

/** @param move sends a movement to the camera. @returns whether it succeeded */
export function createCameraHold(move: (movement: Movement) => Promise<boolean>): CameraHold {
  let held: Movement | undefined
  async function press(movement: Movement): Promise<void> {
    held = movement
    while (held === movement) {
      const hasMoved = await move(movement)
      // The request was on its way, and may have arrived after the one that stops.
      if (!held) return void move({})
      if (!hasMoved) return
      await delay()
    }
  }
  function release(): void {
    if (!held) return
    held = undefined
    void move({})
  }
  return {
    press,
    release,
    async step(movement) {
      void press(movement)
      await delay()
      release()
    }
  }
}
