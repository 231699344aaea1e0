// Updates of hubs in waves (contract/cloud/rollout.ts). The handlers store rollouts; `cloud/rollouts/` runs them.
import { randomInt } from 'node:crypto'
import {
  cancelRollout,
  checkRollout,
  deleteRollout,
  listRolloutHubs,
  listRollouts,
  pauseRollout,
  queryRollout,
  resumeRollout,
  startRollout
} from '../../contract/cloud/calls.ts'
import { RolloutHubState as HubStates } from '../../contract/cloud/rollout.schema.ts'
import {
  type CheckedHub,
  type HubRollout,
  type OfferedRelease,
  ROLLOUT_DEFAULTS,
  ROLLOUTS_KEPT,
  ROLLOUTS_MAX,
  type RolloutCause,
  type RolloutHub,
  type RolloutHubCause,
  type RolloutHubState,
  type RolloutState,
  type RolloutStep
} from '../../contract/cloud/rollout.ts'
import { DEVICE_BUSY, NOT_EXIST, NOT_PERMITTED, SUCCESS, TOO_MANY, WRONG_STATE } from '../../contract/codes.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import type { Language } from '../../contract/text/language.ts'
import { updateStatus } from '../../contract/update.ts'
import { compareReleaseVersions } from '../../pack/release-version.ts'
import { CallError } from '../../web-server/call-error.ts'
import { paginate } from '../../web-server/pages.ts'
import { readVisibleHubs } from '../auth/hub-access.ts'
import { type Context, type Handler, handle, handlePrepared, requireCaller } from '../http/handler.ts'
import { type HubCaller, type HubCalls, hubCallerOf } from '../rollouts/hub-calls.ts'
import { causeOfError, causeOfResult } from '../rollouts/hub-update.ts'
import {
  addToQueue,
  NEW_HUB,
  type RolloutHubRow,
  type RolloutRow,
  readRollout,
  readRolloutHubs
} from '../rollouts/rollout-rows.ts'
import { findObstacle, offeredVersions } from '../rollouts/update-steps.ts'
import type { Scope } from '../store/scope.ts'
import type { Store } from '../store/store.ts'

interface RolloutParts {
  store: Store
  calls: HubCalls
  /** Gives rollouts a turn at once. */
  wake(): void
  now: () => number
}

/** Ids are random, so that an entry of the queue can be added before the rollout. */
const IDS = 2 ** 47

const UNFINISHED: readonly RolloutState[] = ['running', 'paused', 'stopped']

/** A rollout with those of its hubs that the caller may see. */
interface VisibleRollout {
  row: RolloutRow
  hubs: RolloutHubRow[]
  /** Whether the caller sees all of its hubs. */
  isWhole: boolean
}

/** Serial numbers of the hubs that the caller sees. Deleted ones are seen by those who see all others. */
async function readVisibility(context: Context, scope: Scope): Promise<(sn: string) => boolean> {
  const visible = new Set((await readVisibleHubs(scope, requireCaller(context))).map(({ sn }) => sn))
  const known = new Set((await scope.select('hubs').select('sn').execute()).map(({ sn }) => sn))
  const seesAll = visible.size === known.size
  return (sn) => visible.has(sn) || (seesAll && !known.has(sn))
}

async function addHubs(scope: Scope, row: RolloutRow, isVisible: (sn: string) => boolean): Promise<VisibleRollout> {
  const all = await readRolloutHubs(scope, row.id)
  const hubs = all.filter(({ sn }) => isVisible(sn))
  return { row, hubs, isWhole: hubs.length === all.length }
}

/** @throws CallError 16 if there is no such rollout with a hub that the caller may see */
async function requireRollout(context: Context, scope: Scope, id: number): Promise<VisibleRollout> {
  const row = await readRollout(scope, id)
  const rollout = row && (await addHubs(scope, row, await readVisibility(context, scope)))
  if (!rollout || rollout.hubs.length === 0) throw new CallError(NOT_EXIST)
  context.detail = rollout.row.version
  return rollout
}

/** The same for a change. @throws CallError 31, and 38 in another state */
async function requireChangeable(
  context: Context,
  scope: Scope,
  id: number,
  states: readonly RolloutState[]
): Promise<VisibleRollout> {
  await scope.lock()
  const rollout = await requireRollout(context, scope, id)
  if (!rollout.isWhole) throw new CallError(NOT_PERMITTED)
  if (!states.includes(rollout.row.state)) throw new CallError(WRONG_STATE)
  return rollout
}

function serializeRollout({ row, hubs }: VisibleRollout, now: number): HubRollout {
  const { id, version, state, cause, created, ended, first, growth } = row
  const counts = Object.fromEntries(HubStates.options.map((each) => [each, 0])) as Record<RolloutHubState, number>
  for (const hub of hubs) counts[hub.state]++
  const remaining = row.wave_ended + row.pause_minutes * 60_000 - now
  return {
    ...{ id, version, state, user: row.user_name, created, ended, first, growth, wave: row.wave_max },
    ...(cause && { cause: cause as RolloutCause }),
    'pause-minutes': row.pause_minutes,
    'stop-after': row.stop_after,
    interrupt: row.interrupt === 1,
    'current-wave': row.wave,
    ...(state === 'running' && row.wave_ended > 0 && { 'next-wave-s': Math.max(0, Math.ceil(remaining / 1000)) }),
    total: hubs.length,
    counts
  }
}

function serializeHub(row: RolloutHubRow, language: Language): RolloutHub {
  const { sn, name, state, step, progress, wave, version, cause, result, started, changed, ended } = row
  const detail = language === 'zh' ? row.detail_zh : row.detail_en
  return {
    ...{ sn, name, state, wave, from: row.from_version, version, started, changed, ended },
    ...(step && { step: step as RolloutStep }),
    ...(progress >= 0 && { progress }),
    ...(cause && { cause: cause as RolloutHubCause }),
    ...(result !== SUCCESS && { result }),
    ...(detail && { detail })
  }
}

/** What a hub says before an update. */
async function checkHub(calls: HubCalls, caller: HubCaller, organisation: string, sn: string, language: Language) {
  const nothing = { offers: [], releases: [] as OfferedRelease[] }
  try {
    const status = await calls.send({ organisation, sn }, caller, updateStatus, {}, language)
    const { result, version } = status
    if (result !== SUCCESS) return { hub: { sn, cause: causeOfResult(result), result, offers: [] }, ...nothing }
    const cause = findObstacle(status)
    const releases = offeredVersions(status).map((release) => ({
      ...{ version: release.version, time: release.time, notes: release.notes },
      ...(release['pre-release'] && { 'pre-release': true as const })
    }))
    const offers = releases.map((release) => release.version)
    return { hub: { sn, version, ...(cause && { cause }), offers }, releases }
  } catch (error) {
    const { cause, result } = causeOfError(error)
    return { hub: { sn, cause, ...(result !== SUCCESS && { result }), offers: [] }, ...nothing }
  }
}

/** Asks the hubs outside of a transaction, because they take their time. */
const checkHandler = ({ store, calls, now }: RolloutParts): Handler =>
  handlePrepared(
    checkRollout,
    async (context, { sn }) => {
      const caller = requireCaller(context)
      const serials = [...new Set(sn)]
      const visible = await store.within(context.organisation, (scope) => readVisibleHubs(scope, caller, serials))
      const accepted = new Set(
        visible.filter(({ state }) => state === REGISTRATION_STATE.accepted).map((hub) => hub.sn)
      )
      const hubCaller = hubCallerOf(caller, context.address, now())
      const checked = await Promise.all(
        serials
          .filter((each) => accepted.has(each))
          .map((each) => checkHub(calls, hubCaller, context.organisation, each, context.language))
      )
      const unknown: CheckedHub[] = serials
        .filter((each) => !accepted.has(each))
        .map((each) => ({ sn: each, cause: 'unknown', offers: [] }))
      const releases = new Map(checked.flatMap((each) => each.releases.map((release) => [release.version, release])))
      return {
        hubs: [...checked.map(({ hub }): CheckedHub => hub), ...unknown],
        releases: [...releases.values()].sort((one, other) => compareReleaseVersions(other.version, one.version))
      }
    },
    async (_context, _scope, _request, answer) => answer
  )

/** Serial numbers of hubs in rollouts that have not ended. */
async function readBusyHubs(scope: Scope): Promise<Set<string>> {
  const rollouts = await scope.select('rollouts').select('id').where('ended', '=', 0).execute()
  if (rollouts.length >= ROLLOUTS_MAX) throw new CallError(TOO_MANY, { max: ROLLOUTS_MAX })
  const busy = new Set<string>()
  for (const { id } of rollouts)
    for (const { sn, state } of await readRolloutHubs(scope, id))
      if (state === 'waiting' || state === 'active') busy.add(sn)
  return busy
}

async function removeOldRollouts(scope: Scope): Promise<void> {
  const old = await scope
    .select('rollouts')
    .select('id')
    .where('ended', '>', 0)
    .orderBy('ended', 'desc')
    .offset(ROLLOUTS_KEPT - 1)
    .limit(1000)
    .execute()
  for (const { id } of old) await scope.delete('rollouts').where('id', '=', id).execute()
}

const startHandler = ({ store, now, wake }: RolloutParts): Handler =>
  handlePrepared(
    startRollout,
    async ({ organisation }) => {
      const id = randomInt(1, IDS)
      await addToQueue(store, { organisation, id })
      return id
    },
    async (context, scope, request, id) => {
      const caller = requireCaller(context)
      const { version } = request
      context.detail = version
      await scope.lock()
      const busy = await readBusyHubs(scope)
      const serials = [...new Set(request.sn)]
      const visible = await readVisibleHubs(scope, caller, serials)
      const hubs = new Map(
        visible.filter(({ state }) => state === REGISTRATION_STATE.accepted).map((hub) => [hub.sn, hub])
      )
      const details = serials.map((sn) => ({
        sn,
        result: !hubs.has(sn) ? NOT_EXIST : busy.has(sn) ? DEVICE_BUSY : SUCCESS
      }))
      const started = details.filter(({ result }) => result === SUCCESS)
      if (started.length === 0) throw new CallError(details[0]?.result ?? NOT_EXIST, { details })
      await removeOldRollouts(scope)
      const plan = { ...ROLLOUT_DEFAULTS, ...definedOf(request) }
      await scope
        .insert('rollouts', {
          ...{ id, version, user_id: caller.userId, user_name: caller.user.name, address: context.address },
          ...{ created: now(), approved: caller.authenticatedAt, ended: 0, state: 'running', cause: '' },
          ...{ first: plan.first, growth: plan.growth, wave_max: plan.wave, pause_minutes: plan['pause-minutes'] },
          ...{ stop_after: plan['stop-after'], interrupt: plan.interrupt ? 1 : 0, wave: 1, wave_ended: 0 },
          ...{ forgiven: 0, node: '', epoch: 0 }
        })
        .execute()
      for (const [position, { sn }] of started.entries()) {
        const hub = hubs.get(sn)
        await scope
          .insert('rollout_hubs', { ...NEW_HUB, rollout_id: id, sn, position, name: hub?.label || hub?.name || '' })
          .execute()
      }
      context.detail = `${version} ${started.map(({ sn }) => sn).join(' ')}`
      context.afterCommit(wake)
      return { id, details }
    }
  )

/** The fields of a request that are not absent. */
const definedOf = <Fields extends object>(fields: Fields) =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<
    typeof ROLLOUT_DEFAULTS
  >

const resumeHandler = ({ now, wake }: RolloutParts): Handler =>
  handle(resumeRollout, async (context, scope, { id }) => {
    const { user, userId, authenticatedAt } = requireCaller(context)
    const { hubs } = await requireChangeable(context, scope, id, ['paused', 'stopped'])
    const forgiven = hubs.filter(({ state }) => state === 'failed').length
    await scope
      .update('rollouts')
      .set({
        ...{ state: 'running', cause: '', forgiven, approved: Math.min(authenticatedAt, now()) },
        ...{ user_id: userId, user_name: user.name, address: context.address }
      })
      .where('id', '=', id)
      .execute()
    context.afterCommit(wake)
    return {}
  })

const cancelHandler = ({ now, wake }: RolloutParts): Handler =>
  handle(cancelRollout, async (context, scope, { id }) => {
    const { hubs } = await requireChangeable(context, scope, id, UNFINISHED)
    await scope
      .update('rollout_hubs')
      .set({ state: 'cancelled', changed: now(), ended: now() })
      .where('rollout_id', '=', id)
      .where('state', '=', 'waiting')
      .execute()
    // Otherwise it ends when the active hubs have finished.
    if (hubs.every(({ state }) => state !== 'active'))
      await scope.update('rollouts').set({ state: 'cancelled', cause: '', ended: now() }).where('id', '=', id).execute()
    context.afterCommit(wake)
    return {}
  })

export function rolloutHandlers(parts: RolloutParts): Handler[] {
  const { now } = parts
  return [
    checkHandler(parts),
    startHandler(parts),
    handle(listRollouts, async (context, scope, request) => {
      const isVisible = await readVisibility(context, scope)
      const rows = (await scope
        .select('rollouts')
        .selectAll()
        .orderBy('created', 'desc')
        .orderBy('id')
        .execute()) as RolloutRow[]
      const rollouts: VisibleRollout[] = []
      for (const row of rows) rollouts.push(await addHubs(scope, row, isVisible))
      const list = rollouts.filter(({ hubs }) => hubs.length > 0)
      return paginate(
        list.map((rollout) => serializeRollout(rollout, now())),
        request
      )
    }),
    handle(queryRollout, async (context, scope, { id }) => ({
      rollout: serializeRollout(await requireRollout(context, scope, id), now())
    })),
    handle(listRolloutHubs, async (context, scope, { id, ...request }) => {
      const { hubs } = await requireRollout(context, scope, id)
      const page = paginate(hubs, request)
      return { ...page, list: page.list.map((row) => serializeHub(row, context.language)) }
    }),
    handle(pauseRollout, async (context, scope, { id }) => {
      await requireChangeable(context, scope, id, ['running'])
      await scope.update('rollouts').set({ state: 'paused' }).where('id', '=', id).execute()
      return {}
    }),
    resumeHandler(parts),
    cancelHandler(parts),
    handle(deleteRollout, async (context, scope, { id }) => {
      await requireChangeable(context, scope, id, ['done', 'cancelled'])
      await scope.delete('rollouts').where('id', '=', id).execute()
      return {}
    })
  ]
}
