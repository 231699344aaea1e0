// Records what happens to channels: changes of their verdicts, events of the stream engine, what users and schedules
// do, who watches, and when nothing was observed. It also stores since when verdicts hold.
import type { HealthReason } from '../../contract/health.ts'
import type { InputAssessment } from '../../contract/stream/channel-health.ts'
import type { TimelineEvent } from '../../contract/stream/channel-timeline.ts'
import type { ObservedClient, StreamEvent } from '../../engine/interfaces/channel.ts'
import type { AssessedChannel } from '../health/channel-verdicts.ts'
import type { AssessedLeg } from '../health/tracked-leg.ts'
import type { Store } from '../store/store.ts'
import { ALL_CHANNELS, type NewTimelineEntry, type TimelineFacts } from '../store/timeline.ts'
import { type StoredVerdict, verdictObject } from '../store/verdicts.ts'
import { areNamesShown, operationEvent, type RecordedOperation, readDetail } from './operations.ts'

/** Milliseconds between stored signs of life. The end of the last run is known that exactly. */
const ALIVE_INTERVAL = 10_000
/** Shortest gap in milliseconds that is recorded. */
const GAP_MIN = 1000
/** Milliseconds after the start within which verdicts settle: the engine connects, and qualities are measured again. */
const SETTLE_TIME = 15_000

interface TimelineRecorderOptions {
  store: Pick<
    Store,
    'timeline' | 'verdicts' | 'database' | 'changes' | 'channels' | 'sources' | 'sourceAccess' | 'devices' | 'problems'
  >
  /** Milliseconds since the epoch. */
  now?: (() => number) | undefined
}

/** Verdicts on something that carries media. */
const isCarrying = (verdict: string | undefined) => verdict === 'on-air' || verdict === 'degraded'

export class TimelineRecorder {
  readonly #store: TimelineRecorderOptions['store']
  readonly #now: () => number
  /** Verdicts by object, as they are stored. */
  readonly #verdicts: Map<string, StoredVerdict>
  /** Problems when the hub was stopped: those of channels and outputs have the names of their objects. */
  readonly #problems: ReadonlyMap<string, { since: number }>
  /** What distinguishes the last recorded verdict on a channel from others with the same name. */
  readonly #causes = new Map<string, string>()
  /** Outputs and inputs whose fault was recorded, and not yet its end: since when it lasts, and its last cause. */
  readonly #faults = new Map<string, { since: number; cause: HealthReason | undefined }>()
  /** IDs of the players of each channel. */
  readonly #players = new Map<number, Set<number>>()
  /** Channels that the hub found at its start, and whose first verdict is not recorded yet. */
  readonly #found = new Set<number>()
  /** When the last run of the hub ended; undefined at the first start. */
  readonly #endOfLastRun: number | undefined
  #startedAt = Number.POSITIVE_INFINITY
  #isEngineKnown = false
  #timer: NodeJS.Timeout | undefined

  constructor({ store, now = Date.now }: TimelineRecorderOptions) {
    this.#store = store
    this.#now = now
    this.#verdicts = store.verdicts.all()
    this.#problems = store.problems.all()
    this.#endOfLastRun = store.timeline.lastAlive()
    for (const [object, { verdict, since }] of this.#verdicts)
      if (verdict === 'down' && !object.startsWith('channel-')) this.#faults.set(object, { since, cause: undefined })
    for (const { id } of store.channels.all()) this.#found.add(id)
  }

  /** Records the start of the hub and the time for which it did not run. Call before anything else is recorded. */
  start(version: string): void {
    const now = this.#now()
    const last = this.#endOfLastRun
    this.#startedAt = now
    this.#write(() => {
      if (last !== undefined && now - last >= GAP_MIN)
        this.#add({ channel: ALL_CHANNELS, time: now, since: last, event: 'not-observed' })
      this.#add({ channel: ALL_CHANNELS, time: now, event: 'hub-started', facts: { version } })
      this.#store.timeline.setAlive(now)
    })
    this.#timer = setInterval(() => this.#markAlive(), ALIVE_INTERVAL).unref()
  }

  /** The engine has reported its channels, so that verdicts are true. */
  engineConnected(): void {
    this.#isEngineKnown = true
  }

  /** Records that the hub stops. */
  close(): void {
    clearInterval(this.#timer)
    if (this.#store.database.storageFault || this.#startedAt === Number.POSITIVE_INFINITY) return
    const time = this.#now()
    this.#write(() => {
      this.#add({ channel: ALL_CHANNELS, time, event: 'hub-stopped' })
      this.#store.timeline.setAlive(time)
    })
  }

  /**
   * Since when a verdict on an object has held, in milliseconds since the epoch, if it held when the hub was stopped.
   * Undefined once the hub has settled.
   */
  storedSince(object: string, verdict: string): number | undefined {
    if (!this.#isSettling()) return undefined
    const stored = this.#verdicts.get(object)
    if (stored?.verdict === verdict && stored.since > 0) return stored.since
    // A hub that was killed within a second of a change has stored the problem only.
    return verdict === 'down' || verdict === 'degraded' ? this.#problems.get(object)?.since : undefined
  }

  /** Compares the verdicts on a channel and its legs with those before. Call it at least once a second. */
  recordVerdicts(id: number, assessed: AssessedChannel): void {
    if (!this.#isEngineKnown && this.#isSettling()) return
    const { assessment, since, input, backups, outputs } = assessed
    const object = verdictObject.channel(id)
    const before = this.#verdicts.get(object)
    const { verdict } = assessment
    if (this.#isHeld(before?.verdict, verdict)) return
    const cause = this.#causeOf(assessed)
    const isFound = this.#found.delete(id)
    const isSame = before?.verdict === verdict && (isFound || this.#causes.get(object) === cause)
    const wasInterrupted = isFound && isCarrying(verdict) && this.#beganInGap(assessed.onAirSince)
    this.#causes.set(object, cause)
    if (!isSame || wasInterrupted) this.#recordState(id, assessed, before)
    this.#keep(object, { verdict, since: since ?? 0 })
    const main = this.#store.channels.byId(id)?.input_id ?? 0
    // Without a backup, the verdict on the channel tells what happens to its input.
    const areInputsRecorded = backups.size > 0
    this.#recordLeg(id, 'input', main, input, areInputsRecorded)
    for (const [leg, backup] of backups) this.#recordLeg(id, 'input', leg, backup, areInputsRecorded)
    for (const [leg, output] of outputs) this.#recordLeg(id, 'output', leg, output, true)
  }

  /** Records an event of the stream engine. Call it in the transaction that stores the event. */
  recordStreamEvent({ channelId, kind, name, inputId, reason }: StreamEvent, time: number): void {
    const event = STREAM_EVENTS[kind]
    if (!event || !this.#store.channels.byId(channelId)) return
    const input = inputId ?? this.#store.channels.byId(channelId)?.input_id ?? undefined
    const isAboutInput = event !== 'switched'
    const facts: TimelineFacts = {
      ...(isAboutInput && { name, ...this.#deviceFact([input]) }),
      ...(reason !== undefined && { reason })
    }
    this.#add({ channel: channelId, time, event, subject: `${isAboutInput ? input : ''} ${reason}`, facts })
  }

  /** Records a start or stop by the schedule. Call it in the transaction of the change. */
  recordSchedule(channel: number, event: 'schedule-start' | 'schedule-stop' | 'schedule-refused'): void {
    this.#add({ channel, time: this.#now(), event })
  }

  /** Records what a user did to channels. Call it in the transaction of the change. */
  recordOperation({ user, token, path, objects, detail }: RecordedOperation): void {
    const devices = objects.filter((object) => object.startsWith('device:')).map((object) => object.slice(7))
    const channels = new Set(objects.flatMap((object) => this.#channelsOf(object)))
    const event = operationEvent(path, detail)
    if (!event) return
    const hasNames = areNamesShown(event, path, objects)
    // A copy is the last object of its call.
    const own = objects.flatMap((object) => (object.startsWith('channel:') ? this.#channelsOf(object) : []))
    const targets = event === 'created' ? [...channels].slice(-1) : channels
    for (const channel of targets) {
      const row = this.#store.channels.byId(channel)
      if (!row && event !== 'deleted') continue
      const { fields, names } = readDetail(detail, row?.name ?? '')
      if (path === '/channel/set' && fields.length === 0) continue
      const facts: TimelineFacts = {
        user,
        ...(token && { token }),
        call: path,
        ...(fields.length > 0 && { fields }),
        ...(names && hasNames && { names: [names] }),
        ...(devices.length > 0 && { devices })
      }
      const subject = `${user} ${token ?? ''} ${path} ${fields.join()} ${names ?? ''}`
      // A restored input or output changes its channel.
      const isOwn = event !== 'restored' || own.includes(channel)
      this.#add({ channel, time: this.#now(), event: isOwn ? event : 'changed', subject, facts })
    }
  }

  /** Records that a user began to watch a channel in a page. */
  recordWatch(channel: number, user: string): void {
    this.#write(() => this.#add({ channel, time: this.#now(), event: 'watched', subject: user, facts: { user } }))
  }

  /** Records players that have connected since the last call. */
  recordPlayers(channel: number, clients: readonly ObservedClient[]): void {
    const players = clients.filter(({ isPublisher }) => !isPublisher)
    const known = this.#players.get(channel)
    this.#players.set(channel, new Set(players.map(({ id }) => id)))
    // It is unknown when players connected that the hub finds.
    if (!known && this.#isSettling()) return
    const added = players.filter(({ id }) => !known?.has(id))
    if (added.length === 0) return
    this.#write(() => {
      for (const { address: peer, protocol } of added) {
        const address = peer.replace(/^(\d+(?:\.\d+){3}|\[.*\]):\d+$/, '$1')
        const facts = { address, protocol }
        this.#add({ channel, time: this.#now(), event: 'player-connected', subject: address, facts })
      }
    })
  }

  /** Records that the stream engine is away, or back after `away` milliseconds. */
  recordEngine(event: 'engine-away' | 'engine-back' | 'engine-restarted', away = 0): void {
    const time = this.#now()
    this.#write(() => this.#add({ channel: ALL_CHANNELS, time, since: time - Math.floor(away), event }))
  }

  /** Forgets a channel that was deleted. The database has removed its timeline with it. */
  channelRemoved(id: number): void {
    this.#players.delete(id)
    for (const object of this.#verdicts.keys())
      if (object === `channel-${id}` || new RegExp(`^(in|out)put-${id}-`).test(object)) {
        this.#verdicts.delete(object)
        this.#faults.delete(object)
        this.#causes.delete(object)
      }
  }

  #isSettling(): boolean {
    return this.#startedAt === Number.POSITIVE_INFINITY || this.#now() - this.#startedAt < SETTLE_TIME
  }

  /** Whether a verdict may be one only until the hub has settled. */
  #isHeld(before: string | undefined, verdict: string): boolean {
    if (!this.#isSettling() || before === undefined || before === verdict) return false
    return verdict === 'starting' || verdict === 'waiting' || (before === 'degraded' && verdict === 'on-air')
  }

  /** Whether something began while the hub did not run. */
  #beganInGap(since: number | undefined): boolean {
    return since !== undefined && this.#endOfLastRun !== undefined && since > this.#endOfLastRun
  }

  #causeOf({ assessment: { reason, backup, 'audio-track': track } }: AssessedChannel): string {
    return [reason, backup, track].join(' ')
  }

  #recordState(channel: number, assessed: AssessedChannel, before: StoredVerdict | undefined): void {
    const event = stateEvent(assessed.assessment.verdict, before?.verdict)
    if (!event) return
    const { 'next-step': _, ...health } = assessed.assessment
    const leg = this.#legOnAir(channel, assessed)
    const isAboutInput = health.reason !== 'outputs-failed'
    const { reason } = leg.failure
    const time = this.#now()
    const lasted = before && before.since > 0 && before.verdict === 'down' ? time - before.since : 0
    const facts: TimelineFacts = {
      health,
      ...(event !== 'on-air' && isAboutInput && reason !== undefined && { reason }),
      ...(isAboutInput && this.#deviceFact([leg.id])),
      ...(lasted > 0 && { seconds: Math.round(lasted / 1000) })
    }
    this.#write(() => this.#add({ channel, time, event, subject: this.#causeOf(assessed), facts }))
  }

  /** The input that a verdict is about. */
  #legOnAir(channel: number, { assessment, input, backups }: AssessedChannel) {
    const backup = assessment.backup === undefined ? undefined : [...backups][assessment.backup - 1]
    // A channel on backup is degraded because of its main input.
    if (backup && assessment.verdict === 'down') return { id: backup[0], failure: backup[1].failure }
    return { id: this.#store.channels.byId(channel)?.input_id ?? 0, failure: input.failure }
  }

  /** Records that an input or output failed, and that it is back. */
  #recordLeg(
    channel: number,
    side: 'input' | 'output',
    id: number,
    { assessment, since, failure }: AssessedLeg<InputAssessment>,
    isRecorded: boolean
  ): void {
    const object = verdictObject[side](channel, id)
    const { verdict } = assessment
    if (this.#isHeld(this.#verdicts.get(object)?.verdict, verdict)) return
    this.#keep(object, { verdict, since: since ?? 0 })
    if (!isRecorded) return
    const fault = this.#faults.get(object)
    const failedSince = fault?.since
    const time = this.#now()
    const hasOtherCause = fault?.cause !== undefined && fault.cause !== assessment.reason
    if (verdict === 'down') this.#faults.set(object, { since: failedSince ?? time, cause: assessment.reason })
    if (verdict === 'down' && (!fault || hasOtherCause)) {
      const { 'next-step': _, ...health } = assessment
      const { reason } = failure
      const facts = { ...this.#nameFacts(id), health, ...(reason !== undefined && { reason }) }
      const event = side === 'input' ? 'input-lost' : 'output-failed'
      const subject = `${id} ${health.reason} ${reason?.split(' ', 1)[0]}`
      this.#write(() => this.#add({ channel, time, event, subject, facts }))
    } else if (failedSince !== undefined && isBack(verdict)) {
      this.#faults.delete(object)
      if (verdict === 'stopped') return
      const seconds = failedSince > 0 ? Math.round((time - failedSince) / 1000) : 0
      const facts = { ...this.#nameFacts(id), ...(seconds > 0 && { seconds }) }
      const event = side === 'input' ? 'input-back' : 'output-back'
      this.#write(() => this.#add({ channel, time, event, subject: String(id), facts }))
    }
  }

  /** The name of an input or output; without one it is the publisher of the channel, or its own NDI output. */
  #nameFacts(id: number): Pick<TimelineFacts, 'name' | 'devices'> {
    const { sources, devices } = this.#store
    const name = (sources.output(id) ?? sources.input(id) ?? devices.byId(id))?.name
    return { ...(name !== undefined && { name }), ...this.#deviceFact([id]) }
  }

  #deviceFact(ids: readonly (number | undefined)[]): Pick<TimelineFacts, 'devices'> {
    const devices = ids.flatMap((id) => (id ? (this.#store.devices.byId(id)?.sn ?? []) : []))
    return devices.length > 0 ? { devices } : {}
  }

  /** The channels that an object of a call belongs to. */
  #channelsOf(object: string): number[] {
    const [kind, text] = object.split(':')
    const id = Number(text)
    if (kind === 'channel') return [id]
    if (kind !== 'input' && kind !== 'output') return []
    return this.#store.sourceAccess.uses().flatMap((use) => (use.source_id === id ? use.channel_id : []))
  }

  #keep(object: string, verdict: StoredVerdict): void {
    const before = this.#verdicts.get(object)
    if (before?.verdict === verdict.verdict && (before.since === verdict.since || verdict.since === 0)) return
    // The start of a stream is computed from its age in seconds.
    if (before?.verdict === verdict.verdict && Math.abs(before.since - verdict.since) < 2000) return
    this.#verdicts.set(object, verdict)
    this.#write(() => this.#store.verdicts.set(object, verdict))
  }

  #markAlive(): void {
    // What is deferred during a fault of the storage would pile up.
    if (!this.#store.database.storageFault) this.#write(() => this.#store.timeline.setAlive(this.#now()))
  }

  #write(work: () => void): void {
    this.#store.database.runBatched(work)
  }

  #add(entry: NewTimelineEntry): void {
    this.#store.timeline.add(entry)
    this.#store.changes.markChanged('timeline', entry.channel)
  }
}

const isBack = (verdict: string) => isCarrying(verdict) || verdict === 'standby' || verdict === 'stopped'

/** Events of the engine that the verdicts do not show. */
const STREAM_EVENTS: Readonly<Partial<Record<StreamEvent['kind'], TimelineEvent>>> = {
  'channel-switched': 'switched',
  'track-lost': 'track-lost',
  'track-found': 'track-found',
  'input-changed': 'input-changed'
}

function stateEvent(verdict: string, before: string | undefined): TimelineEvent | undefined {
  if (verdict === 'on-air' || verdict === 'degraded' || verdict === 'waiting') return verdict
  if (verdict === 'down') return 'lost'
  if (verdict === 'stopped') return before === undefined ? undefined : 'off-air'
  // A start is a step towards another verdict, unless the channel was on air.
  return isCarrying(before) ? 'interrupted' : undefined
}
