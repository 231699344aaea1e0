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
import { type Device, REGISTRATION } from '../../contract/device/device.ts'
import { CATALOG_DEPTH_MAX } from '../../contract/limits.ts'
import { permits } from '../../contract/permissions.ts'
import type { Caller } from '../auth/gate.ts'
import type { Hub } from '../context.ts'
import { type Answer, answer, type Context, change, Refusal, signedIn } from '../http/handler.ts'
import type { CatalogRow } from '../store/catalogs.ts'
import type { DeviceRow } from '../store/devices.ts'
import { wireFor } from './device/response.ts'
import { createDeviceOrder } from './device/sort-order.ts'
import { byText, pageOf } from './list.ts'
import { masksOf } from './user/visibility-masks.ts'

export function catalogAnswers(hub: Hub): Answer[] {
  const { store, gate, registry } = hub
  const { catalogs } = store
  const { sorted } = createDeviceOrder(registry)

  /** The entry of what is in no group: it has the global default (reference 4.4). */
  function none(): CatalogRow {
    const { 'group-mask': groups, 'usr-mask': users } = store.settings.get('device-security')
    return { id: 0, parent_id: 0, name: '', created: 0, is_inherit: 0, group_mask: groups, usr_mask: users }
  }

  /** Accepted devices that the caller sees, by their group. */
  function devicesSeenBy(caller: Caller): Map<number, DeviceRow[]> {
    const visible = gate.sightOf(caller)
    const rows = store.devices.all().filter((row) => row.reg_state === REGISTRATION.accepted && visible(row))
    return Map.groupBy(rows, (row) => row.catalog_id)
  }

  /** The groups that the caller sees, by name, and their form on the wire. */
  function seenBy(caller: Caller) {
    const all = catalogs.all()
    const visible = gate.catalogsSeenBy(caller)
    const rows = all.filter((row) => visible(row.id)).sort((a, b) => byText(a.name, b.name))
    const byId = new Map(all.map((row) => [row.id, row]))
    // Looked up with the first group that is told of: often none is.
    let groups: Map<number, DeviceRow[]> | undefined
    const inside = (id: number) => {
      groups ??= devicesSeenBy(caller)
      return groups.get(id) ?? []
    }
    const mayMask = permits(setCatalog.who, caller.user)

    function shownParent({ parent_id: id }: CatalogRow): number {
      const parent = byId.get(id)
      return !parent ? 0 : visible(id) ? id : shownParent(parent)
    }

    function wire(row: CatalogRow): Catalog {
      const devices = inside(row.id)
      return {
        id: row.id,
        name: row.name,
        'parent-id': shownParent(row),
        'create-time': row.created,
        'is-inherit': row.is_inherit,
        ...(mayMask && { 'group-mask': row.group_mask, 'usr-mask': row.usr_mask }),
        'num-all': devices.length,
        'num-online': devices.filter(({ sn }) => registry.online(sn)).length
      }
    }
    return { rows, wire, inside }
  }

  function found(context: Context, id: number): CatalogRow {
    context.objects = [`catalog:${id}`]
    const row = catalogs.byId(id)
    if (!row) throw new Refusal(NOT_EXIST)
    return row
  }

  /** The levels down to a group; 0 for none. */
  function depthOf(id: number): number {
    const row = catalogs.byId(id)
    return row ? 1 + depthOf(row.parent_id) : 0
  }

  function refuseTaken(name: string, own?: number): void {
    const other = catalogs.byName(name)
    if (other && other.id !== own) throw new Refusal(NAME_EXISTS, { field: 'name' })
  }

  return [
    answer(listCatalogs, (context, request) => {
      const { rev } = store.changes
      const { rows, wire } = seenBy(signedIn(context))
      if (request.since !== undefined && store.changes.revs().catalog <= request.since)
        return { start: 0, total: rows.length, list: [], rev, partial: true }
      return { ...pageOf(rows.map(wire), {}), rev }
    }),
    answer(listDevicesWithCatalog, (context, request) => {
      const caller = signedIn(context)
      const { rows, wire, inside } = seenBy(caller)
      const wanted = request.catalogs?.split(',').map(Number)
      const chosen = [none(), ...rows].filter(({ id }) => !wanted || wanted.includes(id))
      const page = pageOf(chosen, request)
      const deviceWire = wireFor(hub, context, false)
      const window = { start: request['dev-start'], count: request['dev-count'] }
      const told = (id: number): Device[] => pageOf(sorted(inside(id)), window).list.map(deviceWire)
      return { ...page, list: page.list.map((row) => ({ ...wire(row), list: told(row.id) })) }
    }),
    change(addCatalog, (context, { 'parent-id': parent, name }) => {
      context.detail = name
      if (parent !== 0) found(context, parent)
      if (depthOf(parent) >= CATALOG_DEPTH_MAX) throw new Refusal(TOO_MANY, { max: CATALOG_DEPTH_MAX })
      refuseTaken(name)
      const id = catalogs.add(parent, name, Date.now())
      context.objects = [`catalog:${id}`]
      context.after(() => store.changes.bump('catalog'))
      return { id }
    }),
    change(renameCatalog, (context, { id, name }) => {
      const row = found(context, id)
      context.detail = `${row.name} → ${name}`
      refuseTaken(name, id)
      catalogs.rename(id, name)
      context.after(() => store.changes.bump('catalog'))
      return {}
    }),
    change(deleteCatalog, (context, { id, force }) => {
      const row = found(context, id)
      context.detail = row.name
      const holdsMore =
        catalogs.all().some(({ parent_id: parent }) => parent === id) || catalogs.devicesIn(id).length > 0
      if (holdsMore && !force) throw new Refusal(OBJECT_BUSY)
      catalogs.remove(row)
      // Its devices may be seen by others from now on.
      context.after(hub.rightsChanged)
      return {}
    }),
    change(setCatalog, (context, { id, devices = [], security }) => {
      const name = id === 0 ? '' : found(context, id).name
      context.detail = [name, ...devices].filter(Boolean).join(', ').slice(0, 1000)
      for (const sn of devices) {
        context.objects.push(`device:${sn}`)
        const row = store.devices.bySerial(sn)
        if (!row || row.reg_state !== REGISTRATION.accepted) throw new Refusal(NOT_EXIST, { field: 'devices' })
        catalogs.put(sn, id)
        context.after(() => store.changes.bump('device', row.id))
      }
      if (security) {
        const masks = masksOf(store, security)
        if (id !== 0) catalogs.setSecurity(id, Boolean(security['is-inherit']), masks)
        else if (masks) store.settings.set('device-security', masks)
      }
      context.after(hub.rightsChanged)
      return {}
    })
  ]
}
