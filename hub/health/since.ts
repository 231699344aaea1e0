// Since when a verdict holds.
import type { Health } from '../../contract/health.ts'

/** Verdicts on something that carries media. */
const CARRYING: readonly string[] = ['on-air', 'degraded', 'standby']

/** When a verdict began that the hub finds at its start, or soon after it. */
export interface Beginning {
  /** Seconds with media without interruption. */
  livingTimeS: number
  /** The stored beginning from before the restart of the hub, in milliseconds since the epoch. */
  stored?: number | undefined
}

export class Since {
  #verdict: string | undefined
  #at: number | undefined
  #isFound: boolean

  /** @param isFound whether it existed before the hub started, so that the beginning of its first verdict is unknown */
  constructor(isFound: boolean) {
    this.#isFound = isFound
  }

  /** @param now milliseconds since the epoch @returns the same; undefined if unknown */
  update({ verdict }: Pick<Health<string>, 'verdict'>, now: number, beginning: Beginning): number | undefined {
    const before = this.#verdict
    if (before === verdict) return this.#at
    this.#isFound &&= before === undefined || before === 'starting' || before === 'waiting'
    this.#at = beginning.stored ?? (this.#isFound ? findBeginning(verdict, now, beginning, before) : now)
    this.#verdict = verdict
    return this.#at
  }
}

function findBeginning(
  verdict: string,
  now: number,
  { livingTimeS }: Beginning,
  before: string | undefined
): number | undefined {
  if (CARRYING.includes(verdict)) return livingTimeS > 0 ? now - livingTimeS * 1000 : undefined
  return before === 'waiting' ? now : undefined
}
