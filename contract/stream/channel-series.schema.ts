// Schemas of stream/channel-series.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { INVALID_ARG, NOT_EXIST } from '../codes.ts'
import { own, queryId, queryNumber } from '../fields.schema.ts'
import { type SERIES_FIELDS, SERIES_POINTS, SERIES_SPAN } from './channel-series.ts'

const column = (description: string) => z.array(z.number().nullable()).optional().meta(own(description))

const SeriesColumns = z.object({
  'kbps-in': column('Bit rate of the input on air in kbit/s'),
  'kbps-in-min': column('Its lowest second'),
  'kbps-in-max': column('Its highest second'),
  'kbps-out': column('Bit rate of all outputs and players together in kbit/s'),
  'kbps-out-min': column('Its lowest second'),
  'kbps-out-max': column('Its highest second'),
  lost: column('Packets that the input on air lost, before retransmission'),
  errors: column('Continuity counter errors of the input on air'),
  viewers: column('Highest number of players and watching pages'),
  observed: column('Seconds that the hub has recorded'),
  'on-air': column('Seconds on air'),
  degraded: column('Seconds degraded'),
  down: column('Seconds down'),
  stopped: column('Seconds stopped')
}) satisfies z.ZodType<Partial<Record<(typeof SERIES_FIELDS)[number], unknown>>>

const HistoryPause = z.enum(['disk-full', 'disk-failed', 'too-many-channels'])

export const ChannelSeries = z.object({
  start: z.int().meta(own('Start of the first interval in milliseconds since the epoch')),
  step: z.int().meta(own('Length of each interval in milliseconds, a multiple of 1 s, 10 s or 5 min')),
  columns: SeriesColumns.meta(
    own('Arrays by field, oldest first; `null`: nothing was recorded. A field without any value is absent')
  ),
  pause: HistoryPause.optional().meta(
    own('Nothing is stored now: `disk-full`, `disk-failed`, `too-many-channels` (400 are recorded). Absent: it is')
  )
})

const time = queryNumber(0, Number.MAX_SAFE_INTEGER)

const part = {
  id: queryId,
  from: time.describe('milliseconds since the epoch; default: `span` before `to`'),
  to: time.describe('milliseconds since the epoch, later than `from`; default: now'),
  span: queryNumber(SERIES_SPAN.min, SERIES_SPAN.max).describe('seconds, without `from`; default: a day')
}

export type ChannelSeries = z.infer<typeof ChannelSeries>
export type HistoryPause = z.infer<typeof HistoryPause>

export const channelSeriesSchemas = {
  'GET /channel/series': {
    summary:
      'Returns what was measured on a channel in a part of the last year: bit rates, losses, viewers and states. The hub keeps seconds for an hour, intervals of 10 s for a week, and of 5 min for 366 days.',
    request: z.object({
      ...part,
      points: queryNumber(1, SERIES_POINTS.max).describe('maximum number of intervals; default 500')
    }),
    response: ChannelSeries,
    responseNote: '`start`, `step` (milliseconds), `columns` (arrays by field; `null` = not recorded), `pause`',
    errors: {
      [INVALID_ARG]: '`to` is not later than `from`, or by more than 366 days',
      [NOT_EXIST]: 'unknown channel'
    },
    source: 'own',
    examples: [{ id: 1 }, { id: 1, from: 1, to: 2_000_000, span: 3600, points: 200 }]
  },
  'GET /channel/series/file': {
    summary: 'Exports what was measured on a channel as CSV: a day by 10 s, a week by minute, a year by hour.',
    request: z.object(part),
    content: 'text/csv',
    responseNote: 'CSV file, one row for each interval from the first that was recorded; empty cells: not recorded',
    errors: { [INVALID_ARG]: '', [NOT_EXIST]: '' },
    source: 'own',
    examples: [{ id: 1 }, { id: 1, from: 1, to: 2_000_000, span: 3600 }]
  }
} satisfies CallSchemas
