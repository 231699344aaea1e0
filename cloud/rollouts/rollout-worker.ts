// Runs one rollout that this node has taken: reads the state of the active hubs, starts those of the next wave, and
// stops after failures. The rows have all state that another node needs.
import { createHash } from 'node:crypto'
import { isPermitted } from '../../contract/access/permissions.ts'
import { startRollout } from '../../contract/cloud/calls.ts'
import { ROLLOUT_APPROVAL_HOURS, type RolloutCause, waveSize } from '../../contract/cloud/rollout.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { LOG_INFO, LOG_WARNING } from '../../contract/log.ts'
import { readHubAccess } from '../auth/hub-access.ts'
import { readAbsentCaller } from '../auth/sessions.ts'
import { addLogEntry } from '../store/log.ts'
import type { Scope } from '../store/scope.ts'
import type { Store } from '../store/store.ts'
import type { HubCaller, HubCalls } from './hub-calls.ts'
import { HubUpdate } from './hub-update.ts'
import {
  type QueuedRollout,
  type RolloutHubRow,
  type RolloutRow,
  readRollout,
  readRolloutHubs,
  writeRolloutHub
} from './rollout-rows.ts'

/** Milliseconds for which an updated hub may be offline before the next wave. */
const OFFLINE_MAX = 120_000
/** Milliseconds for which a node that goes on with a rollout waits for hubs, which connect again meanwhile. */
const RECONNECT_TIME = 60_000
/** Milliseconds before the end of an approval in which no hub starts, because it has to install before that end. */
const APPROVAL_MARGIN = 3_600_000

export interface WorkerParts {
  store: Store
  calls: HubCalls
  /** Identifier of this node. */
  node(): string
  /** Whether a node runs. */
  isRunning(node: string): boolean
  /** Milliseconds since the epoch. */
  now: () => number
  onChange(organisation: string): void
  /** Whether the node is closing: its links end, and hubs only seem to be offline. */
  isClosing(): boolean
}

/** What a turn works with. */
interface Turn {
  rollout: RolloutRow
  /** The state at the beginning. A user may change it meanwhile. */
  stateBefore: RolloutRow['state']
  updates: HubUpdate[]
  /** Undefined: the user who has started it may not do so any more. */
  caller: HubCaller | undefined
  /** Serial numbers of the hubs that are accepted and that the user sees. */
  reachable: ReadonlySet<string>
}

/** `gone`: there is no such rollout. `elsewhere`: another node works on it. */
export type TurnResult = 'gone' | 'elsewhere' | 'ended' | 'held'

const isActive = ({ row }: HubUpdate) => row.state === 'active'
const isWaiting = ({ row }: HubUpdate) => row.state === 'waiting'

export class RolloutWorker {
  readonly #entry: QueuedRollout
  readonly #parts: WorkerParts
  /** Serial numbers of hubs that were between two steps when they were asked last. */
  readonly #doubtful = new Set<string>()
  /** When a hub of the current wave was connected last. */
  readonly #seenAt = new Map<string, number>()
  /** `RolloutRow.epoch` with which this node has taken it. */
  #epoch = 0
  /** Until when offline hubs are waited for, on the clock of the process. */
  #reconnectEnd = 0

  constructor(entry: QueuedRollout, parts: WorkerParts) {
    this.#entry = entry
    this.#parts = parts
  }

  async turn(): Promise<TurnResult> {
    const { store } = this.#parts
    const turn = await store.within(this.#entry.organisation, (scope) => this.#load(scope))
    if (typeof turn === 'string') return turn
    const { rollout, updates } = turn
    if (!turn.caller) this.#stopForUser(turn)
    else {
      for (const update of updates) if (isActive(update) && !turn.reachable.has(update.row.sn)) update.fail('unknown')
      await Promise.all(updates.filter(isActive).map((update) => update.advance()))
      if (rollout.state === 'running' && !(await this.#runWaves(turn))) return 'elsewhere'
    }
    this.#remember(updates)
    if (!updates.some((update) => isActive(update) || isWaiting(update))) this.#end(turn)
    return (await this.#save(turn)) ? (rollout.ended > 0 ? 'ended' : 'held') : 'elsewhere'
  }

  async #load(scope: Scope): Promise<Turn | TurnResult> {
    const { now } = this.#parts
    const rollout = await this.#take(scope)
    if (typeof rollout === 'string') return rollout
    const rows = await readRolloutHubs(scope, rollout.id)
    const user = await readAbsentCaller(scope, rollout.user_id, now())
    const mayStart = user !== undefined && isPermitted(startRollout.access, user.user)
    const access = user && (await readHubAccess(scope, user))
    const hubs = await scope.select('hubs').selectAll().where('state', '=', REGISTRATION_STATE.accepted).execute()
    const { name, permission, type, organisation } = user?.user ?? {
      name: '',
      permission: 0,
      type: 0,
      organisation: ''
    }
    const caller: HubCaller = {
      user: { name, organisation, permission, type },
      // A session of its own on each hub, so that the proof of the password counts for this rollout alone.
      session: createHash('sha256').update(`rollout ${organisation} ${rollout.id} ${name}`).digest('hex'),
      authenticatedAt: rollout.approved,
      approvedAt: rollout.approved,
      address: rollout.address
    }
    const parts = { calls: this.#parts.calls, rollout, caller, now }
    return {
      rollout,
      stateBefore: rollout.state,
      updates: rows.map((row) => new HubUpdate(row, parts, this.#doubtful.has(row.sn))),
      caller: mayStart ? caller : undefined,
      reachable: new Set(hubs.filter((hub) => access?.isHubVisible(hub)).map(({ sn }) => sn))
    }
  }

  /** Takes the rollout, unless another node that runs has it. */
  async #take(scope: Scope): Promise<RolloutRow | TurnResult> {
    const { node, isRunning, now } = this.#parts
    const rollout = await readRollout(scope, this.#entry.id)
    if (!rollout) return 'gone'
    if (rollout.ended > 0) return 'ended'
    if (rollout.node === node() && rollout.epoch === this.#epoch) return rollout
    if (rollout.node !== node() && isRunning(rollout.node)) return 'elsewhere'
    const epoch = rollout.epoch + 1
    const { numUpdatedRows } = await scope
      .update('rollouts')
      .set({ node: node(), epoch })
      .where('id', '=', rollout.id)
      .where('epoch', '=', rollout.epoch)
      .executeTakeFirstOrThrow()
    if (Number(numUpdatedRows) === 0) return 'elsewhere'
    this.#epoch = epoch
    if (rollout.node) this.#reconnectEnd = performance.now() + RECONNECT_TIME
    // Nobody has looked at the hubs meanwhile: their time begins again.
    await scope
      .update('rollout_hubs')
      .set({ changed: now() })
      .where('rollout_id', '=', rollout.id)
      .where('state', '=', 'active')
      .execute()
    return { ...rollout, node: node(), epoch }
  }

  #stopForUser({ rollout, updates }: Turn): void {
    for (const update of updates.filter(isActive)) update.fail('user')
    if (rollout.state === 'running' || rollout.state === 'paused') stop(rollout, 'user')
  }

  /** @returns whether this node still has the rollout */
  async #runWaves(turn: Turn): Promise<boolean> {
    const { rollout, updates } = turn
    if (this.#hasStopped(turn)) return true
    if (rollout.wave_ended > 0) {
      if (!(await this.#isWaveProven(turn))) {
        this.#hasStopped(turn)
        return true
      }
      rollout.wave++
      rollout.wave_ended = 0
      this.#seenAt.clear()
    }
    const filled = await this.#fillWave(turn)
    if (filled === 'lost') return false
    if (this.#hasStopped(turn) || filled === 'waiting' || updates.some(isActive)) return true
    if (updates.some(isWaiting)) rollout.wave_ended = this.#parts.now()
    return true
  }

  /** Stops after too many failures, and when the approval is too old for a further hub. */
  #hasStopped({ rollout, updates }: Turn): boolean {
    const failures = updates.filter(({ row }) => row.state === 'failed').length - rollout.forgiven
    if (rollout.stop_after > 0 && failures >= rollout.stop_after) stop(rollout, 'failures')
    else if (
      updates.some(isWaiting) &&
      this.#parts.now() - rollout.approved > ROLLOUT_APPROVAL_HOURS * 3_600_000 - APPROVAL_MARGIN
    )
      stop(rollout, 'approval')
    return rollout.state === 'stopped'
  }

  /** Whether the pause is over, and all updated hubs of the wave work with the release. */
  async #isWaveProven({ rollout, updates }: Turn): Promise<boolean> {
    const { now, calls } = this.#parts
    const isOver = now() - rollout.wave_ended >= rollout.pause_minutes * 60_000
    const members = updates.filter(({ row }) => row.wave === rollout.wave && row.state === 'done')
    const seen = await Promise.all(
      members.map(async (update) => {
        const { organisation, sn } = update.row
        if (!calls.isOnline({ organisation, sn })) return this.#observe(update, false)
        if (!isOver) return this.#observe(update, true)
        const isUpdated = await update.isUpdated().catch(() => undefined)
        if (isUpdated === false) update.fail('unhealthy')
        return this.#observe(update, isUpdated === true)
      })
    )
    return isOver && seen.every(Boolean)
  }

  /** @returns whether the hub was seen; one that was not for too long has failed */
  #observe(update: HubUpdate, isSeen: boolean): boolean {
    const now = this.#parts.now()
    const { sn } = update.row
    if (isSeen || !this.#seenAt.has(sn)) this.#seenAt.set(sn, now)
    else if (update.row.state === 'done' && now - (this.#seenAt.get(sn) ?? now) > OFFLINE_MAX) update.fail('unhealthy')
    return isSeen
  }

  /**
   * Starts hubs until the wave has its size. One that cannot be updated is skipped, and the next one takes its place.
   * @returns `waiting`: hubs have to connect first; `lost`: this node has the rollout no more
   */
  async #fillWave(turn: Turn): Promise<'full' | 'waiting' | 'lost'> {
    const { rollout, updates, reachable } = turn
    const plan = { first: rollout.first, growth: rollout.growth, wave: rollout.wave_max }
    for (;;) {
      const free = waveSize(plan, rollout.wave) - updates.filter(({ row }) => row.wave === rollout.wave).length
      const next = updates.filter(isWaiting).slice(0, Math.max(0, free))
      if (next.length === 0) return 'full'
      const isReconnecting = performance.now() < this.#reconnectEnd
      if (isReconnecting && !next.every(({ row }) => this.#parts.calls.isOnline(row))) return 'waiting'
      const ready: HubUpdate[] = []
      await Promise.all(
        next.map(async (update) => {
          if (!reachable.has(update.row.sn)) update.skip('unknown')
          else if (await update.prepare()) ready.push(update)
        })
      )
      if (ready.length === 0) continue
      for (const update of ready) update.begin(rollout.wave)
      if (!(await this.#recordStart(ready))) return 'lost'
      await Promise.all(ready.map((update) => update.advance()))
    }
  }

  /** Stores that hubs are started before they are called. @returns whether they may be */
  #recordStart(updates: readonly HubUpdate[]): Promise<boolean> {
    const { organisation, id } = this.#entry
    return this.#parts.store.within(organisation, async (scope) => {
      await scope.lock()
      const current = await readRollout(scope, id)
      if (current?.epoch !== this.#epoch || current.state !== 'running' || this.#parts.isClosing()) return false
      for (const { row } of updates) await writeRolloutHub(scope, row)
      return true
    })
  }

  #remember(updates: readonly HubUpdate[]): void {
    this.#doubtful.clear()
    for (const update of updates) if (isActive(update) && update.isDoubtful) this.#doubtful.add(update.row.sn)
  }

  #end({ rollout, updates }: Turn): void {
    rollout.state = updates.some(({ row }) => row.state === 'cancelled') ? 'cancelled' : 'done'
    rollout.cause = ''
    rollout.ended = this.#parts.now()
  }

  /** @returns whether this node still has the rollout */
  async #save({ rollout, stateBefore, updates }: Turn): Promise<boolean> {
    const { store, onChange } = this.#parts
    const { organisation, id } = this.#entry
    const changed = updates.filter(({ isChanged }) => isChanged).map(({ row }) => row)
    const { state, cause, wave, wave_ended, ended } = rollout
    const isHeld = await store.within(organisation, async (scope) => {
      await scope.lock()
      const current = await readRollout(scope, id)
      if (current?.epoch !== this.#epoch || this.#parts.isClosing()) return false
      for (const row of changed) await this.#saveHub(scope, row)
      // A user may have paused or cancelled it. Then the next turn decides.
      const isSame = current.state === stateBefore
      if (isSame)
        await scope.update('rollouts').set({ state, cause, wave, wave_ended, ended }).where('id', '=', id).execute()
      else rollout.ended = 0
      if (isSame && state !== stateBefore) await this.#logEnd(scope, rollout, updates)
      return true
    })
    if (isHeld && (changed.length > 0 || state !== stateBefore)) onChange(organisation)
    return isHeld
  }

  async #saveHub(scope: Scope, row: RolloutHubRow): Promise<void> {
    await writeRolloutHub(scope, row)
    if (row.state !== 'done' && row.state !== 'failed') return
    const isDone = row.state === 'done'
    const versions = isDone ? `${row.from_version} → ${row.version}` : row.detail_en.split('\n')[0]
    await this.#log(scope, {
      event: isDone ? 'hub-updated' : `hub-update-${row.cause}`,
      detail: [`${row.sn} ${row.name}`, versions].filter(Boolean).join(': '),
      level: isDone ? LOG_INFO : LOG_WARNING,
      sn: row.sn
    })
  }

  async #logEnd(scope: Scope, { version, state, cause }: RolloutRow, updates: readonly HubUpdate[]): Promise<void> {
    const count = (wanted: RolloutHubRow['state']) => updates.filter(({ row }) => row.state === wanted).length
    await this.#log(scope, {
      event: state === 'stopped' ? `rollout-${cause}` : 'rollout-ended',
      detail: `${version}, ${count('done')}/${updates.length}`,
      level: state === 'stopped' || count('failed') > 0 ? LOG_WARNING : LOG_INFO,
      sn: ''
    })
  }

  #log(scope: Scope, line: { event: string; detail: string; level: number; sn: string }): Promise<void> {
    return addLogEntry(scope, { ...line, time: this.#parts.now(), user_name: '', address: '', result: 0 })
  }
}

function stop(rollout: RolloutRow, cause: RolloutCause): void {
  rollout.state = 'stopped'
  rollout.cause = cause
}
