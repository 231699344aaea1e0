// Handler that puts a device in the place of another one, such as a spare encoder in that of a broken one.
import { DEVICE_BUSY, INVALID_ARG, NOT_EXIST, OBJECT_BUSY, UNSUPPORTED, WRONG_STATE } from '../../../contract/codes.ts'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import {
  canRecordAndStream,
  deviceNameRule,
  hasConnectionConfig,
  isInteractive
} from '../../../contract/device/families.ts'
import { type SwapLoss, swapDevices } from '../../../contract/device/swap.ts'
import { DIR_INPUT, DIR_OUTPUT } from '../../../contract/stream/protocols.ts'
import type { Gate } from '../../auth/gate.ts'
import type { DeviceActions } from '../../devices/actions.ts'
import type { AddressedDevices } from '../../devices/address/addressed-devices.ts'
import type { Registry } from '../../devices/registry.ts'
import { CallError, type Context, callerTag, type Handler, handleChange, requireCaller } from '../../http/handler.ts'
import { type DeviceRow, modelOf } from '../../store/devices.ts'
import type { Store } from '../../store/store.ts'

interface SwapParts {
  store: Store
  gate: Gate
  registry: Registry
  actions: DeviceActions
  addressedDevices: AddressedDevices
  applyChannel: (id: number) => Promise<void>
  deviceStateChanged: (sn: string) => void
  permissionsChanged: () => void
}

/** Without these, a channel would have an input or an output that it cannot use. */
const NEEDED: readonly SwapLoss[] = ['input', 'output']

/** @throws CallError with the field if the device cannot be swapped */
function requireDevice({ store, gate }: SwapParts, context: Context, field: 'sn' | 'to-sn', sn: string): DeviceRow {
  context.objects.push(`device:${sn}`)
  const row = store.devices.bySerial(sn)
  if (!row || !gate.canSeeDevice(requireCaller(context), row)) throw new CallError(NOT_EXIST, { field })
  if (row.reg_state !== REGISTRATION_STATE.accepted) throw new CallError(WRONG_STATE, { field })
  if (store.rollouts.isDeviceBusy(sn)) throw new CallError(DEVICE_BUSY, { field })
  return row
}

const acceptsName = (row: DeviceRow, name: string) =>
  isInteractive(modelOf(row)) && deviceNameRule(row)(name, undefined) === undefined

/** What `other` cannot take over from the place of a device. */
function findLosses({ store, registry }: SwapParts, place: DeviceRow, other: DeviceRow): SwapLoss[] {
  const { channels, deviceConfigs } = store
  const before = modelOf(place)
  const after = modelOf(other)
  const losses: Record<SwapLoss, boolean> = {
    input: (other.dir & DIR_INPUT) === 0 && channels.byInput(place.id).length > 0,
    output: (other.dir & DIR_OUTPUT) === 0 && channels.deviceOutputOf(place.id) !== undefined,
    recording: canRecordAndStream(before) && !canRecordAndStream(after),
    connection: deviceConfigs.get(place.id) !== undefined && !hasConnectionConfig({ ...after, dir: other.dir }),
    picture: place.preview !== 0 && other.preview === 0,
    name: !acceptsName(other, place.name),
    offline: !registry.isOnline(other.sn)
  }
  return (Object.keys(losses) as SwapLoss[]).filter((loss) => losses[loss])
}

/**
 * Sets the name of a place on the device that has it now, which reports it to the hub. A device that is offline gets it
 * when it is back.
 */
function setName({ store, registry, actions }: SwapParts, context: Context, { name }: DeviceRow, device: DeviceRow) {
  const { sn } = device
  const isOnline = registry.isOnline(sn)
  const previousName = device.previous_name || device.name
  const mustChange = name !== previousName && acceptsName(device, name)
  store.devices.setPreviousName(sn, mustChange && !isOnline ? previousName : '')
  if (mustChange && isOnline) context.afterCommit(async () => void (await actions.rename(sn, name)))
}

/** Makes the parts of the hub use the new devices of the places. */
function applySwap(parts: SwapParts, context: Context, rows: readonly DeviceRow[]): void {
  const { store, addressedDevices, applyChannel, deviceStateChanged, permissionsChanged } = parts
  const ids = rows.flatMap(({ id }) => {
    const output = store.channels.deviceOutputOf(id)
    return [...store.channels.byInput(id).map((channel) => channel.id), ...(output ? [output.channel_id] : [])]
  })
  context.objects.push(...ids.map((id) => `channel:${id}`))
  context.afterCommit(() => {
    for (const { id, sn } of rows) {
      addressedDevices.moveDevice(sn)
      store.changes.markChanged('device', id)
    }
    for (const topic of ['channel', 'source', 'status'] as const) store.changes.markChanged(topic)
    permissionsChanged()
    for (const { sn } of rows) deviceStateChanged(sn)
  })
  for (const id of new Set(ids)) context.afterCommit(() => applyChannel(id))
}

export function deviceSwapHandlers(parts: SwapParts): Handler[] {
  const { store } = parts
  return [
    handleChange(swapDevices, (context, { sn, 'to-sn': otherSn, force = false }) => {
      context.detail = `${sn} → ${otherSn}`
      const place = requireDevice(parts, context, 'sn', sn)
      context.detail = `${place.name}: ${context.detail}`
      const other = requireDevice(parts, context, 'to-sn', otherSn)
      if (other.id === place.id) throw new CallError(INVALID_ARG, { field: 'to-sn' })
      const losses = findLosses(parts, place, other)
      const needed = [...losses, ...findLosses(parts, other, place)].filter((loss) => NEEDED.includes(loss))
      if (needed.length > 0) throw new CallError(UNSUPPORTED, { field: 'to-sn', losses: [...new Set(needed)] })
      if (losses.length > 0 && !force) throw new CallError(OBJECT_BUSY, { losses })
      store.devices.exchange(place, other)
      store.deviceAddresses.exchange(place.id, other.id)
      store.deviceStreams.exchange(place.id, other.id)
      for (const row of [place, other])
        store.logEvent({
          event: 'device-swapped',
          detail: `${row.name} (${row.sn}): ${callerTag(context)}`,
          sn: row.sn
        })
      applySwap(parts, context, [place, other])
      setName(parts, context, place, other)
      setName(parts, context, other, place)
      return { id: place.id }
    })
  ]
}
