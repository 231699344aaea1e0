// Rollouts as a caller sees them: only the devices that the caller may see are listed and counted.
import { CANCELED, NOT_EXIST, NOT_PERMITTED, WRONG_STATE } from '../../../contract/codes.ts'
import {
  DEVICE_UPDATE_STATE,
  listRolloutDevices,
  listRollouts,
  queryRollout,
  type Rollout,
  type RolloutDevice
} from '../../../contract/rollout.ts'
import type { Gate } from '../../auth/gate.ts'
import type { FirmwareServices } from '../../firmware/firmware.ts'
import { CallError, type Context, type Handler, handle, requireCaller } from '../../http/handler.ts'
import { deviceUpdateStatus, rolloutStatus } from '../../messages/firmware.ts'
import type { Language } from '../../messages/language.ts'
import type { RolloutCounts, RolloutDeviceRow, RolloutRow } from '../../store/rollouts.ts'
import type { Store } from '../../store/store.ts'
import { paginate, paginateSince } from '../list.ts'

interface FirmwareRolloutViewParts {
  store: Store
  gate: Gate
  firmware: FirmwareServices
}

const isFailed = ({ state, reason }: RolloutDeviceRow) => state === DEVICE_UPDATE_STATE.failed && reason !== CANCELED

/** Counts some devices of a rollout by state, as the store does for all of them. */
function countDevices(devices: readonly RolloutDeviceRow[]): RolloutCounts {
  const { failed, waiting, idle } = DEVICE_UPDATE_STATE
  const count = (match: (device: RolloutDeviceRow) => boolean) => devices.filter(match).length
  return {
    total: devices.length,
    waiting: count(({ state }) => state === waiting),
    active: count(({ state }) => state > waiting),
    done: count(({ state }) => state === idle),
    failed: count(isFailed),
    cancelled: count(({ state, reason }) => state === failed && reason === CANCELED),
    started: count(({ state, wave }) => state > waiting || (state === waiting && wave > 0))
  }
}

/**
 * Counts the devices of a rollout that the caller may see; undefined if there are none.
 * @param serials the devices that the caller may see; undefined for all
 */
function visibleCounts(
  { store }: { store: Store },
  row: RolloutRow,
  serials: ReadonlySet<string> | undefined
): RolloutCounts | undefined {
  const { rollouts } = store
  const counts = serials
    ? countDevices(rollouts.devices(row.id).filter(({ sn }) => serials.has(sn)))
    : rollouts.counts(row.id)
  return counts.total > 0 ? counts : undefined
}

/** @throws CallError 16 if there is no rollout with this id of which the caller may see a device */
function requireRollout(
  parts: { store: Store; gate: Gate },
  context: Context,
  id: number
): { row: RolloutRow; counts: RolloutCounts } {
  const row = parts.store.rollouts.byId(id)
  const counts = row && visibleCounts(parts, row, parts.gate.visibleSerials(requireCaller(context)))
  if (!row || !counts) throw new CallError(NOT_EXIST)
  return { row, counts }
}

/**
 * The rollout that a change is about. After the commit the rollout continues with its new state.
 * @param forbidden states in which the change is not possible
 * @throws CallError 16 if there is no such rollout, 31 if the caller may not see all of its devices, 38 in a forbidden
 * state
 */
export function requireManageableRollout(
  parts: FirmwareRolloutViewParts,
  context: Context,
  id: number,
  ...forbidden: RolloutRow['state'][]
): RolloutRow {
  context.objects.push(`rollout:${id}`)
  const { row, counts } = requireRollout(parts, context, id)
  context.detail = `${row.product_name} ${row.version}`
  if (counts.total !== parts.store.rollouts.counts(id).total) throw new CallError(NOT_PERMITTED)
  if (forbidden.includes(row.state)) throw new CallError(WRONG_STATE)
  context.afterCommit(() => parts.firmware.rollouts.resumeRollout(id))
  return row
}

function serializeRollout(language: Language, row: RolloutRow, { started: _, ...counts }: RolloutCounts): Rollout {
  return {
    id: row.id,
    'firmware-id': row.firmware_id,
    'product-name': row.product_name,
    'hardware-ver': row.hardware_ver,
    version: row.version,
    test: row.test,
    state: row.state,
    ...rolloutStatus(language, row.state, counts.failed),
    user: row.user,
    created: row.created,
    ended: row.ended,
    first: row.first,
    wave: row.wave,
    'stop-after': row.stop_after,
    ...counts
  }
}

function serializeDevice(
  { store, firmware }: { store: Store; firmware: FirmwareServices },
  language: Language,
  row: RolloutDeviceRow
): RolloutDevice {
  const device = store.devices.bySerial(row.sn)
  const { state, reason } = row
  const progress = state === DEVICE_UPDATE_STATE.idle ? 100 : firmware.rollouts.progressOf(row.rollout_id, row.sn)
  return {
    sn: row.sn,
    name: device?.name ?? row.sn,
    from: row.from_ver,
    'firmware-ver': device?.firmware_ver ?? '',
    state,
    progress,
    wave: row.wave,
    started: row.started,
    ended: row.ended,
    ...deviceUpdateStatus(language, { state, progress, reason }),
    ...(state === DEVICE_UPDATE_STATE.failed && { reason })
  }
}

export function handleListRollouts(parts: { store: Store; gate: Gate }): Handler {
  const { store, gate } = parts
  return handle(listRollouts, (context, request) => {
    const serials = gate.visibleSerials(requireCaller(context))
    const countsById = new Map<number, RolloutCounts>()
    const rows = store.rollouts.all().filter((row) => {
      const counts = visibleCounts(parts, row, serials)
      if (counts) countsById.set(row.id, counts)
      return counts !== undefined
    })
    return paginateSince(store.changes, 'rollout', request, rows, (row) =>
      serializeRollout(context.language, row, countsById.get(row.id) as RolloutCounts)
    )
  })
}

export function handleQueryRollout(parts: { store: Store; gate: Gate }): Handler {
  return handle(queryRollout, (context, { id }) => {
    const { row, counts } = requireRollout(parts, context, id)
    return { rollout: serializeRollout(context.language, row, counts) }
  })
}

export function handleListRolloutDevices(parts: FirmwareRolloutViewParts): Handler {
  const { store, gate } = parts
  return handle(listRolloutDevices, (context, { id, since, start = 0, count }) => {
    const { total } = requireRollout(parts, context, id).counts
    const isChanged = since === undefined || (store.changes.changesSince('rollout', since)?.changed.has(id) ?? true)
    const { rev } = store.changes
    if (!isChanged) return { start, total, list: [], rev, partial: true }
    const serials = gate.visibleSerials(requireCaller(context))
    const devices = store.rollouts.devices(id).filter(({ sn }) => !serials || serials.has(sn))
    // The failed devices come first, because there may be thousands of others.
    const sorted = devices.toSorted((a, b) => Number(isFailed(b)) - Number(isFailed(a)))
    const page = paginate(sorted, { start, count })
    return { ...page, list: page.list.map((row) => serializeDevice(parts, context.language, row)), rev }
  })
}
