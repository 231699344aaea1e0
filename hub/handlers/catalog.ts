// Handlers for catalogs, which are the groups of devices.

import { isPermitted } from '../../contract/access/permissions.ts'
import {
  addCatalog,
  type Catalog,
  deleteCatalog,
  listCatalogs,
  listDevicesWithCatalog,
  renameCatalog,
  setCatalog
} from '../../contract/catalog.ts'
import { NAME_EXISTS, NOT_EXIST, OBJECT_BUSY, TOO_MANY } from '../../contract/codes.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { CATALOG_DEPTH_MAX } from '../../contract/limits.ts'
import type { HubContext } from '../context.ts'
import { CallError, type Context, type Handler, handle, handleChange, requireCaller } from '../http/handler.ts'
import type { CatalogRow } from '../store/catalogs.ts'
import type { DeviceRow } from '../store/devices.ts'
import { createDeviceSerializer } from './device/response.ts'
import { createDeviceSorter } from './device/sort-order.ts'
import { compareText, paginate } from './list.ts'
import { describeAccess, validateMasks } from './user/visibility-masks.ts'

/** Characters of the log line that lists the devices moved to a catalog. */
const DETAIL_MAX = 1000

/** The catalogs and devices that one caller may see. */
class VisibleCatalogs {
  /** Sorted by name. */
  readonly rows: readonly CatalogRow[]
  readonly #hub: HubContext
  readonly #context: Context
  readonly #byId: ReadonlyMap<number, CatalogRow>
  readonly #isVisible: (id: number) => boolean
  readonly #maySetMasks: boolean
  /** Loaded when first needed: a response that lists no catalog does not need it. */
  #devices: Map<number, DeviceRow[]> | undefined

  constructor(hub: HubContext, context: Context) {
    const caller = requireCaller(context)
    const all = hub.store.catalogs.all()
    this.#hub = hub
    this.#context = context
    this.#byId = new Map(all.map((row) => [row.id, row]))
    this.#isVisible = hub.gate.catalogsVisibleTo(caller)
    this.#maySetMasks = isPermitted(setCatalog.access, caller.user)
    this.rows = all.filter((row) => this.#isVisible(row.id)).sort((a, b) => compareText(a.name, b.name))
  }

  /** The visible, accepted devices directly in a catalog. */
  devicesIn(id: number): DeviceRow[] {
    this.#devices ??= this.#loadDevices()
    return this.#devices.get(id) ?? []
  }

  serialize(row: CatalogRow): Catalog {
    const devices = this.devicesIn(row.id)
    return {
      id: row.id,
      name: row.name,
      'parent-id': this.#visibleParent(row),
      'create-time': row.created,
      'is-inherit': row.is_inherit,
      ...(this.#maySetMasks && { 'group-mask': row.group_mask, 'usr-mask': row.usr_mask }),
      'num-all': devices.length,
      'num-online': devices.filter(({ sn }) => this.#hub.registry.isOnline(sn)).length
    }
  }

  #loadDevices(): Map<number, DeviceRow[]> {
    const { gate, store } = this.#hub
    const isVisible = gate.devicesVisibleTo(requireCaller(this.#context))
    const rows = store.devices.all().filter((row) => row.reg_state === REGISTRATION_STATE.accepted && isVisible(row))
    return Map.groupBy(rows, (row) => row.catalog_id)
  }

  /** Id of the nearest visible ancestor; 0 if there is none. */
  #visibleParent({ parent_id: id }: CatalogRow): number {
    const parent = this.#byId.get(id)
    if (!parent) return 0
    return this.#isVisible(id) ? id : this.#visibleParent(parent)
  }
}

/** The entry, with id 0, for devices that are in no catalog. Its masks are the global defaults. */
function noCatalog({ store }: HubContext): CatalogRow {
  const { 'group-mask': groups, 'usr-mask': users } = store.settings.get('device-security')
  return { id: 0, parent_id: 0, name: '', created: 0, is_inherit: 0, group_mask: groups, usr_mask: users }
}

/** @throws CallError 16 if there is no catalog with this id */
function requireCatalog({ store }: HubContext, context: Context, id: number): CatalogRow {
  context.objects = [`catalog:${id}`]
  const row = store.catalogs.byId(id)
  if (!row) throw new CallError(NOT_EXIST)
  return row
}

/** Number of levels from the root to a catalog, inclusive; 0 if it does not exist. */
function depthOf(hub: HubContext, id: number): number {
  const row = hub.store.catalogs.byId(id)
  return row ? 1 + depthOf(hub, row.parent_id) : 0
}

/** @throws CallError 1003 if another catalog than `id` has this name */
function requireFreeName({ store }: HubContext, name: string, id?: number): void {
  const other = store.catalogs.byName(name)
  if (other && other.id !== id) throw new CallError(NAME_EXISTS, { field: 'name' })
}

function handleListCatalogs(hub: HubContext): Handler {
  const { store } = hub
  return handle(listCatalogs, (context, request) => {
    const { rev } = store.changes
    const visible = new VisibleCatalogs(hub, context)
    if (request.since !== undefined && store.changes.revs().catalog <= request.since)
      return { start: 0, total: visible.rows.length, list: [], rev, partial: true }
    const catalogs = visible.rows.map((row) => visible.serialize(row))
    return { ...paginate(catalogs, {}), rev }
  })
}

function handleListDevicesWithCatalog(hub: HubContext): Handler {
  const sorter = createDeviceSorter(hub.registry)
  return handle(listDevicesWithCatalog, (context, request) => {
    const visible = new VisibleCatalogs(hub, context)
    const requested = request.catalogs?.split(',').map(Number)
    const rows = [noCatalog(hub), ...visible.rows].filter(({ id }) => !requested || requested.includes(id))
    const page = paginate(rows, request)
    const serializeDevice = createDeviceSerializer(hub, context, false)
    const devicePage = { start: request['dev-start'], count: request['dev-count'] }
    const list = page.list.map((row) => ({
      ...visible.serialize(row),
      list: paginate(sorter.sort(visible.devicesIn(row.id)), devicePage).list.map(serializeDevice)
    }))
    return { ...page, list }
  })
}

function handleAddCatalog(hub: HubContext): Handler {
  const { catalogs, changes } = hub.store
  return handleChange(addCatalog, (context, { 'parent-id': parent, name }) => {
    context.detail = name
    if (parent !== 0) requireCatalog(hub, context, parent)
    if (depthOf(hub, parent) >= CATALOG_DEPTH_MAX) throw new CallError(TOO_MANY, { max: CATALOG_DEPTH_MAX })
    requireFreeName(hub, name)
    const id = catalogs.add(parent, name, Date.now())
    context.objects = [`catalog:${id}`]
    context.afterCommit(() => changes.markChanged('catalog'))
    return { id }
  })
}

function handleRenameCatalog(hub: HubContext): Handler {
  const { catalogs, changes } = hub.store
  return handleChange(renameCatalog, (context, { id, name }) => {
    const row = requireCatalog(hub, context, id)
    context.detail = `${row.name} → ${name}`
    requireFreeName(hub, name, id)
    catalogs.rename(id, name)
    context.afterCommit(() => changes.markChanged('catalog'))
    return {}
  })
}

function handleDeleteCatalog(hub: HubContext): Handler {
  const { catalogs } = hub.store
  return handleChange(deleteCatalog, (context, { id, force }) => {
    const row = requireCatalog(hub, context, id)
    context.detail = row.name
    const isEmpty =
      catalogs.all().every(({ parent_id: parent }) => parent !== id) && catalogs.serialsIn(id).length === 0
    if (!isEmpty && !force) throw new CallError(OBJECT_BUSY)
    catalogs.remove(row)
    // The devices leave the catalog, which can change who may see them.
    context.afterCommit(() => hub.permissionsChanged())
    return {}
  })
}

function handleSetCatalog(hub: HubContext): Handler {
  const { store } = hub
  const { catalogs } = store
  return handleChange(setCatalog, (context, { id, devices = [], security }) => {
    const name = id === 0 ? '' : requireCatalog(hub, context, id).name
    context.detail = [name, ...devices].filter(Boolean).join(', ').slice(0, DETAIL_MAX)
    for (const sn of devices) {
      context.objects.push(`device:${sn}`)
      const row = store.devices.bySerial(sn)
      if (!row || row.reg_state !== REGISTRATION_STATE.accepted) throw new CallError(NOT_EXIST, { field: 'devices' })
      catalogs.setDeviceCatalog(sn, id)
      context.afterCommit(() => store.changes.markChanged('device', row.id))
    }
    if (security) {
      const masks = validateMasks(store, security)
      const applied = security['is-inherit'] ? undefined : masks
      context.detail = describeAccess(store, context.detail, applied).slice(0, DETAIL_MAX)
      if (id !== 0) catalogs.setVisibility(id, Boolean(security['is-inherit']), masks)
      else if (masks) store.settings.set('device-security', masks)
    }
    context.afterCommit(() => hub.permissionsChanged())
    return {}
  })
}

export function catalogHandlers(hub: HubContext): Handler[] {
  return [
    handleListCatalogs(hub),
    handleListDevicesWithCatalog(hub),
    handleAddCatalog(hub),
    handleRenameCatalog(hub),
    handleDeleteCatalog(hub),
    handleSetCatalog(hub)
  ]
}
