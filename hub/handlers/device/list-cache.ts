// Lists of devices as consoles ask for them: many ask for the same one at the same time, and again when one device of it changed.
import { type DeviceListRequest, REGISTRATION } from '../../../contract/device/device.ts'
import { fitsDevice } from '../../../contract/mwf.ts'
import { DIR_BOTH, DIR_INPUT, DIR_OUTPUT } from '../../../contract/stream/protocols.ts'
import type { Registry } from '../../devices/registry.ts'
import type { DeviceRow } from '../../store/devices.ts'
import { type FirmwareRow, infoOf } from '../../store/firmware.ts'
import type { Store } from '../../store/store.ts'
import { createDeviceOrder } from './sort-order.ts'

/** Lists kept. Each holds a reference to each of its rows. */
const KEPT_MAX = 64
/** Share of all devices that may have changed for a list to be taken as it was but for them. */
const FEW = 0.2

const STATE_OF_WORD = {
  accepted: REGISTRATION.accepted,
  rejected: REGISTRATION.rejected,
  waiting: REGISTRATION.pending
} as const

interface Kept {
  /** What it was made of. */
  rev: number
  version: number
  rows: readonly DeviceRow[]
}

/** What the registry knows that lists are filtered and sorted by. */
type Live = Pick<Registry, 'online' | 'live'>

export function createDeviceLists(store: Pick<Store, 'devices' | 'changes' | 'firmware'>, registry: Live) {
  const { devices, changes, firmware } = store
  const order = createDeviceOrder(registry)
  /** The one asked for last comes last. */
  const kept = new Map<string, Kept>()

  function matches(row: DeviceRow, request: DeviceListRequest, key: string | undefined, userId: number): boolean {
    const { catalog, module, dir, status } = request
    if (row.reg_state !== STATE_OF_WORD[request['reg-state'] ?? 'accepted']) return false
    if (catalog !== undefined && row.catalog_id !== catalog) return false
    if (module && row.module !== module) return false
    if (dir === 'none' && (row.dir & DIR_BOTH) !== 0) return false
    if (dir === 'input' && (row.dir & DIR_INPUT) === 0) return false
    if (dir === 'output' && (row.dir & DIR_OUTPUT) === 0) return false
    if (request['is-favorite'] !== undefined && ((row.is_favorite & userId) !== 0 ? 1 : 0) !== request['is-favorite'])
      return false
    if (key && !`${row.sn}\n${row.name}`.toLowerCase().includes(key)) return false
    if (!status) return true
    // Several words widen the list: a device with any of them is in it.
    const live = registry.live(row.sn)
    return status
      .split(',')
      .some((word) => (word === 'offline' ? !live : word === 'online' ? live : (live?.observed?.warns ?? 0) !== 0))
  }

  /** The rows that a firmware is for; all where none is asked for. */
  function fitting(rows: readonly DeviceRow[], id: number | undefined): readonly DeviceRow[] {
    if (id === undefined) return rows
    const file: FirmwareRow | undefined = firmware.byId(id)
    if (!file) return []
    const info = infoOf(file)
    return rows.filter((row) =>
      fitsDevice(info, {
        'product-id': row.product_id,
        'module-name': row.module_name,
        'hardware-ver': row.hardware_ver
      })
    )
  }

  /** The list as it was with what changed since put in anew; undefined where too much did, or nobody can tell what. */
  function again(before: Kept, request: DeviceListRequest, fits: (row: DeviceRow) => boolean) {
    const difference = changes.since('device', before.rev)
    const touched = devices.touchedSince(before.version)
    if (!difference || !touched) return undefined
    const ids = new Set([...difference.changed, ...difference.gone, ...touched])
    if (ids.size > devices.all().length * FEW) return undefined
    const others = [...ids].map(devices.byId).filter((row) => row !== undefined && fits(row)) as DeviceRow[]
    const rest = before.rows.filter(({ id }) => !ids.has(id))
    return order.putIn(rest, others, request)
  }

  /**
   * The devices that a request asks for, in its order, whoever may see them.
   * @param userId whose favourites are meant
   */
  return (request: DeviceListRequest, userId: number): readonly DeviceRow[] => {
    const { 'reg-state': state, catalog, module, dir, status, 'is-favorite': favorite, key } = request
    const { firmware: file, sort, order: direction } = request
    const small = key?.toLowerCase()
    const fits = (row: DeviceRow) => matches(row, request, small, userId)
    // Which devices a file is for changes with the files, of which nothing is told here.
    if (file !== undefined) return order.sorted(fitting(devices.all(), file).filter(fits), request)
    const whose = favorite === undefined ? 0 : userId
    const name = JSON.stringify([whose, state, catalog, module, dir, status, favorite, key, sort, direction])
    const rev = changes.revOf('device')
    const before = kept.get(name)
    kept.delete(name)
    if (before?.rev === rev && before.version === devices.version) {
      kept.set(name, before)
      return before.rows
    }
    const rows = (before && again(before, request, fits)) ?? order.sorted(devices.all().filter(fits), request)
    kept.set(name, { rev, version: devices.version, rows })
    if (kept.size > KEPT_MAX) kept.delete(kept.keys().next().value ?? '')
    return rows
  }
}
