// Request schemas of the calls for updates of the console.
import * as z from 'zod'
import { cancelUpdate, confirmUpdate, revertUpdate, startUpdate, updateStatus, uploadUpdate } from '../update.ts'
import { defineSchema, emptyRequest } from './schema.ts'

defineSchema(updateStatus, emptyRequest)
defineSchema(uploadUpdate, emptyRequest)
defineSchema(
  startUpdate,
  z.object({
    id: z.string().regex(/^[0-9a-f]{64}$/),
    force: z.boolean().optional()
  })
)
defineSchema(cancelUpdate, emptyRequest)
defineSchema(confirmUpdate, z.object({ script: z.string().regex(/^[\w-]+\.js$/) }))
defineSchema(revertUpdate, emptyRequest)
