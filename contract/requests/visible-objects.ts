// Request schema of the call that lists what a user or group sees.
import * as z from 'zod'
import { listVisibleObjects } from '../access/visible-objects.ts'
import { defineSchema, page, queryNumber, text } from './schema.ts'

const bit = queryNumber(0, 4294967295)
defineSchema(
  listVisibleObjects,
  z
    .object({
      ...page,
      usr: bit,
      group: bit,
      of: z.enum(['device', 'channel']),
      hidden: queryNumber(0, 1),
      key: text.optional()
    })
    .refine(({ usr, group }) => (usr === undefined) !== (group === undefined), { path: ['usr'] })
)
