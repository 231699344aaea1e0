// Request schemas of the calls for the traffic history of channels.
import * as z from 'zod'
import {
  channelHistory,
  exportChannelHistory,
  HISTORY_FIELDS,
  HISTORY_MAX,
  HISTORY_MIN,
  setBaseline
} from '../stream/channel-history.ts'
import { defineSchema, id, queryNumber } from './schema.ts'

const queryId = queryNumber(0, Number.MAX_SAFE_INTEGER)
/** Required id in a query string (`queryNumber` is optional). */
const requiredQueryId = queryId.unwrap()

const fields = z
  .string()
  .max(256)
  .refine((value) => value.split(',').every((field) => HISTORY_FIELDS.some((name) => name === field)))

defineSchema(
  channelHistory,
  z.object({
    id: requiredQueryId,
    leg: queryId,
    span: queryNumber(HISTORY_MIN, HISTORY_MAX),
    fields: fields.optional(),
    points: queryNumber(1, HISTORY_MAX),
    by: z.enum(['mean', 'max']).optional()
  })
)
defineSchema(exportChannelHistory, z.object({ id: requiredQueryId, leg: queryId }))
defineSchema(setBaseline, z.object({ id, leg: id.optional() }))
