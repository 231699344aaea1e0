// Decides which input of a channel is on air. Pure functions; times are milliseconds.
import type { SwitchRule } from '../../contract/stream/channel.ts'
import type { Reason } from '../../contract/stream/reason.ts'
import type { WantedHold } from '../interfaces/channel.ts'
import type { TrackKinds } from './track-watch.ts'

/** Time that a held input has to connect after its channel or the engine was started, unless `after-s` is longer. */
const CONNECT_TIME = 30_000

/** The activity of an input. */
export interface Candidate {
  /** When it last had media; undefined if it never had. */
  lastActiveAt: number | undefined
  /** Since when it has had media without a gap of `after-s`, and has lost no track and had no fault of its content. */
  activeSince: number
  /** Its tracks. Absent: the rule does not ask for them. */
  tracks?: TrackKinds
  /** Whether its content has a fault because of which another input is to replace it. Default: no. */
  hasBadContent?: boolean
}

export interface Choice {
  /**
   * Index of the input, 0 for the first; undefined until an input has been active. Keeps its value while none is
   * active.
   */
  index: number | undefined
  /** Whether the slate is on air instead. */
  slate: boolean
  reason: Reason
}

/** What an operator has put on air: an input by its index, or the slate. */
export type Hold = number | 'slate'

export const INITIAL_CHOICE: Choice = { index: undefined, slate: false, reason: 'on-air-none' }

export interface ChoiceContext {
  now: number
  /** When the channel started. Backups wait until the first input has had `after-s`. */
  startedAt: number
  rule: SwitchRule
  /** Whether the channel has a slate. */
  slate: boolean
  /**
   * Whether the first input was replaced by another one, which is chosen as soon as it is active, independent of the
   * rule.
   */
  firstReplaced?: boolean
  /** The choice of an operator, which the rule does not change while it has media. */
  hold?: Hold
}

/** Whether an input had media within `after-s`. */
export const isActive = ({ lastActiveAt }: Candidate, now: number, rule: SwitchRule): boolean =>
  lastActiveAt !== undefined && now - lastActiveAt < rule['after-s'] * 1000

/** Whether an input has lost a track, is a device without an input signal, or has a fault of its content. */
export const isIncomplete = ({ tracks, hasBadContent = false }: Candidate): boolean =>
  tracks?.hasNoSignal || (tracks?.missing.length ?? 0) > 0 || hasBadContent

/** Whether an input has all tracks that another one has, or had before it lost some. */
function canReplace(candidate: Candidate, { tracks }: Candidate): boolean {
  const { live = [] } = candidate.tracks ?? {}
  return (
    !isIncomplete(candidate) &&
    [...(tracks?.live ?? []), ...(tracks?.missing ?? [])].every((kind) => live.includes(kind))
  )
}

/**
 * Chooses the input or slate on air.
 * @param candidates the first input and the backups, in order
 * @returns the previous choice itself if nothing changes
 */
export function chooseInput(previous: Choice, candidates: readonly Candidate[], context: ChoiceContext): Choice {
  const held = context.hold !== undefined && canHold(context.hold, candidates, context)
  if (held) return sameOr(previous, heldChoice(previous, context.hold as Hold))
  return chooseByRule(releaseChoice(previous), candidates, context)
}

/** Whether the choice of an operator has media. The slate always has. */
function canHold(hold: Hold, candidates: readonly Candidate[], context: ChoiceContext): boolean {
  if (hold === 'slate') return context.slate
  const candidate = candidates[hold]
  return candidate !== undefined && isActive(candidate, context.now, context.rule)
}

/**
 * Whether an operator has to end a choice. That of the first input ends when it is on air, because the rule keeps that
 * input as well.
 */
export const isHeld = ({ reason }: Choice): boolean => /^on-air-held-(?!first)/.test(reason)

function heldChoice({ index }: Choice, hold: Hold): Choice {
  if (hold === 'slate') return { index, slate: true, reason: 'on-air-held-slate' }
  return { index: hold, slate: false, reason: hold === 0 ? 'on-air-held-first' : `on-air-held-backup ${hold}` }
}

const sameOr = (previous: Choice, next: Choice): Choice =>
  previous.index === next.index && previous.slate === next.slate && previous.reason === next.reason ? previous : next

/** The choice that the rule continues with after that of an operator. */
function releaseChoice(previous: Choice): Choice {
  if (!isHeld(previous)) return previous
  const { index, slate } = previous
  return { index, slate, reason: slate ? 'on-air-slate' : index === undefined ? 'on-air-none' : reasonFor(index) }
}

/**
 * Whether the first input has media again while a backup is on air, and after how many seconds it returns by itself.
 */
export function describeReturn(
  { index = 0, slate, reason }: Choice,
  [first]: readonly Candidate[],
  { now, rule }: Pick<ChoiceContext, 'now' | 'rule'>
): { isFirstBack?: true; returnsInS?: number } {
  if (index === 0 || slate || !first || !isActive(first, now, rule) || isIncomplete(first)) return {}
  if (rule.back !== 'first' || isHeld({ index, slate, reason })) return { isFirstBack: true }
  const left = rule['back-after-s'] - (now - first.activeSince) / 1000
  return { isFirstBack: true, returnsInS: Math.max(1, Math.ceil(left)) }
}

function chooseByRule(previous: Choice, candidates: readonly Candidate[], context: ChoiceContext): Choice {
  const { now, startedAt, rule, slate } = context
  const isLive = (index: number | undefined) => {
    const candidate = index === undefined ? undefined : candidates[index]
    return candidate !== undefined && isActive(candidate, now, rule)
  }
  const { index } = previous
  const current = candidates[index ?? -1]
  if (!previous.slate && index !== undefined && current && isLive(index)) {
    if (isIncomplete(current)) {
      const better = candidates.findIndex((each, other) => isLive(other) && canReplace(each, current))
      if (better >= 0)
        return { index: better, slate: false, reason: better === 0 ? 'on-air-back' : lossReason(better, current) }
    } else if (index > 0 && isLive(0)) {
      const reason = reasonToReturn(candidates, context)
      if (reason) return { index: 0, slate: false, reason }
    }
    // An input that was silent only briefly, or had no substitute, is on air as before.
    return previous.reason === 'on-air-none' ? { ...previous, reason: reasonFor(index) } : previous
  }
  const isStarting = now - startedAt < rule['after-s'] * 1000
  // The next input follows one that failed. After the slate the search starts at the first.
  const from = previous.slate || index === undefined ? 0 : index + 1
  const order = candidates.map((_, offset) => (from + offset) % candidates.length)
  const canStart = (each: number) => isLive(each) && !(isStarting && index === undefined && each > 0)
  const isComplete = (each: number) => !isIncomplete(candidates[each] as Candidate)
  const next = order.find((each) => canStart(each) && isComplete(each)) ?? order.find(canStart)
  if (next !== undefined) return { index: next, slate: false, reason: reasonFor(next) }
  if (slate && !isStarting) return previous.slate ? previous : { index, slate: true, reason: 'on-air-slate' }
  return previous.reason === 'on-air-none' && !previous.slate
    ? previous
    : { index, slate: false, reason: 'on-air-none' }
}

/** Why an active first input replaces an active backup; undefined if it does not. */
function reasonToReturn(candidates: readonly Candidate[], context: ChoiceContext): Reason | undefined {
  const [first] = candidates
  const { now, rule, firstReplaced = false } = context
  if (firstReplaced) return 'on-air-first'
  if (first && isIncomplete(first)) return undefined
  const isStable = first && now - first.activeSince >= rule['back-after-s'] * 1000
  return rule.back === 'first' && isStable ? 'on-air-back' : undefined
}

/** Why a backup replaces an input that has lost a track, or its signal, or has a fault of its content. */
function lossReason(backup: number, { tracks }: Candidate): Reason {
  if (tracks?.hasNoSignal) return `on-air-no-signal ${backup}`
  if (!tracks?.missing.length) return `on-air-bad-content ${backup}`
  return tracks?.missing.includes('video') ? `on-air-no-video ${backup}` : `on-air-no-audio ${backup}`
}

const reasonFor = (index: number): Reason => (index === 0 ? 'on-air-first' : `on-air-backup ${index}`)

export class OperatorHold {
  #wanted: WantedHold | undefined
  /** Version of the last choice that has ended. It stays wanted until the hub has heard of its end. */
  #endedVersion: number | undefined

  update(wanted: WantedHold | undefined): void {
    this.#wanted = wanted
  }

  /**
   * The choice that is in force. @param ids IDs of the inputs. An input that the channel has no more has the index -1
   */
  find(ids: readonly number[]): Hold | undefined {
    const wanted = this.#wanted
    if (!wanted || wanted.version === this.#endedVersion) return undefined
    return wanted.input === 'slate' ? 'slate' : ids.indexOf(wanted.input)
  }

  /**
   * Ends a choice that has no media. After a start, an input that has had none gets longer to connect, while the rule
   * chooses.
   * @returns the version of the choice that has ended
   */
  endIfLost(candidates: readonly Candidate[], context: ChoiceContext): number | undefined {
    const { hold, now, startedAt, rule } = context
    const candidate = typeof hold === 'number' ? candidates[hold] : undefined
    const isConnecting = candidate !== undefined && candidate.lastActiveAt === undefined
    const startTime = Math.max(rule['after-s'] * 1000, isConnecting ? CONNECT_TIME : 0)
    const isStarting = now - startedAt < startTime
    return hold === undefined || isStarting || canHold(hold, candidates, context) ? undefined : this.#end()
  }

  /**
   * Ends the choice of the first input when it is on air, because it stays on air by the rule, unless it has lost a
   * track.
   * @returns the version of the choice that has ended
   */
  endIfFirst({ index, slate }: Choice, hold: Hold | undefined, [first]: readonly Candidate[]): number | undefined {
    const isKept = first !== undefined && isIncomplete(first)
    return hold === 0 && index === 0 && !slate && !isKept ? this.#end() : undefined
  }

  #end(): number | undefined {
    this.#endedVersion = this.#wanted?.version
    return this.#endedVersion
  }
}
