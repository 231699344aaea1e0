// One input or output of a channel: its history, its quality, and since when its verdict holds.
import type { InputVerdict } from '../../contract/health.ts'
import type { InputAssessment, LegFacts } from '../../contract/stream/channel-health.ts'
import type { LegReport } from '../../contract/stream/channel-history.ts'
import type { ObservedLeg } from '../../engine/interfaces/channel.ts'
import { LegHistory, type LegKind, type LegState } from './leg-history.ts'
import { QualityWindow } from './quality-window.ts'
import { Since } from './since.ts'

/** The configuration of a leg. */
export interface LegSettings {
  id: number
  /** Differs if the leg has to start again. */
  fingerprint: string
  isEnabled: boolean
}

/** A verdict with the time since when it holds, in milliseconds since the epoch; undefined if unknown. */
export interface Assessed<Assessment> {
  assessment: Assessment
  since: number | undefined
}

export interface AssessedLeg<Assessment extends { verdict: InputVerdict }> extends Assessed<Assessment> {
  /** The engine's words for it. */
  failure: LegState
}

export class TrackedLeg {
  readonly kind: LegKind
  readonly #since: Since
  #isFound: boolean
  #settings: LegSettings
  #history: LegHistory
  #quality = new QualityWindow()
  #failure: LegState | undefined
  /** An output: since when it has been on air without interruption; undefined if it is not. */
  #onAir: { since: number | undefined } | undefined

  /** @param isFound whether it existed before the hub started */
  constructor(kind: LegKind, settings: LegSettings, now: number, isFound: boolean) {
    this.kind = kind
    this.#settings = settings
    this.#since = new Since(isFound)
    this.#isFound = isFound
    this.#history = new LegHistory(kind, now)
  }

  get id(): number {
    return this.#settings.id
  }

  apply(settings: LegSettings, now: number): void {
    const { isEnabled, fingerprint } = this.#settings
    this.#settings = settings
    if (settings.isEnabled && !isEnabled) {
      this.#isFound = false
      this.#history = new LegHistory(this.kind, now)
      this.#quality = new QualityWindow()
    } else if (settings.fingerprint !== fingerprint) this.#history.restart(now)
  }

  /** It starts again in another engine. */
  restart(now: number): void {
    this.#history.restartInEngine(now)
    this.#quality = new QualityWindow()
  }

  /** Adds the totals of a leg. Call once a second. */
  measure(report: LegReport, now: number): void {
    if (this.#isFound) this.#history.assumeStart(report.since, report.bytes > 0)
    this.#isFound = false
    this.#quality.add(report, now)
  }

  /** The facts for its verdict. @param isFed for an output: whether there is media to send */
  facts(observed: LegState, now: number, isFed = true): LegFacts & { id: number; enable: boolean } {
    const { failure, ...leg } = this.#settings.isEnabled
      ? this.#history.update(observed, now, isFed)
      : { state: observed.state, 'conn-state': observed.connState, failure: observed }
    this.#failure = failure
    return { ...leg, id: this.id, enable: this.#settings.isEnabled, quality: this.#quality.read() }
  }

  /**
   * @param observed as given to `facts`
   * @param isChannelOnAir whether the channel has been on air without interruption
   */
  assess<Assessment extends InputAssessment>(
    assessment: Assessment,
    observed: ObservedLeg,
    now: number,
    { stored, isChannelOnAir = false }: { stored?: number | undefined; isChannelOnAir?: boolean } = {}
  ): AssessedLeg<Assessment> {
    const since = this.#since.update(assessment, now, { livingTimeS: observed.livingTimeS, stored })
    const failure = this.#failure ?? observed
    if (this.kind === 'input') return { assessment, since, failure }
    const { verdict, reason } = assessment
    // While another input takes over, an output whose connection stays waits for the first key frame.
    const isTakeOver = isChannelOnAir && verdict === 'waiting' && reason === 'input-silent'
    if (verdict === 'on-air' || verdict === 'degraded') this.#onAir ??= { since }
    else if (!isTakeOver) this.#onAir = undefined
    return { assessment, since: verdict === 'on-air' && this.#onAir ? this.#onAir.since : since, failure }
  }
}
