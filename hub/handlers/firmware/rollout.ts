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
} from '../../../contract/codes.ts'
import { REGISTRATION } from '../../../contract/device/device.ts'
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
} from '../../../contract/firmware.ts'
import { compareVersions, fitsDevice, versionText } from '../../../contract/mwf.ts'
import type { Hub } from '../../context.ts'
import { UPGRADES } from '../../devices/adapters/upgrade.ts'
import { type Answer, answer, type Context, change, Refusal, signedIn } from '../../http/handler.ts'
import { rolloutStanding, updateStanding } from '../../messages/firmware.ts'
import type { Language } from '../../messages/language.ts'
import type { DeviceRow } from '../../store/devices.ts'
import { type FirmwareRow, infoOf } from '../../store/firmware.ts'
import type { RolloutDeviceRow, RolloutRow, Tally } from '../../store/rollouts.ts'
import { eachDevice } from '../device/bulk.ts'
import { pageOf, pageSince } from '../list.ts'

/** A careful plan: one device shows whether it goes well, and the first failure stops it. */
const PLAN = { first: 1, wave: 10, 'stop-after': 1 } as const

/** What the store's tally is of all devices, of some of them. */
function tallied(devices: readonly RolloutDeviceRow[]): Tally {
  const count = (match: (device: RolloutDeviceRow) => boolean) => devices.filter(match).length
  const cancelled = count(({ state, reason }) => state === UPDATE.failed && reason === CANCELED)
  return {
    total: devices.length,
    waiting: count(({ state }) => state === UPDATE.waiting),
    active: count(({ state }) => state > UPDATE.waiting),
    done: count(({ state }) => state === UPDATE.idle),
    failed: count(({ state }) => state === UPDATE.failed) - cancelled,
    cancelled,
    begun: count(({ state, wave }) => state > UPDATE.waiting || (state === UPDATE.waiting && wave > 0))
  }
}

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

  /** How the devices of a rollout stand that the caller may see; undefined where there are none. */
  function tallyOf(row: RolloutRow, serials: ReadonlySet<string> | undefined): Tally | undefined {
    const tally = serials
      ? tallied(rollouts.devices(row.id).filter(({ sn }) => serials.has(sn)))
      : rollouts.tally(row.id)
    return tally.total > 0 ? tally : undefined
  }

  function wire(language: Language, row: RolloutRow, { begun: _, ...counts }: Tally): Rollout {
    return {
      id: row.id,
      'firmware-id': row.firmware_id,
      'product-name': row.product_name,
      'hardware-ver': row.hardware_ver,
      version: row.version,
      test: row.test,
      state: row.state,
      ...rolloutStanding(language, row.state, counts.failed),
      user: row.user,
      created: row.created,
      ended: row.ended,
      first: row.first,
      wave: row.wave,
      'stop-after': row.stop_after,
      ...counts
    }
  }

  function deviceWire(language: Language, one: RolloutDeviceRow): RolloutDevice {
    const row = store.devices.bySerial(one.sn)
    const { state, reason } = one
    const progress = state === UPDATE.idle ? 100 : firmware.rollouts.percent(one.rollout_id, one.sn)
    return {
      sn: one.sn,
      name: row?.name ?? one.sn,
      from: one.from_ver,
      'firmware-ver': row?.firmware_ver ?? '',
      state,
      progress,
      wave: one.wave,
      started: one.started,
      ended: one.ended,
      ...updateStanding(language, { state, progress, reason }),
      ...(state === UPDATE.failed && { reason })
    }
  }

  /** A rollout of which the caller may see a device, and how those stand. */
  function known(context: Context, id: number): { row: RolloutRow; tally: Tally } {
    const row = rollouts.byId(id)
    const tally = row && tallyOf(row, gate.visibleSerials(signedIn(context)))
    if (!row || !tally) throw new Refusal(NOT_EXIST)
    return { row, tally }
  }

  /** A rollout that the caller may decide on: all of its devices are his to see. */
  function own(context: Context, id: number, ...not: RolloutRow['state'][]): RolloutRow {
    context.objects.push(`rollout:${id}`)
    const { row, tally } = known(context, id)
    context.detail = `${row.product_name} ${row.version}`
    if (tally.total !== rollouts.tally(id).total) throw new Refusal(NOT_PERMITTED)
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
      const serials = gate.visibleSerials(signedIn(context))
      const tallies = new Map<number, Tally>()
      const rows = rollouts.all().filter((row) => {
        const tally = tallyOf(row, serials)
        if (tally) tallies.set(row.id, tally)
        return tally !== undefined
      })
      return pageSince(store.changes, 'rollout', request, rows, (row) =>
        wire(context.language, row, tallies.get(row.id) as Tally)
      )
    }),
    answer(queryRollout, (context, { id }) => {
      const { row, tally } = known(context, id)
      return { rollout: wire(context.language, row, tally) }
    }),
    answer(listRolloutDevices, (context, { id, since, ...page }) => {
      const { total } = known(context, id).tally
      const { start = 0, count } = page
      const changed = since === undefined || (store.changes.since('rollout', since)?.changed.has(id) ?? true)
      const { rev } = store.changes
      if (!changed) return { start, total, list: [], rev, partial: true }
      const serials = gate.visibleSerials(signedIn(context))
      const devices = rollouts.devices(id).filter(({ sn }) => !serials || serials.has(sn))
      // What has failed is what one looks for, among thousands.
      const failed = ({ state, reason }: RolloutDeviceRow) => Number(state === UPDATE.failed && reason !== CANCELED)
      const shown = pageOf(
        devices.toSorted((a, b) => failed(b) - failed(a)),
        { start, count }
      )
      return { ...shown, list: shown.list.map((one) => deviceWire(context.language, one)), rev }
    }),
    change(pauseRollout, (context, { id }) => {
      own(context, id, 'paused', 'stopped', 'done', 'cancelled')
      rollouts.hold(id, 'paused')
      return {}
    }),
    change(resumeRollout, (context, { id }) => {
      own(context, id, 'running', 'done', 'cancelled')
      rollouts.setState(id, 'running', 0)
      rollouts.forgive(id, rollouts.tally(id).failed)
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
        const before = failed.find((one) => one.sn === device.sn)
        if (!before) return WRONG_STATE
        if (rollouts.busy(device.sn)) return DEVICE_BUSY
        // Whether it may go back to a lower version was decided of the one it had: since then it was given another.
        if (device.firmware_ver !== before.from_ver && compareVersions(row.version, device.firmware_ver) < 0)
          return DATA_LOSS
        rollouts.waitAgain(id, device.sn)
        return SUCCESS
      })
      context.detail = `${detail}: ${context.detail}`.slice(0, 1000)
      rollouts.setState(id, 'running', 0)
      rollouts.forgive(id, rollouts.tally(id).failed)
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
