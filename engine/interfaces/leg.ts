// What the engine has of each output, whatever carries it.
import type { Reason } from '../../contract/stream/reason.ts'
import type { Stream } from '../inputs/input.ts'
import type { Counted } from '../stats/leg-stats.ts'
import type { OutputObserved, TakerObserved } from './channel.ts'

export interface Output {
  /** Of what only one output at a time can have: its device. */
  key?: string
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
  /** Those who take it now, where they can be told apart. */
  takers?(now: number): TakerObserved[]
  /** Throws one of them out. False when there is none. It may come back, at once or after a while. */
  drop?(taker: number): boolean
  /** From where players may come has changed: who comes from elsewhere is thrown out. */
  recheck?(): void
  /** The device that takes it came or went. */
  originChanged?(): void
  stop(): Promise<void>
}
