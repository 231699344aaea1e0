// Start time, derived from an uptime that the hub sends only when another field changes.
import { hubNow } from '../ui/clock.ts'

/** Time at which each report was received: milliseconds since the epoch, on the hub's clock. */
const receivedAt = new WeakMap<object, number>()

/** The time since which a leg or channel carries media: milliseconds since the epoch, on the hub's clock. */
export function upSince(report: { 'living-time-s': number }): number {
  const received = receivedAt.get(report) ?? hubNow()
  receivedAt.set(report, received)
  return received - report['living-time-s'] * 1000
}
