import * as z from 'zod'
import {
  channelHistory,
  exportChannelHistory,
  HISTORY_FIELDS,
  HISTORY_MAX,
  HISTORY_MIN,
  setBaseline
} from '../stream/channel-history.ts'
import { id, queryNumber, shape } from './shape.ts'

const idInQuery = queryNumber(0, Number.MAX_SAFE_INTEGER)
/** One that must be there: what is in a query may be left out unless said. */
const idOfChannel = idInQuery.unwrap()

const fields = z
  .string()
  .max(256)
  .refine((value) => value.split(',').every((field) => HISTORY_FIELDS.some((known) => known === field)))

shape(
  channelHistory,
  z.object({
    id: idOfChannel,
    leg: idInQuery,
    span: queryNumber(HISTORY_MIN, HISTORY_MAX),
    fields: fields.optional(),
    points: queryNumber(1, HISTORY_MAX),
    by: z.enum(['mean', 'max']).optional()
  })
)
shape(exportChannelHistory, z.object({ id: idOfChannel, leg: idInQuery }))
shape(setBaseline, z.object({ id, leg: id.optional() }))
