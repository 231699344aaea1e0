// Request schemas of the calls for logs.
import * as z from 'zod'
import { checkLog, clearLog, exportLog, listLog } from '../log.ts'
import { defineSchema, emptyRequest, page, queryNumber, serial, since, text } from './schema.ts'

const type = z.enum(['operation', 'system', 'device'])
const time = queryNumber(0, Number.MAX_SAFE_INTEGER)
const filter = {
  type,
  from: time,
  to: time,
  user: text.optional(),
  level: queryNumber(1, 3),
  outcome: z.enum(['ok', 'failed']).optional(),
  key: text.optional(),
  sn: serial.optional(),
  channel: queryNumber(1, Number.MAX_SAFE_INTEGER)
}
defineSchema(listLog, z.object({ ...page, ...filter, upto: queryNumber(0, Number.MAX_SAFE_INTEGER), since }))
/** The fields of `exportLog`. */
export const exportLogFields = { ...filter, format: z.enum(['csv', 'json']) }
defineSchema(exportLog, z.object(exportLogFields))
defineSchema(checkLog, emptyRequest)
defineSchema(clearLog, z.object({ type, sn: serial.optional() }))
