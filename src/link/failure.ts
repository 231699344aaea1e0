// Result codes for requests without a response, outside the range of the hub's result codes.

/** The hub could not be reached. */
export const NO_CONNECTION = -90001
/** The hub did not respond in time. */
export const REQUEST_TIMED_OUT = -90002
/** The hub responded, the device behind it did not. */
export const NO_RESPONSE = -90003

/** Whether a result means that no response of the hub arrived. */
export function isUnreachable(result: number): boolean {
  return result === NO_CONNECTION || result === REQUEST_TIMED_OUT
}
