// Device groups and devices after an import. A device of this hub is recognized by its serial number.
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { REPORTED_COLUMNS } from '../store/devices.ts'
import type { Merge } from './merge-state.ts'
import type { MaskMap } from './merge-users.ts'
import type { Row } from './tables.ts'

/**
 * Translates node IDs of devices of this hub, and of the export, into those after the import; undefined if the device
 * is not there.
 */
export interface DeviceMap {
  local(id: number): number | undefined
  imported(id: number): number | undefined
}

/** Columns in which a device of this hub is newer than any export: what it reports, and its key. */
const REPORTED = ['name', ...REPORTED_COLUMNS] as const

export function mergeDevices(merge: Merge, masks: MaskMap): DeviceMap {
  const { result, local, imported } = merge
  const isImported = merge.parts.has('devices')
  const origin = isImported ? imported : local
  result.catalog = merge.rows('catalog', 'devices').map((row) => masks.map('catalog', row, 'group_mask', 'usr_mask'))
  const newIds = newNodeIds(merge, origin.device)
  result.device = merge.rows('device', 'devices').map((row) => {
    const device = masks.map('device', row, 'group_mask', 'usr_mask', 'is_favorite')
    return { ...(isImported ? completeDevice(merge, device) : device), id: newIds.get(Number(row.id)) as number }
  })
  for (const table of ['device_config', 'device_address'] as const)
    result[table] = merge.rows(table, 'devices').map((row) => ({
      ...(table === 'device_address' && isImported ? completeLogin(merge, row) : row),
      device_id: newIds.get(Number(row.device_id)) as number
    }))
  const bySerial = new Map(result.device.map(({ sn, id }) => [sn, Number(id)]))
  const mapFrom = (rows: readonly Row[]) => {
    const serials = new Map(rows.map(({ id, sn }) => [Number(id), sn]))
    return (id: number) => bySerial.get(serials.get(id) as string)
  }
  return { local: mapFrom(local.device), imported: mapFrom(imported.device) }
}

/** IDs of the devices that do not collide with inputs and outputs, which are numbered together with them. */
function newNodeIds(merge: Merge, devices: readonly Row[]): Map<number, number> {
  const streams = merge.parts.has('streams') ? merge.imported : merge.local
  const used = new Set([...streams.input, ...streams.output].map(({ id }) => Number(id)))
  const all = [merge.local, merge.imported].flatMap(({ device, input, output }) => [...device, ...input, ...output])
  let next = Math.max(1000, ...all.map(({ id }) => Number(id))) + 1
  return new Map(devices.map(({ id }) => [Number(id), used.has(Number(id)) ? next++ : Number(id)]))
}

function completeDevice(merge: Merge, device: Row): Row {
  const own = merge.localDevice(device.sn)
  if (own) return { ...device, ...Object.fromEntries(REPORTED.map((column) => [column, own[column] as string])) }
  if (!merge.isWithheld('device', device)) return device
  // Without its key the hub cannot verify that a device with this serial number is the same one.
  if (device.reg_state === REGISTRATION_STATE.accepted) {
    merge.note('device', String(device.name))
    return { ...device, reg_state: REGISTRATION_STATE.pending }
  }
  return device
}

/** The login of a device stays if its address does, so that it is not sent to another one. */
function completeLogin(merge: Merge, address: Row): Row {
  if (!merge.isWithheld('device_address', address)) return address
  const { local, imported } = merge
  const device = imported.device.find(({ id }) => id === address.device_id)
  const own = merge.localDevice(device?.sn)
  const login = local.device_address.find(({ device_id: id }) => id === own?.id)
  const isSame = login && (['address', 'port', 'https', 'cert'] as const).every((name) => login[name] === address[name])
  if (isSame) return { ...address, secret: login.secret as string }
  merge.note('login', String(device?.name))
  return address
}
