// Device groups, which the wire calls catalogs: as a tree, and what can be done to them.
import { atom, computed } from 'nanostores'
import {
  addCatalog,
  type Catalog,
  deleteCatalog,
  listCatalogs,
  renameCatalog,
  setCatalog
} from '../../contract/catalog.ts'
import type { DeviceSecurity } from '../../contract/device/device.ts'
import { liveList } from './live-list.ts'
import { type ActOptions, change, well } from './toasts.ts'

/** The groups that the user may see. To be listened to only by who may see any: the hub refuses it to others. */
export const $catalogs = liveList({
  call: listCatalogs,
  request: atom({}),
  pace: 'slowest',
  topic: 'catalog',
  keyOf: (catalog: Catalog) => catalog.id
})

/** A group with what is below it. */
export interface Branch {
  catalog: Catalog
  /** 1 at the top. */
  level: number
  branches: readonly Branch[]
  /** Devices in it and below. */
  all: number
}

/** The groups as trees, in the hub's order. */
export function branchesOf(catalogs: readonly Catalog[]): Branch[] {
  const below = Map.groupBy(catalogs, (catalog) => catalog['parent-id'])
  function grow(id: number, level: number): Branch[] {
    return (below.get(id) ?? []).map((catalog) => {
      const branches = grow(catalog.id, level + 1)
      return { catalog, level, branches, all: branches.reduce((all, branch) => all + branch.all, catalog['num-all']) }
    })
  }
  return grow(0, 1)
}

export const $branches = computed($catalogs, ({ items }) => branchesOf(items))

/** All groups in the order of the tree. */
export function inOrder(branches: readonly Branch[]): Branch[] {
  return branches.flatMap((branch) => [branch, ...inOrder(branch.branches)])
}

/** Adds a group below another; 0 = at the top. */
export const createCatalog = (parent: number, name: string, options?: ActOptions) =>
  change(addCatalog, { 'parent-id': parent, name }, options)

export const changeCatalog = (id: number, name: string, options?: ActOptions) =>
  change(renameCatalog, { id, name }, options)

/** Deletes a group; what is in it goes up. @returns whether it is gone */
export const removeCatalog = (id: number) => well(change(deleteCatalog, { id, force: true }))

/** Sets who sees a group, or with id 0 what is global. */
export const secureCatalog = (id: number, security: DeviceSecurity) => well(change(setCatalog, { id, security }))
