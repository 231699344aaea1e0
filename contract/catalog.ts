// Device groups, which the wire calls catalogs: reference 4.4, 5.2, 7; what it leaves open after its section 8.
import { call, type ListReply, type Page } from './call.ts'
import type { Device, DeviceSecurity, Visibility } from './device/device.ts'
import { CATALOG_NAME_MAX } from './limits.ts'
import { DEVICE_GROUP_VIEW } from './permissions.ts'
import { type Fault, outerSpace, printable, required, unitLength } from './rules/rules.ts'

const lengthOfName = unitLength(1, CATALOG_NAME_MAX)

/** Name of a device group: 1-32 units, no outer spaces, printable. That it is unique is the hub's to say. */
export function catalogName(value: string): Fault | undefined {
  return required(value) ?? printable(value) ?? outerSpace(value) ?? lengthOfName(value)
}

export interface Catalog extends Partial<Visibility> {
  id: number
  name: string
  /** Ours: the group it is in; 0 = none. Of a group whose own group the caller may not see, the next one above that he may. */
  'parent-id': number
  /** Milliseconds since the epoch. */
  'create-time': number
  /** 1: seen by who sees its group, else by the global default. The masks are answered to the Admin group alone. */
  'is-inherit': number
  /** Ours: devices that the caller may see and that are in it, not in a group below; and how many of them are online. */
  'num-all': number
  'num-online': number
}

/** By name. Groups that the caller may not see are left out. */
export const listCatalogs = call<{ since?: number }, ListReply<Catalog>>('GET', '/catalog/list', DEVICE_GROUP_VIEW)

export interface CatalogDevicesRequest extends Page {
  /** Comma list of ids; 0 stands for the devices that are in no group. Default: all, and those in none. */
  catalogs?: string
  'dev-count'?: number
  'dev-start'?: number
}

/** Groups with their devices: online first, then newest, then smaller serial. `start` and `count` are of the groups. */
export const listDevicesWithCatalog = call<CatalogDevicesRequest, ListReply<Catalog & { list: Device[] }>>(
  'GET',
  '/device/list-with-catalog',
  DEVICE_GROUP_VIEW
)

/** 17 below depth 5, 1003 for a name that a group has, 16 for an unknown parent; 0 = at the top. */
export const addCatalog = call<{ 'parent-id': number; name: string }, { id: number }>('POST', '/catalog/add', 'admin')

export const renameCatalog = call<{ id: number; name: string }>('POST', '/catalog/rename', 'admin')

/** What is in it goes to the group it is in. 1005 when something is, unless `force`. */
export const deleteCatalog = call<{ id: number; force?: boolean }>('POST', '/catalog/del', 'admin')

/**
 * Moves devices into a group, sets who sees it, or both. Id 0: takes devices out of their groups, or sets the global default.
 * 16 for an unknown device: then none is moved.
 */
export const setCatalog = call<{ id: number; devices?: string[]; security?: DeviceSecurity }>(
  'POST',
  '/catalog/set',
  'admin'
)
