// A digest as the lines of a hub build it.
import {
  CHANNEL_ORDER,
  channelVerdict,
  DIGEST_CHANNELS_MAX,
  DIGEST_PROBLEMS_MAX,
  type Digest,
  type DigestChannel,
  type DigestHub,
  type DigestLine,
  type DigestProblem,
  problemVerdict
} from '../../contract/cloud/digest.ts'

/** Converts times of a hub to the clock of the cloud, because the clock of the hub may be wrong. */
const shifted = <Item extends { since?: number | undefined }>(item: Item, offset: number): Item =>
  item.since === undefined ? item : { ...item, since: Math.max(0, item.since + offset) }

export class KnownDigest {
  /** Further lines follow. */
  isPartial = true
  #hub: DigestHub | undefined
  readonly #problems = new Map<string, DigestProblem>()
  readonly #channels = new Map<number, DigestChannel>()

  /**
   * @param now milliseconds since the epoch
   * @returns `verdict` if a verdict differs, `numbers` if only numbers or times do
   * @throws Error if the hub sends more than a digest has
   */
  apply(line: DigestLine, now: number): 'verdict' | 'numbers' | undefined {
    const { reset, hub, problems = [], ended = [], channels = [], gone = [] } = line
    const offset = now - line.now
    if (reset) {
      this.#hub = undefined
      this.#problems.clear()
      this.#channels.clear()
    }
    if (hub) this.#hub = { ...hub, health: shifted(hub.health, offset) }
    for (const id of ended) this.#problems.delete(id)
    for (const id of gone) this.#channels.delete(id)
    const hasNewVerdict = [
      put(
        this.#problems,
        problems.map((problem) => shiftProblem(problem, offset)),
        problemVerdict
      ),
      put(
        this.#channels,
        channels.map((channel) => shifted(channel, offset)),
        channelVerdict
      )
    ].includes(true)
    if (this.#problems.size > DIGEST_PROBLEMS_MAX || this.#channels.size > DIGEST_CHANNELS_MAX)
      throw new Error('the digest is larger than a digest can be')
    const wasPartial = this.isPartial
    this.isPartial = line.more === true
    const isOther = reset === true || hub !== undefined || ended.length + gone.length > 0
    if (isOther || hasNewVerdict || wasPartial !== this.isPartial) return 'verdict'
    return problems.length + channels.length > 0 ? 'numbers' : undefined
  }

  /** Undefined until the hub has sent the facts of itself. */
  toDigest(): StoredDigest | undefined {
    if (!this.#hub) return undefined
    const problems = [...this.#problems.values()].sort(compareProblems)
    const channels = [...this.#channels.values()].sort(
      (a, b) => CHANNEL_ORDER.indexOf(a.verdict) - CHANNEL_ORDER.indexOf(b.verdict)
    )
    return { hub: this.#hub, problems, channels, partial: this.isPartial }
  }
}

/** A digest in the store. */
export interface StoredDigest extends Digest {
  /** It was stored while further lines followed. */
  partial: boolean
}

/** @returns whether one of them is new, or has another verdict */
function put<Id, Item extends { id: Id }>(
  known: Map<Id, Item>,
  items: readonly Item[],
  verdictOf: (item: Item) => string
): boolean {
  let isNew = false
  for (const item of items) {
    const before = known.get(item.id)
    isNew ||= !before || verdictOf(before) !== verdictOf(item)
    known.set(item.id, item)
  }
  return isNew
}

function shiftProblem(problem: DigestProblem, offset: number): DigestProblem {
  const { ack } = problem
  return { ...shifted(problem, offset), ...(ack && { ack: { ...ack, at: Math.max(0, ack.at + offset) } }) }
}

/** As a hub sorts them: worst first, of equal ones the newest first. */
export function compareProblems(
  a: Pick<DigestProblem, 'severity' | 'since'>,
  b: Pick<DigestProblem, 'severity' | 'since'>
): number {
  return a.severity === b.severity ? b.since - a.since : a.severity === 'bad' ? -1 : 1
}
