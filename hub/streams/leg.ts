// What the engine has of each output, whatever carries it.
import type { Reason } from '../words/reasons.ts'
import type { OutputObserved } from './channel.ts'
import type { Counted } from './figures.ts'
import type { Stream } from './input.ts'

export interface Output {
  /** Takes this input from now on. */
  attach(input: Stream): void
  view(now: number): OutputObserved
  /** What was last said of an end that is not a failure. */
  lastWord(): Reason | undefined
  tick(now: number): void
  /** Bytes carried so far. */
  total(): number
  /** All that was counted. */
  counted(now: number): Counted
  stop(): Promise<void>
}
