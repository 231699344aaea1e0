// Restores a device group from the trash.
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { CATALOG_DEPTH_MAX, CATALOG_NAME_MAX } from '../../../contract/limits.ts'
import type { CatalogRow } from '../../store/catalogs.ts'
import type { Store } from '../../store/store.ts'
import type { TrashedCatalog } from '../../store/trash.ts'
import { isLongerThan, type Restoration, type RestoreParts } from './restoration.ts'

/** Number of levels from the root to a group, inclusive. */
function depthOf(store: Store, id: number): number {
  const row = store.catalogs.byId(id)
  return row ? 1 + depthOf(store, row.parent_id) : 0
}

/** Number of levels of a group and those below it. */
function heightOf(all: readonly CatalogRow[], id: number): number {
  return 1 + Math.max(0, ...all.filter((row) => row.parent_id === id).map((row) => heightOf(all, row.id)))
}

/**
 * The group to which the contents of a group moved when it was deleted: its parent or, if that was deleted as well, the
 * next group above that exists; 0 = top level.
 */
function livingParent(store: Pick<Store, 'catalogs' | 'trash'>, id: number): number {
  if (id === 0 || store.catalogs.byId(id)) return id
  const entry = store.trash.byObject('catalog', id)
  const { row }: Partial<TrashedCatalog> = entry ? JSON.parse(entry.data) : {}
  return row ? livingParent(store, row.parent_id) : 0
}

/** @returns the name of the group */
export function restoreCatalog(parts: RestoreParts, restoration: Restoration, trashed: TrashedCatalog): string {
  const { store } = parts
  const { catalogs, trash, devices } = store
  const { row } = trashed
  const name = restoration.freeName(
    row.name,
    isLongerThan(CATALOG_NAME_MAX),
    (taken) => catalogs.byName(taken) !== undefined
  )
  const movedTo = livingParent(store, row.parent_id)
  const parent = depthOf(store, movedTo) < CATALOG_DEPTH_MAX ? movedTo : 0
  if (parent !== row.parent_id) restoration.leaveOut('parent')
  trash.insertRow('catalog', { ...row, name, parent_id: parent })
  // What has been moved elsewhere since the deletion stays there.
  const all = catalogs.all()
  const levelsLeft = CATALOG_DEPTH_MAX - depthOf(store, row.id)
  const groups = trashed.groups.filter(
    (id) => catalogs.byId(id)?.parent_id === movedTo && heightOf(all, id) <= levelsLeft
  )
  const serials = trashed.devices.filter((sn) => {
    const device = devices.bySerial(sn)
    // One that was deleted and registers again is a new device until it is accepted.
    return device?.catalog_id === movedTo && device.reg_state === REGISTRATION_STATE.accepted
  })
  for (const id of groups) catalogs.setParent(id, row.id)
  for (const sn of serials) catalogs.setDeviceCatalog(sn, row.id)
  const left = trashed.groups.length - groups.length + trashed.devices.length - serials.length
  if (left > 0) restoration.leaveOut('members', String(left))
  // The group of a device decides who sees it.
  restoration.context.afterCommit(() => parts.permissionsChanged())
  return name
}
