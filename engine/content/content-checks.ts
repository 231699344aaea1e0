// Checks the content of the inputs of all channels. Channels that check the same input share its measurements.
import type { ContentReport } from '../../contract/stream/content-report.schema.ts'
import type { ContentSettings } from '../../contract/stream/content-settings.schema.ts'
import type { StreamFormat } from '../../contract/stream/format.ts'
import { CONNECTION_STATE } from '../../contract/stream/protocols.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import type { ObservedLeg } from '../interfaces/channel.ts'
import type { Processes } from '../interfaces/leg-parts.ts'
import type { Stream } from '../interfaces/relay.ts'
import { ContentConditions } from './content-conditions.ts'
import { ContentMeter } from './content-meter.ts'
import { MeterTurns } from './meter-turns.ts'

/** An input that a channel checks. */
export interface CheckedInput {
  input: Pick<Stream, 'addUser' | 'isActive'>
  settings: ContentSettings
  /** What arrives; undefined while that is not known. */
  format: StreamFormat | undefined
}

/** What the checks of an input of a channel have found. */
export interface FoundContent {
  report: ContentReport
  /** The fault that explains a verdict. */
  reason: Reason | undefined
  /** Whether a backup takes over because of it. */
  switchesOver: boolean
}

interface RunningCheck {
  input: CheckedInput['input']
  meter: ContentMeter
  conditions: ContentConditions
}

export class ContentChecks {
  readonly #context: Processes
  readonly #turns: MeterTurns
  readonly #meters = new Map<CheckedInput['input'], ContentMeter>()
  /** By key of the caller. */
  readonly #checks = new Map<string, RunningCheck>()

  constructor(context: Processes) {
    this.#context = context
    this.#turns = new MeterTurns({ processorWait: () => context.launcher.processorWait() })
  }

  /** Checks these inputs and no others. Call about twice a second. @param wanted by a key that does not change */
  tick(wanted: ReadonlyMap<string, CheckedInput>): void {
    const now = this.#context.now()
    for (const [key, { input }] of this.#checks) if (wanted.get(key)?.input !== input) this.#remove(key)
    for (const [key, { input, settings, format }] of wanted) {
      const { conditions } = this.#checks.get(key) ?? this.#add(key, input, settings)
      conditions.update(settings)
      if (input.isActive()) conditions.tick(format, this.isInTurns(), now)
      else conditions.reset()
    }
    this.#turns.tick(now)
    for (const meter of this.#meters.values()) meter.tick(now)
  }

  /** Whether inputs are checked in turns, because the processor or the memory is short. */
  isInTurns(): boolean {
    return this.#turns.isInTurns()
  }

  /** Undefined if the input is not checked. */
  find(key: string): FoundContent | undefined {
    const check = this.#checks.get(key)
    if (!check) return undefined
    const now = this.#context.now()
    const { conditions } = check
    const levels = conditions.levels()
    return {
      report: {
        checks: conditions.checks(now),
        ...(levels && levels.length > 0 && { levels: [...levels] }),
        ...(this.isInTurns() && { 'in-turns': true as const })
      },
      reason: conditions.reason(now),
      switchesOver: conditions.switchesOver(now)
    }
  }

  close(): void {
    for (const key of [...this.#checks.keys()]) this.#remove(key)
  }

  #add(key: string, input: CheckedInput['input'], settings: ContentSettings): RunningCheck {
    const conditions = new ContentConditions(settings)
    let meter = this.#meters.get(input)
    if (!meter) {
      meter = new ContentMeter(input, this.#context)
      this.#meters.set(input, meter)
      this.#turns.add(meter)
    }
    meter.listeners.add(conditions)
    const check = { input, meter, conditions }
    this.#checks.set(key, check)
    return check
  }

  #remove(key: string): void {
    const check = this.#checks.get(key)
    if (!check) return
    const { input, meter, conditions } = check
    this.#checks.delete(key)
    meter.listeners.delete(conditions)
    if (meter.listeners.size > 0) return
    this.#meters.delete(input)
    this.#turns.remove(meter)
    meter.close()
  }
}

/** Adds what the checks of an input have found. A lost track, or other codecs, explain it better. */
export function withContent(leg: ObservedLeg, found: FoundContent | undefined): ObservedLeg {
  if (!found || leg.connState !== CONNECTION_STATE.connected) return leg
  const { report, reason } = found
  return { ...leg, ...(!leg.reason && reason && { reason }), content: report }
}
