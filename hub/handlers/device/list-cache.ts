// Cache of device lists. Many consoles request the same list at the same time, and again whenever one of its devices
// has changed.
import { type DeviceListRequest, REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { fitsDevice } from '../../../contract/mwf.ts'
import { DIR_BOTH, DIR_INPUT, DIR_OUTPUT } from '../../../contract/stream/protocols.ts'
import { createNameMatcher } from '../../../contract/text/name-match.ts'
import type { Registry } from '../../devices/registry.ts'
import type { DeviceRow } from '../../store/devices.ts'
import { firmwareInfoOf, firmwareTargetOf } from '../../store/firmware.ts'
import type { Store } from '../../store/store.ts'
import { DeviceSorter } from './sort-order.ts'

/** Maximum number of cached lists. Each holds a reference to each of its rows. */
const LISTS_MAX = 64

/** A cached list is updated instead of built again if at most this share of all devices has changed. */
const UPDATE_MAX = 0.2

/** Registration states by the value of `reg-state` in a request. */
const REGISTRATION_STATES = {
  accepted: REGISTRATION_STATE.accepted,
  rejected: REGISTRATION_STATE.rejected,
  waiting: REGISTRATION_STATE.pending
} as const

interface CachedList {
  /** Revision of the change counter and version of the device table from which the list was built. */
  rev: number
  version: number
  rows: readonly DeviceRow[]
}

type DeviceFilter = (row: DeviceRow) => boolean

/** The part of the registry by which lists are filtered and sorted. */
type LiveRegistry = Pick<Registry, 'isOnline' | 'liveState'>

type DeviceStore = Pick<Store, 'devices' | 'changes' | 'firmware' | 'tags'>

function hasDirection(row: DeviceRow, dir: DeviceListRequest['dir']): boolean {
  if (dir === 'none') return (row.dir & DIR_BOTH) === 0
  if (dir === 'input') return (row.dir & DIR_INPUT) !== 0
  return dir !== 'output' || (row.dir & DIR_OUTPUT) !== 0
}

/**
 * Whether the device is online, is offline, or has warnings. `status` lists one or more of these, and one of them is
 * enough.
 */
function hasStatus(registry: LiveRegistry, row: DeviceRow, status: string): boolean {
  const live = registry.liveState(row.sn)
  return status.split(',').some((word) => {
    if (word === 'offline') return !live
    if (word === 'online') return live
    return (live?.observation?.warns ?? 0) !== 0
  })
}

/** The filter of a request. @param userId user whose favorites `is-favorite` refers to */
function createFilter(
  tags: Store['tags'],
  registry: LiveRegistry,
  request: DeviceListRequest,
  userId: number
): DeviceFilter {
  const { tag, catalog, module, dir, status, 'is-favorite': favorite, 'reg-state': state = 'accepted' } = request
  const matches = request.key ? createNameMatcher(request.key) : undefined
  return (row) => {
    if (row.reg_state !== REGISTRATION_STATES[state]) return false
    if (catalog !== undefined && row.catalog_id !== catalog) return false
    if (tag !== undefined && !tags.idsOf('device', row.id).includes(tag)) return false
    if (module && row.module !== module) return false
    if (!hasDirection(row, dir)) return false
    if (favorite !== undefined && ((row.is_favorite & userId) !== 0 ? 1 : 0) !== favorite) return false
    if (matches && !matches(row.sn) && !matches(row.name)) return false
    return !status || hasStatus(registry, row, status)
  }
}

class DeviceListCache {
  readonly #store: DeviceStore
  readonly #registry: LiveRegistry
  readonly #sorter: DeviceSorter
  /** By parameters, least recently used first. */
  readonly #lists = new Map<string, CachedList>()

  constructor(store: DeviceStore, registry: LiveRegistry) {
    this.#store = store
    this.#registry = registry
    this.#sorter = new DeviceSorter(registry)
  }

  list(request: DeviceListRequest, userId: number): readonly DeviceRow[] {
    const { devices, changes, tags } = this.#store
    const filter = createFilter(tags, this.#registry, request, userId)
    // Not cached: these lists depend on the firmware files, whose changes are not tracked here.
    if (request.firmware !== undefined || request.update)
      return this.#sorter.sort(this.#devicesForFirmware(request).filter(filter), request)
    const rev = changes.revOf('device')
    const key = this.#cacheKey(request, userId)
    const cached = this.#lists.get(key)
    this.#lists.delete(key)
    if (cached?.rev === rev && cached.version === devices.version) {
      this.#lists.set(key, cached)
      return cached.rows
    }
    const updated = cached && this.#update(cached, request, filter)
    const rows = updated ?? this.#sorter.sort(devices.all().filter(filter), request)
    this.#lists.set(key, { rev, version: devices.version, rows })
    if (this.#lists.size > LISTS_MAX) this.#lists.delete(this.#lists.keys().next().value ?? '')
    return rows
  }

  /** The user is part of the key only if the list depends on the user's favorites. */
  #cacheKey(request: DeviceListRequest, userId: number): string {
    const { 'reg-state': state, tag, catalog, module, dir, status, 'is-favorite': favorite, key, sort, order } = request
    const user = favorite === undefined ? 0 : userId
    return JSON.stringify([user, state, tag, catalog, module, dir, status, favorite, key, sort, order])
  }

  /** The devices that a firmware file fits, and with `update` only those for which there is a newer one. */
  #devicesForFirmware({ firmware: id, update }: DeviceListRequest): readonly DeviceRow[] {
    const { devices, firmware } = this.#store
    const rows = update ? devices.all().filter(firmware.updateFor) : devices.all()
    if (id === undefined) return rows
    const file = firmware.byId(id)
    if (!file) return []
    const info = firmwareInfoOf(file)
    return rows.filter((row) => fitsDevice(info, firmwareTargetOf(row)))
  }

  /**
   * The cached list with the changed devices replaced; undefined if too many have changed or the changes are not known.
   */
  #update(cached: CachedList, request: DeviceListRequest, filter: DeviceFilter): readonly DeviceRow[] | undefined {
    const { devices, changes } = this.#store
    const delta = changes.changesSince('device', cached.rev)
    const changed = devices.changedSince(cached.version)
    if (!delta || !changed) return undefined
    const ids = new Set([...delta.changed, ...delta.removed, ...changed])
    if (ids.size > devices.all().length * UPDATE_MAX) return undefined
    const added = [...ids]
      .map((id) => devices.byId(id))
      .filter((row) => row !== undefined && filter(row)) as DeviceRow[]
    const unchanged = cached.rows.filter(({ id }) => !ids.has(id))
    return this.#sorter.insert(unchanged, added, request)
  }
}

/**
 * Creates a cache of device lists.
 * @returns a function that returns the requested devices, sorted, whether or not the caller may see them. Its second
 * parameter is the user whose favorites `is-favorite` refers to.
 */
export function createDeviceListCache(store: DeviceStore, registry: LiveRegistry) {
  const cache = new DeviceListCache(store, registry)
  return (request: DeviceListRequest, userId: number): readonly DeviceRow[] => cache.list(request, userId)
}
