// What the console answers itself where no answer came: result codes outside the wire's range.

/** The hub could not be reached at all. */
export const NO_CONNECTION = -90001
/** The hub did not answer in time. */
export const REQUEST_TIMED_OUT = -90002
/** The hub answered, the device behind it did not. */
export const NO_RESPONSE = -90003

/** Whether a result says that the hub itself was not heard. */
export function unheard(result: number): boolean {
  return result === NO_CONNECTION || result === REQUEST_TIMED_OUT
}
