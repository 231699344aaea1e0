// Request schemas of the calls for export and import.
import * as z from 'zod'
import {
  applyImport,
  compareImport,
  EXPORT_PARTS,
  EXPORT_PASSPHRASE_MAX,
  exportConfiguration,
  uploadImport
} from '../../backup/export.ts'
import { defineSchema, emptyRequest } from '../schema.ts'

const uploadId = z.string().regex(/^[0-9a-f-]{36}$/)

defineSchema(exportConfiguration, emptyRequest)
defineSchema(uploadImport as never, emptyRequest)
defineSchema(
  compareImport,
  z.object({
    id: uploadId,
    passphrase: z.string().min(1).max(EXPORT_PASSPHRASE_MAX).optional(),
    parts: z.array(z.enum(EXPORT_PARTS)).min(1).max(EXPORT_PARTS.length).optional()
  }) as never
)
defineSchema(applyImport as never, z.object({ id: uploadId, digest: z.string().regex(/^[0-9a-f]{64}$/) }))
