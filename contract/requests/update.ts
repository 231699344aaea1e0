import * as z from 'zod'
import { cancelUpdate, confirmUpdate, revertUpdate, startUpdate, updateStatus, uploadUpdate } from '../update.ts'
import { nothing, shape } from './shape.ts'

shape(updateStatus, nothing)
shape(uploadUpdate, nothing)
shape(
  startUpdate,
  z.object({
    id: z.string().regex(/^[0-9a-f]{64}$/),
    force: z.boolean().optional()
  })
)
shape(cancelUpdate, nothing)
shape(confirmUpdate, z.object({ script: z.string().regex(/^[\w-]+\.js$/) }))
shape(revertUpdate, nothing)
