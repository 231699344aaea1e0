// Catalogs: a tree of device groups (docs/wire.md, "Devices").

import { DEVICE_GROUP_CONTROL, DEVICE_GROUP_VIEW } from './access/permissions.ts'
import { declareCall } from './call.ts'
import { CATALOG_NAME_MAX } from './limits.ts'
import { type Fault, noOuterSpace, printable, required, unitLength } from './rules/rules.ts'

export type { Catalog } from './catalog.schema.ts'

const lengthOfName = unitLength(1, CATALOG_NAME_MAX)

/** Rule for the name of a catalog: 1-32 units, printable, no outer spaces. The hub checks that it is unique. */
export function catalogName(value: string): Fault | undefined {
  return required(value) ?? printable(value) ?? noOuterSpace(value) ?? lengthOfName(value)
}

/**
 * The id of a device group in a write call: an id below 0 stands for 0, in which a client's own root of the tree may
 * have one.
 */
export const toCatalogId = (id: number): number => Math.max(id, 0)

export const listCatalogs = declareCall('GET /catalog/list', DEVICE_GROUP_VIEW)

export const listDevicesWithCatalog = declareCall('GET /device/list-with-catalog', DEVICE_GROUP_VIEW)

export const addCatalog = declareCall('POST /catalog/add', DEVICE_GROUP_CONTROL)

export const renameCatalog = declareCall('POST /catalog/rename', DEVICE_GROUP_CONTROL)

export const deleteCatalog = declareCall('POST /catalog/del', DEVICE_GROUP_CONTROL, { interrupts: true })

export const setCatalog = declareCall('POST /catalog/set', DEVICE_GROUP_CONTROL)
