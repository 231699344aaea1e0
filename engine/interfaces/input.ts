import type { ObservedLeg, PushSettings } from './channel.ts'
import type { LegCounters } from './leg-stats.ts'
import type { Stream } from './stream.ts'

/** An input, which may be used by several channels. Times are milliseconds of `EngineContext.now`. */
export interface Input extends Stream {
  /** Inputs with the same key are the same program of the same origin. */
  readonly key: string
  observe(now: number): ObservedLeg
  /** Bytes of MPEG-TS received so far. */
  totalBytes(): number
  /** Peak level of each audio channel in dBFS; undefined without audio. Measured only while it is read every few seconds. */
  audioLevels(now: number): number[] | undefined
  counters(now: number): LegCounters
  /** Call about twice a second. */
  tick(now: number): void
  /** Restarts the input if a device is to push with other settings. */
  changePushSettings(push: PushSettings | undefined): void
  /** The origin appeared or disappeared: a device went online or offline, or a publisher connected or left. */
  onOriginChange(): void
  stop(): Promise<void>
}
