// Device groups (the wire calls them catalogs): the list, the tree, and the writes.
import { computed } from 'nanostores'
import type { ObjectSecurity } from '../../contract/access/visibility.ts'
import type { Envelope } from '../../contract/call.ts'
import {
  addCatalog,
  type Catalog,
  deleteCatalog,
  listCatalogs,
  renameCatalog,
  setCatalog,
  toCatalogId
} from '../../contract/catalog.ts'
import { send } from '../link/send.ts'
import { flattenCatalogs } from '../other-hubs.ts'
import * as OUTCOME from '../text/outcomes.ts'
import { createLiveList } from './live-list.ts'
import { type FailureOptions, sendMutation, succeeded, undoIfUnchanged } from './mutations.ts'
import { deletionOf } from './trash.ts'

/**
 * The groups that the user has access to. Listen to it only for users with the permission to list groups; the hub
 * refuses the call to others.
 */
export const $catalogs = createLiveList({
  call: listCatalogs,
  pace: 'slowest',
  topic: 'catalog',
  itemsOf: flattenCatalogs
})

/** A group with its subgroups. */
export interface CatalogNode {
  catalog: Catalog
  /** 1 at the top. */
  level: number
  children: readonly CatalogNode[]
  /** Devices in the group and all of its subgroups. */
  deviceCount: number
}

/** Builds the trees of groups. Siblings keep the hub's order. */
function buildCatalogTree(catalogs: readonly Catalog[]): CatalogNode[] {
  const ids = new Set(catalogs.map(({ id }) => id))
  const byParent = Map.groupBy(catalogs, ({ 'parent-id': parent }) => (ids.has(parent) ? parent : 0))
  function childrenOf(id: number, level: number): CatalogNode[] {
    return (byParent.get(id) ?? []).map((catalog) => {
      const children = childrenOf(catalog.id, level + 1)
      const deviceCount = children.reduce((sum, child) => sum + child.deviceCount, catalog['num-all'] ?? 0)
      return { catalog, level, children, deviceCount }
    })
  }
  return childrenOf(0, 1)
}

export const $catalogTree = computed($catalogs, ({ items }) => buildCatalogTree(items))

/** All groups, each followed by its subgroups. */
export function flattenTree(nodes: readonly CatalogNode[]): CatalogNode[] {
  return nodes.flatMap((node) => [node, ...flattenTree(node.children)])
}

/** Adds a group. @param parent id of the parent group; 0 = none */
export const createCatalog = (parent: number, name: string, options?: FailureOptions) =>
  sendMutation(
    addCatalog,
    { id: toCatalogId(parent), 'parent-id': toCatalogId(parent), name },
    { ...options, success: { text: OUTCOME.added, names: [name] } }
  )

/** @param previous the name before, with which the user can undo it */
export const renameCatalogById = (
  id: number,
  name: string,
  options?: FailureOptions,
  previous?: string
): Promise<Envelope> =>
  sendMutation(
    renameCatalog,
    { id: toCatalogId(id), name },
    {
      ...options,
      success: {
        text: OUTCOME.saved,
        names: [name],
        ...(previous !== undefined && {
          undo: undoIfUnchanged(
            () => send(listCatalogs, {}),
            ({ list }) => flattenCatalogs(list).some((catalog) => catalog.id === id && catalog.name === name),
            () => renameCatalogById(id, previous)
          )
        })
      }
    }
  )

/** Deletes a group. Its devices and subgroups move to its parent. @returns whether it was deleted */
export const deleteCatalogById = (id: number, name: string) =>
  succeeded(sendMutation(deleteCatalog, { id: toCatalogId(id), force: true }, deletionOf([{ name }])))

/** Moves devices to a group; 0 = out of their group. */
export const sendDevicesTo = (id: number, devices: string[]) => send(setCatalog, { id: toCatalogId(id), devices })

/** Sets who sees a group; the masks are absent if it inherits. */
export const sendCatalogSecurity = (id: number, security: ObjectSecurity) =>
  send(setCatalog, { id: toCatalogId(id), security })
