// How long something has lasted, from an answer that is not repeated as long as only that changes.
import { hubNow } from '../ui/clock.ts'

/** When each answered object was first looked at, which is right after it came. */
const seen = new WeakMap<object, number>()

/** Since when a leg or channel carries media: milliseconds since the epoch, on the hub's clock. */
export function livedSince(answered: { 'living-time-s': number }): number {
  const at = seen.get(answered) ?? hubNow()
  seen.set(answered, at)
  return at - answered['living-time-s'] * 1000
}
