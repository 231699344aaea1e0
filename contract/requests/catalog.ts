import * as z from 'zod'
import {
  addCatalog,
  catalogName,
  deleteCatalog,
  listCatalogs,
  listDevicesWithCatalog,
  renameCatalog,
  setCatalog
} from '../catalog.ts'
import { security } from './device.ts'
import { page, queryNumber, ruled, serial, shape, since } from './shape.ts'

/** The client's own entries have ids below 0, which means 0 here (specification 7). */
const catalog = z
  .int()
  .min(-1e9)
  .max(Number.MAX_SAFE_INTEGER)
  .transform((id) => Math.max(0, id))
const name = ruled(catalogName)

shape(listCatalogs, z.object({ since }))
shape(
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
shape(addCatalog, z.object({ 'parent-id': catalog.default(0), name }) as never)
shape(renameCatalog, z.object({ id: catalog, name }))
shape(deleteCatalog, z.object({ id: catalog, force: z.boolean().optional() }))
shape(
  setCatalog,
  z
    .object({ id: catalog, devices: z.array(serial).min(1).max(10_000).optional(), security: security.optional() })
    .refine(({ devices, security }) => devices ?? security, { path: ['devices'] })
)
