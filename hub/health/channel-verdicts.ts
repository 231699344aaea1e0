// The verdict on one channel and on its legs, with the time since when each holds.
import type { HealthBounds, HealthReason } from '../../contract/health.ts'
import {
  type Assessment,
  assessChannel,
  assessInput,
  assessOutput,
  hasMedia,
  type InputAssessment
} from '../../contract/stream/channel-health.ts'
import type { LegReport } from '../../contract/stream/channel-history.ts'
import { CONNECTION_STATE, SOURCE_STATE } from '../../contract/stream/protocols.ts'
import {
  IDLE_LEG,
  type ObservedChannel,
  type ObservedLeg,
  type WantedChannel,
  type WantedInput
} from '../../engine/interfaces/channel.ts'
import { Since } from './since.ts'
import { type Assessed, type AssessedLeg, type LegSettings, TrackedLeg } from './tracked-leg.ts'

export interface AssessedChannel extends Assessed<Assessment> {
  /**
   * Since when it has been on air without interruption, in milliseconds since the epoch; undefined if it is not, or if
   * that is unknown.
   */
  onAirSince: number | undefined
  /** The main input, and the backups by ID. */
  input: AssessedLeg<InputAssessment>
  backups: ReadonlyMap<number, AssessedLeg<InputAssessment>>
  /** By ID. */
  outputs: ReadonlyMap<number, AssessedLeg<Assessment>>
}

/** The stored input cannot be used. */
const UNUSABLE: ObservedLeg = {
  ...IDLE_LEG,
  state: SOURCE_STATE.addFailed,
  connState: CONNECTION_STATE.creationFailed
}

const NO_SIGNAL = { 'no-signal': true }

const fingerprintOf = ({ name: _, ...settings }: { name: string }) => JSON.stringify(settings)

/** Looks up since when a verdict on a channel, or on a leg of it, held before the hub was restarted. */
export type StoredSince = (verdict: string, leg?: { side: 'input' | 'output'; id: number }) => number | undefined

interface AssessOptions {
  bounds: HealthBounds
  stored?: StoredSince | undefined
  /** Whether a device reports no signal at its own input. Default: none does. */
  hasNoSignal?: ((sn: string) => boolean) | undefined
  /** Whether the programs of the engine get too little of the processor. Default: no. */
  isHubBusy?: boolean
}

/** What a program that waits for a processor causes. */
const CAUSED_BY_LOAD: readonly (HealthReason | undefined)[] = ['packet-loss', 'discontinuities', 'too-slow']

/** Names the load of this machine and not the network, source or receiver. */
const blameLoad = <Each extends InputAssessment>(each: Each): Each =>
  CAUSED_BY_LOAD.includes(each.reason) ? { ...each, reason: 'hub-busy', 'next-step': 'reduce-load' } : each

export class ChannelVerdicts {
  readonly #isFound: boolean
  readonly #since: Since
  readonly #onAir: Since
  #wanted: WantedChannel
  #input: TrackedLeg
  readonly #backups = new Map<number, TrackedLeg>()
  readonly #outputs = new Map<number, TrackedLeg>()

  /**
   * @param now milliseconds since the epoch, as in all methods
   * @param isFound whether the channel existed when the hub started, so that the time before is unknown
   */
  constructor(wanted: WantedChannel, now: number, isFound = false) {
    this.#isFound = isFound
    this.#since = new Since(isFound)
    this.#onAir = new Since(isFound)
    this.#wanted = wanted
    this.#input = this.#track('input', this.#inputSettings(), now)
    this.apply(wanted, now)
  }

  get wanted(): WantedChannel {
    return this.#wanted
  }

  /** Takes over the configuration. A leg with other settings, or that is enabled, starts again. */
  apply(wanted: WantedChannel, now: number): void {
    this.#wanted = wanted
    const { enable, backups = [], outputs } = wanted
    const input = this.#inputSettings()
    if (input.id === this.#input.id) this.#input.apply(input, now)
    else this.#input = this.#track('input', input, now)
    this.#applyAll(
      'input',
      this.#backups,
      backups.map((backup) => ({ id: backup.id, fingerprint: fingerprintOf(backup), isEnabled: enable })),
      now
    )
    this.#applyAll(
      'output',
      this.#outputs,
      outputs.map(({ enable: isOn = true, ...output }) => ({
        id: output.id,
        fingerprint: fingerprintOf(output),
        isEnabled: enable && isOn
      })),
      now
    )
  }

  /** The engine was started again, and so all legs. */
  restart(now: number): void {
    for (const leg of this.#legs()) leg.restart(now)
  }

  /** Measures a second. @param reportOf statistics of a leg; the main input has no ID */
  measure(reportOf: (leg?: number) => LegReport | undefined, now: number): void {
    for (const leg of this.#legs()) {
      const report = reportOf(leg === this.#input ? undefined : leg.id)
      if (report) leg.measure(report, now)
    }
  }

  /** The verdicts now. */
  assess(
    observed: ObservedChannel,
    now: number,
    { bounds, stored, hasNoSignal = () => false, isHubBusy = false }: AssessOptions
  ): AssessedChannel {
    const { enable, input, backups: wantedBackups = [] } = this.#wanted
    const signalOf = (each?: WantedInput | null) => each?.kind === 'device' && hasNoSignal(each.sn) && NO_SIGNAL
    const main = input ? observed.input : UNUSABLE
    const { onAir } = observed
    const backups = [...this.#backups.values()]
    const observedBackup = ({ id }: TrackedLeg) => observed.backups?.get(id) ?? IDLE_LEG
    const inputs = {
      input: { ...this.#input.facts(main, now), ...(!input && { cause: 'no-input' as const }), ...signalOf(input) },
      backups: backups.map((leg) => ({
        ...leg.facts(observedBackup(leg), now),
        ...signalOf(wantedBackups.find(({ id }) => id === leg.id))
      })),
      ...(onAir && {
        'on-air': {
          input: onAir.inputId ?? null,
          slate: onAir.slate,
          ...(onAir.isHeld && { manual: true as const }),
          'main-back': onAir.isFirstBack ?? false,
          ...(onAir.returnsInS !== undefined && { 'returns-in-s': onAir.returnsInS })
        }
      })
    }
    const isFed = enable && hasMedia(inputs)
    const outputs = [...this.#outputs.values()].map((leg) => {
      const state = observed.outputs.get(leg.id) ?? IDLE_LEG
      return { leg, state, facts: leg.facts(state, now, isFed) }
    })
    const list = outputs.map(({ facts }) => facts)
    const named = <Each extends InputAssessment>(each: Each) => (isHubBusy ? blameLoad(each) : each)
    const assessment = named(assessChannel({ ...inputs, config: { enable }, outputs: { list } }, bounds))
    const isOnAir = assessment.verdict === 'on-air' || assessment.verdict === 'degraded'
    const assessTracked = <Each extends InputAssessment>(leg: TrackedLeg, each: Each, state: ObservedLeg) =>
      leg.assess(each, state, now, {
        stored: stored?.(each.verdict, { side: leg.kind, id: leg.id }),
        isChannelOnAir: isOnAir
      })
    const assessLeg = (leg: TrackedLeg, facts: (typeof inputs)['input'], state: ObservedLeg) =>
      assessTracked(leg, named(assessInput(enable, facts, onAir?.inputId, bounds)), state)
    const { livingTimeS } = observed
    // While outputs are added or start again, the channel stays on air: its stream goes on.
    const isContinued = isFed && assessment.verdict === 'starting'
    const onAirSince = isContinued
      ? undefined
      : this.#onAir.update(isOnAir ? { verdict: 'on-air' } : assessment, now, { livingTimeS })
    const since = this.#since.update(assessment, now, { livingTimeS, stored: stored?.(assessment.verdict) })
    return {
      assessment,
      onAirSince: isOnAir ? onAirSince : undefined,
      since: assessment.verdict === 'on-air' ? onAirSince : since,
      input: assessLeg(this.#input, inputs.input, main),
      backups: new Map(
        backups.map((leg, index) => {
          const facts = inputs.backups[index] ?? inputs.input
          return [leg.id, assessLeg(leg, facts, observedBackup(leg))]
        })
      ),
      outputs: new Map(
        outputs.map(({ leg, state, facts }) => {
          const each = named(assessOutput(enable, facts, isFed, bounds))
          return [leg.id, assessTracked(leg, each, state)]
        })
      )
    }
  }

  #inputSettings(): LegSettings {
    const { input, enable } = this.#wanted
    return { id: input?.id ?? 0, fingerprint: input ? fingerprintOf(input) : '', isEnabled: enable }
  }

  *#legs(): Generator<TrackedLeg> {
    yield this.#input
    yield* this.#backups.values()
    yield* this.#outputs.values()
  }

  #track(kind: TrackedLeg['kind'], settings: LegSettings, now: number): TrackedLeg {
    return new TrackedLeg(kind, settings, now, this.#isFound)
  }

  #applyAll(
    kind: TrackedLeg['kind'],
    legs: Map<number, TrackedLeg>,
    wanted: readonly LegSettings[],
    now: number
  ): void {
    const before = new Map(legs)
    // The order of backups is that of the configuration.
    legs.clear()
    for (const settings of wanted) {
      const leg = before.get(settings.id) ?? this.#track(kind, settings, now)
      leg.apply(settings, now)
      legs.set(settings.id, leg)
    }
  }
}
