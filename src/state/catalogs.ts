// Device groups, which the wire calls catalogs: as a tree, and what can be done to them.
import { atom, computed } from 'nanostores'
import type { Envelope } from '../../contract/call.ts'
import {
  addCatalog,
  type Catalog,
  deleteCatalog,
  listCatalogs,
  renameCatalog,
  setCatalog
} from '../../contract/catalog.ts'
import { SUCCESS } from '../../contract/codes.ts'
import type { DeviceSecurity } from '../../contract/device.ts'
import { send } from '../link/send.ts'
import { liveList } from './live-list.ts'
import { type ActOptions, act, type Force } from './toasts.ts'

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
  /** Devices in it and below, and how many of them are online. */
  all: number
  online: number
}

/** The groups as trees, in the hub's order. */
export function branchesOf(catalogs: readonly Catalog[]): Branch[] {
  const below = Map.groupBy(catalogs, (catalog) => catalog['parent-id'])
  function grow(id: number, level: number): Branch[] {
    return (below.get(id) ?? []).map((catalog) => {
      const branches = grow(catalog.id, level + 1)
      const sum = (own: number, of: 'all' | 'online') => branches.reduce((all, branch) => all + branch[of], own)
      return {
        catalog,
        level,
        branches,
        all: sum(catalog['num-all'], 'all'),
        online: sum(catalog['num-online'], 'online')
      }
    })
  }
  return grow(0, 1)
}

export const $branches = computed($catalogs, ({ items }) => branchesOf(items))

/** All groups in the order of the tree. */
export function inOrder(branches: readonly Branch[]): Branch[] {
  return branches.flatMap((branch) => [branch, ...inOrder(branch.branches)])
}

async function then<Reply extends Envelope>(
  make: (force: Force) => Promise<Reply>,
  options?: ActOptions<Reply>
): Promise<Reply> {
  const reply = await act(make, options)
  await $catalogs.refresh()
  return reply
}

/** Adds a group below another; 0 = at the top. */
export const createCatalog = (parent: number, name: string) =>
  then((force) => send(addCatalog, { 'parent-id': parent, name, ...force }))

export const changeCatalog = (id: number, name: string) => then((force) => send(renameCatalog, { id, name, ...force }))

/** Deletes a group. @param full it holds something, which the user knows. @returns whether it is gone */
export async function removeCatalog(id: number, full: boolean): Promise<boolean> {
  const { result } = await then((force) => send(deleteCatalog, { id, ...(full && { force: true }), ...force }))
  return result === SUCCESS
}

/** Sets who sees a group, or with id 0 what is global. */
export const secureCatalog = (id: number, security: DeviceSecurity) =>
  then((force) => send(setCatalog, { id, security, ...force }))
