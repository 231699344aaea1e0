// What an output takes: the stream of one input at a time.
import type { Stream, Tap } from '../inputs/input.ts'

export function createTapping(tap: Tap) {
  let stream: Stream | undefined
  return {
    /** What is taken now. */
    stream: () => stream,
    /** Takes another stream, or none: what came before is over. */
    to(next: Stream | undefined): void {
      if (stream === next) return
      if (stream) {
        stream.taps.delete(tap)
        tap.over()
      }
      stream = next
      next?.taps.add(tap)
    },
    /** Takes nothing any more, and is not told so. */
    leave(): void {
      stream?.taps.delete(tap)
      stream = undefined
    }
  }
}
