// The digests of hubs that are connected to this node: reads them from the links, and writes them and when each hub was
// connected last to the store, in batches. The last digest of a hub that is offline stays there.
import { DIGEST_SILENCE_MAX } from '../../contract/cloud/digest.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { LOG_WARNING } from '../../contract/log.ts'
import type { Link } from '../../device-link/link.ts'
import { logger } from '../../process-log/logger.ts'
import { createRateLimit } from '../../process-log/rate-limit.ts'
import { addLogEntry } from '../store/log.ts'
import type { Scope } from '../store/scope.ts'
import type { Store } from '../store/store.ts'
import { type DigestEnd, openDigestStream } from './digest-stream.ts'
import { KnownDigest } from './known-digest.ts'

/** Milliseconds within which changes are written together. */
const WRITE_DELAY = 200
/** Milliseconds after which a digest that has not changed is written again, with its time. */
export const REWRITE_INTERVAL = 60_000
/** Writes of one hub at once, and milliseconds after which one more is allowed: verdicts may change all the time. */
const WRITES_MAX = 20
const WRITE_INTERVAL = 3000
/** Milliseconds after which a stream is opened again that the hub has closed, or that has broken a rule. */
const REOPEN_AFTER = 5000
const REFUSED_FOR = 60_000
const CHECK_INTERVAL = 5000
/** Milliseconds after which a hub that has connected has sent its digest. */
const SETTLE_TIME = 10_000
/** Rows of one statement. */
const BATCH = 500
/** Refusals of one hub, and of all, that are written to the log in a minute. */
const REFUSALS_LOGGED = { perHub: 1, total: 30 }

interface DigestsOptions {
  store: Store
  /** Milliseconds since the epoch. */
  now: () => number
  /** Called when something has changed that the pages show. */
  onChange(organisation: string): void
}

/** A hub with a link to this node. */
interface PresentHub {
  organisation: string
  sn: string
  link: Link
  digest: KnownDigest
  closeStream: (() => void) | undefined
  reopen: NodeJS.Timeout | undefined
  /** When the link was up. */
  upAt: number
  /** When the last line of the digest came; 0: none came. */
  receivedAt: number
  /** The last line was late, so that the pages do not trust the digest. */
  isLate: boolean
  /** Something is not written; with another verdict it is written at once. */
  isChanged: boolean
  isUrgent: boolean
  writtenAt: number
  /** Writes that are allowed at once. */
  writes: number
}

export class Digests {
  readonly #options: DigestsOptions
  /** By organisation and serial number. */
  readonly #hubs = new Map<string, PresentHub>()
  /** Hubs whose link has ended, and when it did, by organisation. */
  readonly #left = new Map<string, Map<string, number>>()
  readonly #refusals: ReturnType<typeof createRateLimit>
  readonly #timer: NodeJS.Timeout
  #writeTimer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #isClosed = false

  constructor(options: DigestsOptions) {
    this.#options = options
    this.#refusals = createRateLimit(REFUSALS_LOGGED.perHub, REFUSALS_LOGGED.total, options.now)
    this.#timer = setInterval(() => this.#check(), CHECK_INTERVAL).unref()
  }

  /** A hub has a link to this node. Another link of it is forgotten. */
  linkUp(organisation: string, sn: string, link: Link): void {
    const id = keyOf(organisation, sn)
    closeHub(this.#hubs.get(id))
    const now = this.#options.now()
    this.#hubs.set(id, {
      ...{ organisation, sn, link, digest: new KnownDigest(), closeStream: undefined, reopen: undefined },
      ...{
        upAt: now,
        receivedAt: 0,
        isLate: false,
        isChanged: false,
        isUrgent: false,
        writtenAt: now,
        writes: WRITES_MAX
      }
    })
  }

  /** Opens the digest stream of an accepted hub, once the hub has received its registration state. */
  accepted(organisation: string, sn: string, link: Link): void {
    const hub = this.#hubs.get(keyOf(organisation, sn))
    if (hub?.link === link && !hub.closeStream && !link.hasEnded) this.#open(hub)
  }

  linkEnded(organisation: string, sn: string, link: Link): void {
    const id = keyOf(organisation, sn)
    const hub = this.#hubs.get(id)
    if (hub?.link !== link || this.#isClosed) return
    closeHub(hub)
    this.#hubs.delete(id)
    const left = this.#left.get(organisation) ?? new Map<string, number>()
    this.#left.set(organisation, left.set(sn, this.#options.now()))
    this.#writeSoon()
  }

  /** When the last line of the digest came to this node; 0: none came. */
  receivedAt(organisation: string, sn: string): number {
    return this.#hubs.get(keyOf(organisation, sn))?.receivedAt ?? 0
  }

  /** Whether a hub has connected a moment ago, and has not had time to send its digest. */
  isConnecting(organisation: string, sn: string): boolean {
    const hub = this.#hubs.get(keyOf(organisation, sn))
    return hub !== undefined && this.#options.now() - hub.upAt < SETTLE_TIME
  }

  /** Writes pending digests, and for each hub the time at which it was connected last. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    clearTimeout(this.#writeTimer)
    await this.#writing
    for (const hub of this.#hubs.values()) {
      closeHub(hub)
      hub.writtenAt = 0
      hub.writes = 1
    }
    await this.#write()
  }

  #open(hub: PresentHub): void {
    const { organisation, sn, link } = hub
    hub.digest = new KnownDigest()
    hub.closeStream = openDigestStream(link, {
      onLine: (line) => {
        // Another link carries the digest, maybe that to another node.
        if (line.standby) return
        const now = this.#options.now()
        const change = hub.digest.apply(line, now)
        hub.receivedAt = now
        if (hub.isLate) this.#options.onChange(organisation)
        hub.isLate = false
        hub.isChanged ||= change !== undefined
        hub.isUrgent ||= change === 'verdict'
        if (hub.isUrgent) this.#writeSoon()
      },
      onEnd: (end) => {
        hub.closeStream = undefined
        if (this.#hubs.get(keyOf(organisation, sn)) !== hub || link.hasEnded) return
        if (end.why === 'refused') void this.#logRefusal(hub, end)
        hub.reopen = setTimeout(() => this.#open(hub), end.why === 'closed' ? REOPEN_AFTER : REFUSED_FOR).unref()
      }
    })
  }

  async #logRefusal({ organisation, sn }: PresentHub, { reason }: DigestEnd & { why: 'refused' }): Promise<void> {
    logger.warn('The digest of a hub was refused', { sn, reason })
    if (this.#refusals.take(keyOf(organisation, sn)) === 'drop') return
    const entry = { time: this.#options.now(), user_name: '', address: '', event: 'hub-digest', detail: sn, result: 0 }
    await this.#options.store
      .within(organisation, (scope) => addLogEntry(scope, { ...entry, sn, level: LOG_WARNING }))
      .catch((error) => logger.error('The refusal of a digest was not logged', error))
  }

  /** Notices digests that are late, and writes the times of those that are not. */
  #check(): void {
    const now = this.#options.now()
    for (const hub of this.#hubs.values()) {
      hub.writes = Math.min(WRITES_MAX, hub.writes + CHECK_INTERVAL / WRITE_INTERVAL)
      const isLate = now - Math.max(hub.receivedAt, hub.upAt) > (hub.receivedAt ? DIGEST_SILENCE_MAX : SETTLE_TIME)
      if (isLate && !hub.isLate) this.#options.onChange(hub.organisation)
      hub.isLate = isLate
    }
    this.#writeSoon()
  }

  #writeSoon(): void {
    if (this.#isClosed) return
    this.#writeTimer ??= setTimeout(() => {
      this.#writeTimer = undefined
      this.#writing = this.#writing.then(() => this.#write())
    }, WRITE_DELAY).unref()
  }

  /** Writes changed digests, in one transaction for each organisation. Retries those of a failed transaction. */
  async #write(): Promise<void> {
    const now = this.#options.now()
    const due = [...this.#hubs.values()].filter(
      (hub) => now - hub.writtenAt >= REWRITE_INTERVAL || (hub.isUrgent && hub.writes >= 1)
    )
    const organisations = new Set([...due.map(({ organisation }) => organisation), ...this.#left.keys()])
    for (const organisation of organisations) {
      const left = this.#left.get(organisation) ?? new Map<string, number>()
      const hubs = due.filter((hub) => hub.organisation === organisation)
      const changed = hubs.filter(({ isChanged }) => isChanged)
      this.#left.delete(organisation)
      for (const hub of changed) {
        hub.isChanged = false
        hub.isUrgent = false
        hub.writes--
      }
      try {
        await this.#options.store.within(organisation, (scope) => writeAll(scope, { hubs, changed, left, now }))
        for (const hub of hubs) hub.writtenAt = now
        if (changed.length > 0) this.#options.onChange(organisation)
      } catch (error) {
        logger.error('Digests of hubs were not written', error)
        for (const hub of changed) {
          hub.isChanged = true
          hub.isUrgent = true
        }
        this.#left.set(organisation, new Map([...left, ...(this.#left.get(organisation) ?? [])]))
      }
    }
  }
}

interface Changes {
  hubs: readonly PresentHub[]
  changed: readonly PresentHub[]
  left: ReadonlyMap<string, number>
  now: number
}

async function writeAll(scope: Scope, { hubs, changed, left, now }: Changes): Promise<void> {
  // When a network fails, thousands of links end within milliseconds.
  for (const [at, ended] of Map.groupBy(left, ([, time]) => time))
    for (let start = 0; start < ended.length; start += BATCH) {
      const serials = ended.slice(start, start + BATCH).map(([sn]) => sn)
      await scope.update('hubs').set({ last_seen: at }).where('sn', 'in', serials).execute()
    }
  for (let start = 0; start < hubs.length; start += BATCH) {
    const batch = hubs.slice(start, start + BATCH)
    const serials = batch.map(({ sn }) => sn)
    await scope.update('hubs').set({ last_seen: now }).where('sn', 'in', serials).execute()
    const inTime = batch.filter(({ receivedAt }) => now - receivedAt < DIGEST_SILENCE_MAX)
    if (inTime.length === 0) continue
    const received = Math.min(...inTime.map(({ receivedAt }) => receivedAt))
    const named = inTime.map(({ sn }) => sn)
    await scope.update('digests').set({ received }).where('sn', 'in', named).execute()
  }
  for (let start = 0; start < changed.length; start += BATCH)
    await writeDigests(scope, changed.slice(start, start + BATCH), now)
}

/** Stores the digests of at most `BATCH` hubs. */
async function writeDigests(scope: Scope, changed: readonly PresentHub[], now: number): Promise<void> {
  // A hub may have been deleted meanwhile.
  const accepted = await scope
    .select('hubs')
    .select('sn')
    .where('state', '=', REGISTRATION_STATE.accepted)
    .where(
      'sn',
      'in',
      changed.map(({ sn }) => sn)
    )
    .execute()
  const serials = new Set(accepted.map(({ sn }) => sn))
  for (const { sn, digest, receivedAt } of changed) {
    const stored = serials.has(sn) && digest.toDigest()
    if (!stored) continue
    const row = { body: JSON.stringify(stored), received: receivedAt }
    await scope
      .insert('digests', { sn, ...row, revision: now })
      .onConflict((conflict) =>
        conflict
          .columns(['organisation', 'sn'])
          .doUpdateSet((values) => ({ ...row, revision: values('digests.revision', '+', 1) }))
      )
      .execute()
  }
}

function closeHub(hub: PresentHub | undefined): void {
  clearTimeout(hub?.reopen)
  hub?.closeStream?.()
}

/** Neither names of organisations nor serial numbers have a slash. */
const keyOf = (organisation: string, sn: string) => `${organisation}/${sn}`
