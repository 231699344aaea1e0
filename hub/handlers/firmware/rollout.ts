// Handlers that start and control rollouts, which install a firmware on several devices in waves.
import {
  DATA_LOSS,
  DEVICE_BUSY,
  DEVICE_LOST,
  DEVICE_TYPE_ERROR,
  NOT_EXIST,
  SUCCESS,
  UNSUPPORTED,
  WRONG_STATE
} from '../../../contract/codes.ts'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { isInteractive } from '../../../contract/device/families.ts'
import { compareVersions, formatVersion } from '../../../contract/mwf.ts'
import {
  cancelRollout,
  DEVICE_UPDATE_STATE,
  deleteRollout,
  pauseRollout,
  type RolloutPlan,
  resumeRollout,
  retryRollout,
  startRollout,
  type UpgradeRequest,
  upgradeDevices
} from '../../../contract/rollout.ts'
import { compatibleWith } from '../../../contract/rules/file.ts'
import type { Gate } from '../../auth/gate.ts'
import { upgradeAdapterOf } from '../../devices/adapters/upgrade.ts'
import type { Registry } from '../../devices/registry.ts'
import type { FirmwareServices } from '../../firmware/firmware.ts'
import { CallError, type Context, type Handler, handleChange, interrupting, requireCaller } from '../../http/handler.ts'
import { type DeviceRow, modelOf } from '../../store/devices.ts'
import { type FirmwareRow, firmwareInfoOf } from '../../store/firmware.ts'
import type { RolloutDeviceRow, RolloutRow } from '../../store/rollouts.ts'
import type { Store } from '../../store/store.ts'
import { forEachDevice, visibleSerials } from '../device/bulk.ts'
import {
  handleListRolloutDevices,
  handleListRollouts,
  handleQueryRollout,
  requireManageableRollout
} from './rollout-view.ts'

interface FirmwareRolloutParts {
  store: Store
  gate: Gate
  registry: Registry
  firmware: FirmwareServices
}

/** Default plan: a single device is updated first, and the first failure stops the rollout. */
const DEFAULT_PLAN = { first: 1, wave: 10, 'stop-after': 1 } as const

/** Characters of a log detail that lists devices. */
const DETAIL_MAX = 1000

/**
 * Result code that tells why a device cannot be updated, or SUCCESS.
 * @param force allows a lower version than the installed one
 */
function checkUpdate(
  { registry, store }: { store: Store; registry: Registry },
  row: DeviceRow,
  file: FirmwareRow,
  force: boolean | undefined
): number {
  const info = firmwareInfoOf(file)
  if (row.reg_state !== REGISTRATION_STATE.accepted) return WRONG_STATE
  const device = {
    'product-id': row.product_id,
    'module-name': row.module_name,
    'hardware-ver': row.hardware_ver
  }
  if (compatibleWith(device)(info)) return DEVICE_TYPE_ERROR
  if (!isInteractive(modelOf(row)) || !upgradeAdapterOf(row.api)) return UNSUPPORTED
  if (!registry.isOnline(row.sn)) return DEVICE_LOST
  if (store.rollouts.isDeviceBusy(row.sn)) return DEVICE_BUSY
  // The same version can be installed again, as a repair.
  if (!force && compareVersions(formatVersion(info), row.firmware_ver) < 0) return DATA_LOSS
  return SUCCESS
}

/** Adds a rollout, which starts after the commit. */
function addRollout(
  parts: FirmwareRolloutParts,
  context: Context,
  request: UpgradeRequest,
  plan: Required<RolloutPlan>
) {
  const { store, firmware } = parts
  const file = store.firmware.byId(request['firmware-id'])
  if (!file) throw new CallError(NOT_EXIST)
  const version = formatVersion(firmwareInfoOf(file))
  const devices: { sn: string; version: string }[] = []
  const { details } = forEachDevice(parts, context, request.sn, (row) => {
    const result = checkUpdate(parts, row, file, request.force)
    if (result === SUCCESS) devices.push({ sn: row.sn, version: row.firmware_ver })
    return result
  })
  context.detail = `${file.product_name} ${version}: ${context.detail}`.slice(0, DETAIL_MAX)
  const row = {
    firmware_id: file.id,
    product_name: file.product_name,
    hardware_ver: file.hardware_ver,
    version,
    test: file.test,
    user: requireCaller(context).user.name,
    first: plan.first,
    wave: plan.wave,
    stop_after: plan['stop-after'],
    created: Date.now()
  }
  const id = store.rollouts.add(row, devices)
  context.objects.push(`rollout:${id}`)
  context.afterCommit(() => firmware.rollouts.resumeRollout(id))
  return { details, id }
}

/** A device restarts with its new firmware. */
const restartsOf = (parts: FirmwareRolloutParts) => ({
  find: (context: Context, { sn }: { sn: readonly string[] }) => ({
    kind: 'devices' as const,
    serials: visibleSerials(parts, context, sn)
  })
})

/** The devices of a rollout that wait, or that failed and are tried again. */
const restartsOfRollout = ({ store }: FirmwareRolloutParts, states: readonly number[]) => ({
  find: (_context: Context, { id, sn }: { id: number; sn?: readonly string[] | undefined }) => ({
    kind: 'devices' as const,
    serials: store.rollouts
      .devices(id)
      .filter((device) => states.includes(device.state) && (sn?.includes(device.sn) ?? true))
      .map((device) => device.sn)
  })
})

function handleUpgradeDevices(parts: FirmwareRolloutParts): Handler {
  const handler = handleChange(upgradeDevices, (context, request) =>
    addRollout(parts, context, request, { first: 0, wave: request.sn.length, 'stop-after': 0 })
  )
  return interrupting(upgradeDevices, handler, restartsOf(parts))
}

function handleStartRollout(parts: FirmwareRolloutParts): Handler {
  const handler = handleChange(startRollout, (context, request) => {
    const {
      first = DEFAULT_PLAN.first,
      wave = DEFAULT_PLAN.wave,
      'stop-after': stopAfter = DEFAULT_PLAN['stop-after']
    } = request
    return addRollout(parts, context, request, { first, wave, 'stop-after': stopAfter })
  })
  return interrupting(startRollout, handler, restartsOf(parts))
}

function handlePauseRollout(parts: FirmwareRolloutParts): Handler {
  return handleChange(pauseRollout, (context, { id }) => {
    requireManageableRollout(parts, context, id, 'paused', 'stopped', 'done', 'cancelled')
    parts.store.rollouts.suspend(id, 'paused')
    return {}
  })
}

/** Sets a rollout to running. The failures so far do not count for `stop-after`. */
function setRunning({ store }: { store: Store }, id: number): void {
  store.rollouts.setState(id, 'running', 0)
  store.rollouts.ignoreFailures(id, store.rollouts.counts(id).failed)
}

function handleResumeRollout(parts: FirmwareRolloutParts): Handler {
  const handler = handleChange(resumeRollout, (context, { id }) => {
    requireManageableRollout(parts, context, id, 'running', 'done', 'cancelled')
    setRunning(parts, id)
    return {}
  })
  return interrupting(resumeRollout, handler, restartsOfRollout(parts, [DEVICE_UPDATE_STATE.waiting]))
}

function handleCancelRollout(parts: FirmwareRolloutParts): Handler {
  return handleChange(cancelRollout, (context, { id }) => {
    requireManageableRollout(parts, context, id, 'done', 'cancelled')
    parts.store.rollouts.cancelWaiting(id, Date.now())
    return {}
  })
}

/** Puts a failed device of a rollout back into the queue. Returns a result code. */
function retryDevice(
  { store }: { store: Store },
  rollout: RolloutRow,
  device: DeviceRow,
  failed: readonly RolloutDeviceRow[]
): number {
  const previous = failed.find(({ sn }) => sn === device.sn)
  if (!previous) return WRONG_STATE
  if (store.rollouts.isDeviceBusy(device.sn)) return DEVICE_BUSY
  // A downgrade was allowed only for the version that the device had then, and the device has another version now.
  const hasOtherVersion = device.firmware_ver !== previous.from_ver
  if (hasOtherVersion && compareVersions(rollout.version, device.firmware_ver) < 0) return DATA_LOSS
  store.rollouts.requeueDevice(rollout.id, device.sn)
  return SUCCESS
}

function handleRetryRollout(parts: FirmwareRolloutParts): Handler {
  const { store } = parts
  const handler = handleChange(retryRollout, (context, { id, sn }) => {
    const rollout = requireManageableRollout(parts, context, id)
    if (!store.firmware.byId(rollout.firmware_id)) throw new CallError(NOT_EXIST)
    const failed = store.rollouts.devices(id).filter(({ state }) => state === DEVICE_UPDATE_STATE.failed)
    const serials = sn ?? failed.map((device) => device.sn)
    if (serials.length === 0) throw new CallError(WRONG_STATE)
    const { detail } = context
    const reply = forEachDevice(parts, context, serials, (device) => retryDevice(parts, rollout, device, failed))
    context.detail = `${detail}: ${context.detail}`.slice(0, DETAIL_MAX)
    setRunning(parts, id)
    return reply
  })
  return interrupting(retryRollout, handler, restartsOfRollout(parts, [DEVICE_UPDATE_STATE.failed]))
}

function handleDeleteRollout(parts: FirmwareRolloutParts): Handler {
  const { store } = parts
  return handleChange(deleteRollout, (context, { id }) => {
    requireManageableRollout(parts, context, id, 'running', 'paused', 'stopped')
    store.rollouts.remove(id)
    context.afterCommit(() => store.changes.markRemoved('rollout', id))
    return {}
  })
}

export function rolloutHandlers(parts: FirmwareRolloutParts): Handler[] {
  return [
    handleUpgradeDevices(parts),
    handleStartRollout(parts),
    handleListRollouts(parts),
    handleQueryRollout(parts),
    handleListRolloutDevices(parts),
    handlePauseRollout(parts),
    handleResumeRollout(parts),
    handleCancelRollout(parts),
    handleRetryRollout(parts),
    handleDeleteRollout(parts)
  ]
}
