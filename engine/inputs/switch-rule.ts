// Which of a channel's inputs is on air. Pure: it is told when each carried, and decides. Times are milliseconds.
import type { SwitchRule } from '../../contract/stream/channel.ts'
import type { Reason } from '../../contract/stream/reason.ts'

/** What is known of an input. */
export interface Candidate {
  /** When it last gave something; undefined before it ever did. */
  last: number | undefined
  /** Since when it gives without a pause as long as `after-s`. */
  since: number
}

export interface Choice {
  /** Place of the input, 0 for the first; undefined before any has carried. It stays while nothing carries. */
  place: number | undefined
  /** The still picture is on air instead. */
  slate: boolean
  why: Reason
}

/** The choice at the beginning. */
export const NOTHING_YET: Choice = { place: undefined, slate: false, why: 'on-air-none' }

export interface Circumstance {
  now: number
  /** When the channel started: until the first input had its time, no backup takes its place. */
  began: number
  rule: SwitchRule
  slate: boolean
  /** The first input is another one than before: it is taken as soon as it carries, whatever the rule says of going back. */
  fresh?: boolean
}

export const carries = ({ last }: Candidate, now: number, rule: SwitchRule): boolean =>
  last !== undefined && now - last < rule['after-s'] * 1000

/** @param candidates the first input and the backups, in their order */
export function choose(before: Choice, candidates: readonly Candidate[], circumstance: Circumstance): Choice {
  const { now, began, rule, slate, fresh = false } = circumstance
  const alive = (place: number | undefined) => {
    const one = place === undefined ? undefined : candidates[place]
    return one !== undefined && carries(one, now, rule)
  }
  const { place } = before
  const first = candidates[0]
  if (!before.slate && place !== undefined && alive(place)) {
    if (place > 0 && first && alive(0)) {
      if (fresh) return { place: 0, slate: false, why: 'on-air-first' }
      if (rule.back === 'first' && now - first.since >= rule['back-after-s'] * 1000)
        return { place: 0, slate: false, why: 'on-air-back' }
    }
    // What was silent for less than a switch takes, or had nobody to take over, is as it was.
    return before.why === 'on-air-none' ? { ...before, why: whyOf(place) } : before
  }
  const early = now - began < rule['after-s'] * 1000
  // After one that failed comes the next one; after the still picture the order is the wanted one.
  const from = before.slate || place === undefined ? 0 : place + 1
  const order = candidates.map((_, at) => (from + at) % candidates.length)
  const next = order.find((at) => alive(at) && !(early && place === undefined && at > 0))
  if (next !== undefined) return { place: next, slate: false, why: whyOf(next) }
  if (slate && !early) return before.slate ? before : { place, slate: true, why: 'on-air-slate' }
  return before.why === 'on-air-none' && !before.slate ? before : { place, slate: false, why: 'on-air-none' }
}

const whyOf = (place: number): Reason => (place === 0 ? 'on-air-first' : `on-air-backup ${place}`)
