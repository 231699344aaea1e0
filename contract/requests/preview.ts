// Request schemas of the calls for previews.
import * as z from 'zod'
import { clearPreview, openPreview, setupPreview } from '../preview.ts'
import { defineSchema, id, queryNumber } from './schema.ts'

defineSchema(
  openPreview,
  z.object({ v: queryNumber(0, Number.MAX_SAFE_INTEGER), seen: queryNumber(0, 1), save: queryNumber(0, 1) })
)
const previewIds = z
  .array(z.union([z.string().min(1).max(80), id]))
  .max(1000)
  .optional()
defineSchema(setupPreview, z.object({ id: z.string().min(1).max(64), add: previewIds, del: previewIds }))
defineSchema(clearPreview, z.object({ id: z.string().min(1).max(64) }))
