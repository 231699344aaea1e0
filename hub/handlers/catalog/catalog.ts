// Handlers for catalogs, which are the groups of devices.

import { VisibleCatalogs } from '../../../accounts/visible-catalogs.ts'
import { isPermitted } from '../../../contract/access/permissions.ts'
import {
  addCatalog,
  deleteCatalog,
  listCatalogs,
  listDevicesWithCatalog,
  renameCatalog,
  setCatalog
} from '../../../contract/catalog.ts'
import { NAME_EXISTS, NOT_EXIST, NOT_PERMITTED, OBJECT_BUSY, TOO_MANY } from '../../../contract/codes.ts'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { CATALOG_DEPTH_MAX } from '../../../contract/limits.ts'
import type { Gate } from '../../auth/gate.ts'
import type { AddressedDevices } from '../../devices/address/addressed-devices.ts'
import type { AddressedPictures } from '../../devices/address/pictures.ts'
import type { IncomingStreams } from '../../devices/incoming-streams.ts'
import type { Registry } from '../../devices/registry.ts'
import type { FirmwareServices } from '../../firmware/firmware.ts'
import { CallError, type Context, type Handler, handle, handleChange, requireCaller } from '../../http/handler.ts'
import type { CatalogRow } from '../../store/catalogs.ts'
import type { DeviceRow } from '../../store/devices.ts'
import type { Store } from '../../store/store.ts'
import { createDeviceSerializer } from '../device/response.ts'
import { DeviceSorter } from '../device/sort-order.ts'
import { paginate } from '../list.ts'
import { deletionBy, markTrashChanged } from '../trashed.ts'
import { describeAccess, validateMasks } from '../user/visibility-masks.ts'

interface CatalogParts {
  store: Store
  gate: Gate
  registry: Registry
  incomingStreams: IncomingStreams
  addressedDevices: AddressedDevices
  addressedPictures: AddressedPictures
  firmware: FirmwareServices
  permissionsChanged: () => void
}

/** Characters of the log line that lists the devices moved to a catalog. */
const DETAIL_MAX = 1000

/** @throws CallError 16 if the caller sees no catalog with this id */
function requireCatalog({ store, gate }: { store: Store; gate: Gate }, context: Context, id: number): CatalogRow {
  const row = store.catalogs.byId(id)
  if (row && !gate.catalogsVisibleTo(requireCaller(context))(id)) throw new CallError(NOT_EXIST)
  context.objects = [`catalog:${id}`]
  if (!row) throw new CallError(NOT_EXIST)
  return row
}

/** Number of levels from the root to a catalog, inclusive; 0 if it does not exist. */
function depthOf(parts: { store: Store }, id: number): number {
  const row = parts.store.catalogs.byId(id)
  return row ? 1 + depthOf(parts, row.parent_id) : 0
}

/** @throws CallError 1003 if another catalog than `id` has this name */
function requireFreeName({ store }: { store: Store }, name: string, id?: number): void {
  const other = store.catalogs.byName(name)
  if (other && other.id !== id) throw new CallError(NAME_EXISTS, { field: 'name' })
}

/**
 * A group at the top level inherits the global default. If that does not include the caller, the new group gets its
 * masks and the caller's bit.
 */
function includeCreator({ store, gate }: { store: Store; gate: Gate }, context: Context, id: number): void {
  const caller = requireCaller(context)
  if (gate.catalogsVisibleTo(caller)(id)) return
  const masks = store.settings.get('device-security')
  store.catalogs.setVisibility(id, false, { ...masks, 'usr-mask': (masks['usr-mask'] | caller.user.id) >>> 0 })
}

/** The groups that the caller may see. */
function visibleCatalogs({ store, gate, registry }: CatalogParts, context: Context): VisibleCatalogs<DeviceRow> {
  const caller = requireCaller(context)
  const { accepted } = REGISTRATION_STATE
  return new VisibleCatalogs({
    catalogs: store.catalogs.all(),
    byDefault: store.settings.get('device-security'),
    isVisible: gate.catalogsVisibleTo(caller),
    maySetMasks: isPermitted(setCatalog.access, caller.user),
    devices: () => {
      const isVisible = gate.devicesVisibleTo(caller)
      return store.devices.all().filter((row) => row.reg_state === accepted && isVisible(row))
    },
    isOnline: ({ sn }) => registry.isOnline(sn),
    users: () => store.users.all()
  })
}

function handleListCatalogs(parts: CatalogParts): Handler {
  const { store } = parts
  return handle(listCatalogs, (context, request) => {
    const { rev } = store.changes
    const visible = visibleCatalogs(parts, context)
    const rows = request.tree === 1 ? visible.roots : visible.rows
    if (request.since !== undefined && store.changes.revs().catalog <= request.since)
      return { start: 0, total: rows.length, list: [], rev, partial: true }
    const list = rows.map((row) => (request.tree === 1 ? visible.serializeTree(row) : visible.serialize(row)))
    return { ...paginate(list, {}), rev }
  })
}

function handleListDevicesWithCatalog(parts: CatalogParts): Handler {
  const sorter = new DeviceSorter(parts.registry)
  return handle(listDevicesWithCatalog, (context, request) => {
    const visible = visibleCatalogs(parts, context)
    const requested = request.catalogs?.split(',').map(Number)
    const rows = [visible.none, ...visible.rows].filter(({ id }) => !requested || requested.includes(id))
    const page = paginate(rows, request)
    const serializeDevice = createDeviceSerializer(parts, context, false)
    const devicePage = { start: request['dev-start'], count: request['dev-count'] }
    const list = page.list.map((row) => ({
      ...visible.serialize(row),
      list: paginate(sorter.sort(visible.devicesIn(row.id)), devicePage).list.map(serializeDevice)
    }))
    return { ...page, list }
  })
}

function handleAddCatalog(parts: { store: Store; gate: Gate }): Handler {
  const { catalogs, changes } = parts.store
  return handleChange(addCatalog, (context, { id: parentId = 0, 'parent-id': parent = parentId, name }) => {
    context.detail = name
    if (parent !== 0) requireCatalog(parts, context, parent)
    if (depthOf(parts, parent) >= CATALOG_DEPTH_MAX) throw new CallError(TOO_MANY, { max: CATALOG_DEPTH_MAX })
    requireFreeName(parts, name)
    const id = catalogs.add(parent, name, Date.now())
    includeCreator(parts, context, id)
    context.objects = [`catalog:${id}`]
    context.afterCommit(() => changes.markChanged('catalog'))
    return { id }
  })
}

function handleRenameCatalog(parts: { store: Store; gate: Gate }): Handler {
  const { catalogs, changes } = parts.store
  return handleChange(renameCatalog, (context, { id, name }) => {
    const row = requireCatalog(parts, context, id)
    context.detail = `${row.name} → ${name}`
    requireFreeName(parts, name, id)
    catalogs.rename(id, name)
    context.afterCommit(() => changes.markChanged('catalog'))
    return {}
  })
}

function handleDeleteCatalog(parts: CatalogParts): Handler {
  const { catalogs } = parts.store
  return handleChange(deleteCatalog, (context, { id, force }) => {
    const row = requireCatalog(parts, context, id)
    context.detail = row.name
    const isEmpty =
      catalogs.all().every(({ parent_id: parent }) => parent !== id) && catalogs.serialsIn(id).length === 0
    if (!isEmpty && !force) throw new CallError(OBJECT_BUSY)
    const trash = [parts.store.trash.putCatalog(row, deletionBy(context))]
    catalogs.remove(row)
    // The devices leave the catalog, which can change who may see them.
    context.afterCommit(() => parts.permissionsChanged())
    markTrashChanged(parts, context)
    return { trash }
  })
}

function handleSetCatalog(parts: CatalogParts): Handler {
  const { store, gate } = parts
  const { catalogs } = store
  return handleChange(setCatalog, (context, { id, devices = [], security }) => {
    const caller = requireCaller(context)
    // Otherwise a user could widen the visibility of all devices that an administrator has narrowed.
    if (id === 0 && security && !gate.isAdmin(caller)) throw new CallError(NOT_PERMITTED)
    const isVisible = gate.devicesVisibleTo(caller)
    const name = id === 0 ? '' : requireCatalog(parts, context, id).name
    context.detail = [name, ...devices].filter(Boolean).join(', ').slice(0, DETAIL_MAX)
    for (const sn of devices) {
      context.objects.push(`device:${sn}`)
      const row = store.devices.bySerial(sn)
      if (!row || row.reg_state !== REGISTRATION_STATE.accepted || !isVisible(row))
        throw new CallError(NOT_EXIST, { field: 'devices' })
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
    context.afterCommit(() => parts.permissionsChanged())
    return {}
  })
}

export function catalogHandlers(parts: CatalogParts): Handler[] {
  return [
    handleListCatalogs(parts),
    handleListDevicesWithCatalog(parts),
    handleAddCatalog(parts),
    handleRenameCatalog(parts),
    handleDeleteCatalog(parts),
    handleSetCatalog(parts)
  ]
}
