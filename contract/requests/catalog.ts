// Request schemas of the calls for device catalogs.
import * as z from 'zod'
import {
  addCatalog,
  catalogName,
  deleteCatalog,
  listCatalogs,
  listDevicesWithCatalog,
  renameCatalog,
  setCatalog,
  toCatalogId
} from '../catalog.ts'
import { security } from './device.ts'
import { defineSchema, page, queryNumber, serial, since, textRule } from './schema.ts'

const name = textRule(catalogName)
const id = z.int().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER).transform(toCatalogId)

defineSchema(listCatalogs, z.object({ since, tree: queryNumber(0, 1) }))
defineSchema(
  listDevicesWithCatalog,
  z.object({
    ...page,
    catalogs: z
      .string()
      .max(4096)
      .regex(/^\d{1,9}(,\d{1,9})*$/)
      .optional(),
    'dev-start': queryNumber(0, 1e9),
    'dev-count': queryNumber(0, 10_000)
  })
)
defineSchema(
  addCatalog,
  z
    .object({ id: id.optional(), 'parent-id': id.optional(), name })
    .refine((request) => (request['parent-id'] ?? request.id) !== undefined, { path: ['id'] })
)
defineSchema(renameCatalog, z.object({ id, name }))
defineSchema(deleteCatalog, z.object({ id, force: z.boolean().optional() }))
defineSchema(
  setCatalog,
  z
    .object({ id, devices: z.array(serial).min(1).max(10_000).optional(), security: security.optional() })
    .refine(({ devices, security }) => devices ?? security, { path: ['devices'] })
)
