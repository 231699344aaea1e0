// What of a digest the cloud does not know yet, as lines of limited size: the worst first, and what matters first.
import {
  channelVerdict,
  DIGEST_IDLE_LINE_MAX,
  DIGEST_LINE_MAX,
  type Digest,
  type DigestLine,
  problemVerdict
} from '../../contract/cloud/digest.ts'

/** What the cloud was sent of an object: what is sent at once when it differs, and all of it. */
interface Sent {
  verdict: string
  whole: string
}

interface LineOptions {
  /** Milliseconds since the epoch. */
  now: number
  /** The line is sent because of time: it also has numbers that have changed, and is short. */
  isIdle: boolean
}

/** Bytes of a line. After something has not fitted, nothing more does: what comes first in a digest matters more. */
class LineSize {
  isFull = false
  #left: number

  constructor(max: number) {
    this.#left = max
  }

  take(text: string): boolean {
    // A comma, and the name of the list with its first item.
    const size = Buffer.byteLength(text) + 16
    this.isFull ||= size > this.#left
    if (!this.isFull) this.#left -= size
    return !this.isFull
  }
}

export class DigestDelta {
  #hub = ''
  #isStarted = false
  readonly #problems = new Map<string, Sent>()
  readonly #channels = new Map<number, Sent>()

  /** The next line; undefined if there is nothing to send now. An idle line has at least the time. */
  next(digest: Digest, { now, isIdle }: LineOptions): DigestLine | undefined {
    const first: DigestLine = { now, ...(!this.#isStarted && { reset: true }) }
    const max = isIdle ? DIGEST_IDLE_LINE_MAX : DIGEST_LINE_MAX
    const size = new LineSize(max - JSON.stringify({ ...first, more: true }).length)
    const hub = this.#takeHub(digest, size)
    const ended = takeEnded(this.#problems, digest.problems, size)
    const gone = takeEnded(this.#channels, digest.channels, size)
    const problems = takeChanged(this.#problems, digest.problems, problemVerdict, { isIdle, size })
    const channels = takeChanged(this.#channels, digest.channels, channelVerdict, { isIdle, size })
    const line: DigestLine = {
      ...first,
      ...(hub && { hub }),
      ...(ended.length > 0 && { ended }),
      ...(gone.length > 0 && { gone }),
      ...(problems.length > 0 && { problems }),
      ...(channels.length > 0 && { channels }),
      // Numbers that do not fit into an idle line wait for the next one.
      ...(size.isFull && !isIdle && { more: true })
    }
    if (!isIdle && Object.keys(line).length === 1) return undefined
    this.#isStarted = true
    return line
  }

  #takeHub({ hub }: Digest, size: LineSize): Digest['hub'] | undefined {
    const text = JSON.stringify(hub)
    if (text === this.#hub || !size.take(text)) return undefined
    this.#hub = text
    return hub
  }
}

/** The ids of those that are not current any more, as far as they fit. */
function takeEnded<Id>(sent: Map<Id, Sent>, current: readonly { id: Id }[], size: LineSize): Id[] {
  const ids = new Set(current.map(({ id }) => id))
  const ended = [...sent.keys()].filter((id) => !ids.has(id) && size.take(JSON.stringify(id)))
  for (const id of ended) sent.delete(id)
  return ended
}

/** Those that are new or have changed, as far as they fit. */
function takeChanged<Id, Item extends { id: Id }>(
  sent: Map<Id, Sent>,
  current: readonly Item[],
  verdictOf: (item: Item) => string,
  { isIdle, size }: { isIdle: boolean; size: LineSize }
): Item[] {
  return current.filter((item) => {
    const before = sent.get(item.id)
    const after = { verdict: verdictOf(item), whole: JSON.stringify(item) }
    const isKnown = isIdle ? before?.whole === after.whole : before?.verdict === after.verdict
    if (isKnown || !size.take(after.whole)) return false
    sent.set(item.id, after)
    return true
  })
}
