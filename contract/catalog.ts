// Catalogs: a tree of device groups (docs/wire.md, "Devices").

import { DEVICE_GROUP_CONTROL, DEVICE_GROUP_VIEW } from './access/permissions.ts'
import type { ObjectSecurity, Visibility } from './access/visibility.ts'
import { declareCall, type ListResponse, type PageRequest } from './call.ts'
import type { Device } from './device/device.ts'
import { CATALOG_NAME_MAX } from './limits.ts'
import { type Fault, noOuterSpace, printable, required, unitLength } from './rules/rules.ts'

const lengthOfName = unitLength(1, CATALOG_NAME_MAX)

/** Rule for the name of a catalog: 1-32 units, printable, no outer spaces. The hub checks that it is unique. */
export function catalogName(value: string): Fault | undefined {
  return required(value) ?? printable(value) ?? noOuterSpace(value) ?? lengthOfName(value)
}

/** The id of a device group in a write call: an id below 0 stands for 0, in which a client's own root of the tree may have one. */
export const toCatalogId = (id: number): number => Math.max(id, 0)

export interface Catalog extends Partial<Visibility> {
  id: number
  name: string
  /** Id of the parent catalog; 0 = top level. If the caller may not see the parent, the next visible ancestor. */
  'parent-id': number
  /** Milliseconds since the epoch. */
  'create-time': number
  /** Whether the caller sees no group above it. */
  isRoot: boolean
  /** Whether it has child groups that the caller sees: a tree begins with them open. */
  isOpen: boolean
  /** Names from the top level down to the group itself; groups that the caller may not see are left out. */
  path: string[]
  /** The child groups; only with `tree`. */
  childs?: Catalog[]
  /**
   * 1: inherits the visibility of its parent, else of the global default. The masks are returned only to callers with DEVICE_GROUP_CONTROL.
   */
  'is-inherit': number
  /** 1: every user sees the group. The inherited visibility counts, here and in `users`. */
  'is-everyone': number
  /**
   * Users who see the group besides the Admin group, by name; empty if every user sees it. Returned only to callers with
   * DEVICE_GROUP_CONTROL.
   */
  users?: { id: number; name: string }[]
  /** Visible devices directly in this catalog, and how many of them are online. */
  'num-all': number
  'num-online': number
}

export interface CatalogListRequest {
  since?: number
  /** 1: lists only the groups at the top level, each with its child groups in `childs`. */
  tree?: number
}

/** Lists the catalogs that the caller may see, by name. `total` counts the entries of `list`. */
export const listCatalogs = declareCall<CatalogListRequest, ListResponse<Catalog>>(
  'GET',
  '/catalog/list',
  DEVICE_GROUP_VIEW
)

export interface CatalogDevicesRequest extends PageRequest {
  /** Comma-separated ids; 0 = devices without a catalog. Default: all catalogs and 0. */
  catalogs?: string
  'dev-count'?: number
  'dev-start'?: number
}

/**
 * Lists catalogs with their devices: online first, then newest, then by serial number. `start` and `count` refer to the catalogs, `dev-start` and
 * `dev-count` to the devices of each.
 */
export const listDevicesWithCatalog = declareCall<CatalogDevicesRequest, ListResponse<Catalog & { list: Device[] }>>(
  'GET',
  '/device/list-with-catalog',
  DEVICE_GROUP_VIEW
)

/**
 * `id` is that of the parent, which the hub also takes as `parent-id`; 0 = top level. The response has the id of the new catalog. 17 below
 * depth 5; 1003 if the name exists; 16 unknown parent.
 */
export const addCatalog = declareCall<{ id?: number; 'parent-id'?: number; name: string }, { id: number }>(
  'POST',
  '/catalog/add',
  DEVICE_GROUP_CONTROL
)

export const renameCatalog = declareCall<{ id: number; name: string }>('POST', '/catalog/rename', DEVICE_GROUP_CONTROL)

/** Deletes a catalog. 1005 if it is not empty; with `force` its devices and child catalogs move to its parent. */
export const deleteCatalog = declareCall<{ id: number; force?: boolean }>('POST', '/catalog/del', DEVICE_GROUP_CONTROL)

/**
 * Moves devices into a catalog, sets its visibility, or both. Id 0: removes devices from their catalogs, or sets the global default, which
 * only the Admin group may do (31). 16 unknown device; no device is moved then.
 */
export const setCatalog = declareCall<{ id: number; devices?: string[]; security?: ObjectSecurity }>(
  'POST',
  '/catalog/set',
  DEVICE_GROUP_CONTROL
)
