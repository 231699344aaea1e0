import {
  CANCELED,
  DATA_LOSS,
  DEVICE_BUSY,
  DEVICE_LOST,
  DEVICE_TYPE_ERROR,
  NOT_EXIST,
  NOT_PERMITTED,
  SUCCESS,
  UNSUPPORTED,
  WRONG_STATE
} from '../../contract/codes.ts'
import { REGISTRATION } from '../../contract/device.ts'
import {
  cancelRollout,
  deleteRollout,
  listRolloutDevices,
  listRollouts,
  pauseRollout,
  queryRollout,
  type Rollout,
  type RolloutDevice,
  type RolloutPlan,
  resumeRollout,
  retryRollout,
  startRollout,
  UPDATE,
  type UpgradeRequest,
  upgradeDevices
} from '../../contract/firmware.ts'
import { compareVersions, fitsDevice, versionText } from '../../contract/mwf.ts'
import { type Answer, answer, type Context, change, Refusal, signedIn } from '../answer.ts'
import { UPGRADES } from '../devices/adapters/upgrade.ts'
import type { Caller } from '../gate.ts'
import type { Hub } from '../parts.ts'
import type { DeviceRow } from '../store/devices.ts'
import { type FirmwareRow, infoOf } from '../store/firmware.ts'
import type { RolloutDeviceRow, RolloutRow } from '../store/rollouts.ts'
import { eachDevice } from './each-device.ts'
import { pageSince } from './list.ts'

/** A careful plan: one device shows whether it goes well, and the first failure stops it. */
const PLAN = { first: 1, wave: 10, 'stop-after': 1 } as const

export function rolloutAnswers(hub: Hub): Answer[] {
  const { store, gate, registry, firmware } = hub
  const { rollouts } = store

  /** Why a device cannot be updated; `SUCCESS` where it can. */
  function obstacle(row: DeviceRow, file: FirmwareRow, force: boolean | undefined): number {
    const info = infoOf(file)
    if (row.reg_state !== REGISTRATION.accepted) return WRONG_STATE
    const device = {
      'product-id': row.product_id,
      'module-name': row.module_name,
      'hardware-ver': row.hardware_ver
    }
    if (!fitsDevice(info, device)) return DEVICE_TYPE_ERROR
    if (!UPGRADES[row.api]) return UNSUPPORTED
    if (!registry.online(row.sn)) return DEVICE_LOST
    if (rollouts.busy(row.sn)) return DEVICE_BUSY
    // The same version may be installed anew: that is a repair.
    if (!force && compareVersions(versionText(info), row.firmware_ver) < 0) return DATA_LOSS
    return SUCCESS
  }

  function begin(context: Context, request: UpgradeRequest, plan: Required<RolloutPlan>) {
    const file = store.firmware.byId(request['firmware-id'])
    if (!file) throw new Refusal(NOT_EXIST)
    const version = versionText(infoOf(file))
    const devices: { sn: string; version: string }[] = []
    const { details } = eachDevice(hub, context, request.sn, (row) => {
      const result = obstacle(row, file, request.force)
      if (result === SUCCESS) devices.push({ sn: row.sn, version: row.firmware_ver })
      return result
    })
    context.detail = `${file.product_name} ${version}: ${context.detail}`.slice(0, 1000)
    const row = {
      firmware_id: file.id,
      product_name: file.product_name,
      hardware_ver: file.hardware_ver,
      version,
      test: file.test,
      user: signedIn(context).user.name,
      first: plan.first,
      wave: plan.wave,
      stop_after: plan['stop-after'],
      created: Date.now()
    }
    const id = rollouts.add(row, devices)
    context.objects.push(`rollout:${id}`)
    context.after(() => firmware.rollouts.advance(id))
    return { details, id }
  }

  /** Whether the caller may know of a device of a rollout; of one that is gone only who sees all. */
  function sightOf(caller: Caller): (sn: string) => boolean {
    const serials = gate.visibleSerials(caller)
    return (sn) => !serials || serials.has(sn)
  }

  function seenDevices(caller: Caller, row: RolloutRow, visible = sightOf(caller)): RolloutDeviceRow[] {
    return rollouts.devices(row.id).filter(({ sn }) => visible(sn))
  }

  function wire(row: RolloutRow, devices: readonly RolloutDeviceRow[]): Rollout {
    const count = (match: (device: RolloutDeviceRow) => boolean) => devices.filter(match).length
    const cancelled = count(({ state, reason }) => state === UPDATE.failed && reason === CANCELED)
    return {
      id: row.id,
      'firmware-id': row.firmware_id,
      'product-name': row.product_name,
      'hardware-ver': row.hardware_ver,
      version: row.version,
      test: row.test,
      state: row.state,
      user: row.user,
      created: row.created,
      ended: row.ended,
      first: row.first,
      wave: row.wave,
      'stop-after': row.stop_after,
      total: devices.length,
      waiting: count(({ state }) => state === UPDATE.waiting),
      active: count(({ state }) => state > UPDATE.waiting),
      done: count(({ state }) => state === UPDATE.idle),
      failed: count(({ state }) => state === UPDATE.failed) - cancelled,
      cancelled
    }
  }

  function deviceWire(one: RolloutDeviceRow): RolloutDevice {
    const row = store.devices.bySerial(one.sn)
    return {
      sn: one.sn,
      name: row?.name ?? one.sn,
      from: one.from_ver,
      'firmware-ver': row?.firmware_ver ?? '',
      state: one.state,
      progress: one.state === UPDATE.idle ? 100 : firmware.rollouts.percent(one.rollout_id, one.sn),
      wave: one.wave,
      started: one.started,
      ended: one.ended,
      ...(one.state === UPDATE.failed && { reason: one.reason })
    }
  }

  /** A rollout that the caller may know of, with what he sees of it. */
  function known(context: Context, id: number): { row: RolloutRow; devices: RolloutDeviceRow[] } {
    const row = rollouts.byId(id)
    const devices = row ? seenDevices(signedIn(context), row) : []
    if (!row || devices.length === 0) throw new Refusal(NOT_EXIST)
    return { row, devices }
  }

  /** A rollout that the caller may decide on: all of its devices are his to see. */
  function own(context: Context, id: number, ...not: RolloutRow['state'][]): RolloutRow {
    context.objects.push(`rollout:${id}`)
    const { row, devices } = known(context, id)
    context.detail = `${row.product_name} ${row.version}`
    if (devices.length !== rollouts.devices(id).length) throw new Refusal(NOT_PERMITTED)
    if (not.includes(row.state)) throw new Refusal(WRONG_STATE)
    context.after(() => firmware.rollouts.advance(id))
    return row
  }

  return [
    change(upgradeDevices, (context, request) =>
      begin(context, request, { first: 0, wave: request.sn.length, 'stop-after': 0 })
    ),
    change(startRollout, (context, request) => {
      const { first = PLAN.first, wave = PLAN.wave, 'stop-after': stopAfter = PLAN['stop-after'] } = request
      return begin(context, request, { first, wave, 'stop-after': stopAfter })
    }),
    answer(listRollouts, (context, request) => {
      const caller = signedIn(context)
      const visible = sightOf(caller)
      const devices = new Map<number, RolloutDeviceRow[]>()
      const rows = rollouts.all().filter((row) => {
        const seen = seenDevices(caller, row, visible)
        devices.set(row.id, seen)
        return seen.length > 0
      })
      return pageSince(store.changes, 'rollout', request, rows, (row) => wire(row, devices.get(row.id) ?? []))
    }),
    answer(queryRollout, (context, { id }) => {
      const { row, devices } = known(context, id)
      return { rollout: wire(row, devices) }
    }),
    answer(listRolloutDevices, (context, { id, since, ...page }) => {
      const { row, devices } = known(context, id)
      const changed = since === undefined || (store.changes.since('rollout', since)?.changed.has(row.id) ?? true)
      const { start = 0, count = devices.length } = page
      return {
        start,
        total: devices.length,
        list: changed ? devices.slice(start, start + count).map(deviceWire) : [],
        rev: store.changes.rev,
        ...(!changed && { partial: true })
      }
    }),
    change(pauseRollout, (context, { id }) => {
      own(context, id, 'paused', 'stopped', 'done', 'cancelled')
      rollouts.hold(id, 'paused')
      return {}
    }),
    change(resumeRollout, (context, { id }) => {
      own(context, id, 'running', 'done', 'cancelled')
      rollouts.setState(id, 'running', 0)
      rollouts.forgive(id, rollouts.failures(id))
      return {}
    }),
    change(cancelRollout, (context, { id }) => {
      own(context, id, 'done', 'cancelled')
      rollouts.cancelWaiting(id, Date.now())
      return {}
    }),
    change(retryRollout, (context, { id, sn }) => {
      const row = own(context, id)
      if (!store.firmware.byId(row.firmware_id)) throw new Refusal(NOT_EXIST)
      const failed = rollouts.devices(id).filter(({ state }) => state === UPDATE.failed)
      const serials = sn ?? failed.map((device) => device.sn)
      if (serials.length === 0) throw new Refusal(WRONG_STATE)
      const { detail } = context
      const reply = eachDevice(hub, context, serials, (device) => {
        if (!failed.some((one) => one.sn === device.sn)) return WRONG_STATE
        if (rollouts.busy(device.sn)) return DEVICE_BUSY
        rollouts.waitAgain(id, device.sn)
        return SUCCESS
      })
      context.detail = `${detail}: ${context.detail}`.slice(0, 1000)
      rollouts.setState(id, 'running', 0)
      rollouts.forgive(id, rollouts.failures(id))
      return reply
    }),
    change(deleteRollout, (context, { id }) => {
      own(context, id, 'running', 'paused', 'stopped')
      rollouts.remove(id)
      context.after(() => store.changes.gone('rollout', id))
      return {}
    })
  ]
}
