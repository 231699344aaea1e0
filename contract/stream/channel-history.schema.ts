// Schemas of stream/channel-history.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { NO_RESPONSE, NOT_EXIST } from '../codes.ts'
import { id, own, queryId, queryNumber, vendor } from '../fields.schema.ts'
import { HISTORY_FIELDS, HISTORY_MAX, HISTORY_MIN } from './channel-history.ts'
import { TRANSPORT_ERRORS } from './transport.ts'

const optionalQueryId = queryNumber(0, Number.MAX_SAFE_INTEGER)

const fields = z
  .string()
  .max(256)
  .refine((value) => value.split(',').every((field) => HISTORY_FIELDS.some((name) => name === field)))

export const ChannelHistory = z.object({
  start: z.int().describe("Start of the first value's interval in milliseconds since the epoch"),
  step: z.int().describe('Interval of each value in milliseconds'),
  columns: z
    .partialRecord(z.enum(HISTORY_FIELDS), z.array(z.number().nullable()))
    .describe('Values of each requested field, oldest first; null = not measured. All arrays have the same length')
})
/** Errors of priority 1 and 2 of ETSI TR 101 290. */
export const TransportReport = z.object({
  errors: z
    .partialRecord(
      z.enum(TRANSPORT_ERRORS),
      z.object({
        count: z.int().meta(own('Number of errors since `since` of the report')),
        at: z.int().meta(own('When the last one arrived, in milliseconds since the epoch'))
      })
    )
    .meta(
      own(
        'By error; an absent one has not occurred. Priority 1: `sync-loss`, `sync-byte`, `pat` (none for 0.5 s), `pmt` (none for 0.5 s), `continuity`, `pid` (no frame of a listed video or audio stream for 5 s). Priority 2: `transport` (marked as damaged by the sender), `crc` (of PAT and PMT), `pcr-repetition` (more than 100 ms), `pcr-discontinuity` (not announced), `pts` (none for 0.7 s)'
      )
    ),
  'pcr-jitter-ms': z
    .number()
    .optional()
    .meta(own('Jitter of the PCR against its arrival in the last second, in milliseconds: it includes the network'))
})
/**
 * Statistics of one leg. A value is absent if the protocol does not have it; for example, RTMP has no packet loss.
 * Values without `-total` are for the last second, values with `-total` since `since`.
 */
export const LegReport = z.object({
  since: z
    .int()
    .meta(own('When counting began, in milliseconds since the epoch. `POST /api/channel/baseline` begins again')),
  kbps: z.number().meta(own('Average bit rate of the last 2 seconds in kbit/s, like `kbps` of the leg')),
  'kbps-avg': z.number().meta(own('Average bit rate of the time with media in kbit/s')),
  'kbps-peak': z.number().meta(own('Highest bit rate of one second in kbit/s')),
  bytes: z.int().meta(own('Bytes since `since`')),
  packets: z.int().optional().meta(own('SRT: packets since `since`, each counted once')),
  'rtt-ms': z.number().optional().meta(own('SRT: round-trip time in milliseconds')),
  'pkt-loss': z
    .number()
    .optional()
    .meta(vendor('SRT, RTP and RTSP: packets lost before retransmission, as counted here or reported by the peer')),
  'pkt-loss-total': z.int().optional().meta(own('SRT, RTP and RTSP: packets lost before retransmission since `since`')),
  'pkt-drop': z.number().optional().meta(vendor('SRT: packets that did not arrive in time')),
  'pkt-drop-total': z.int().optional().meta(vendor('SRT: packets that did not arrive in time since `since`')),
  'pkt-retrans': z.number().optional().meta(own('SRT, sender: retransmitted packets')),
  'pkt-retrans-total': z.int().optional().meta(own('SRT, sender: retransmitted packets since `since`')),
  'pkt-recovered': z
    .number()
    .optional()
    .meta(own('SRT, receiver: lost packets that arrived in time by retransmission')),
  'pkt-recovered-total': z.int().optional().meta(own('SRT, receiver: recovered packets since `since`')),
  'ts-cc-errors': z
    .number()
    .optional()
    .meta(own('Inputs that are passed through: continuity counter errors of MPEG-TS packets')),
  'ts-cc-errors-total': z.int().optional().meta(own('Continuity counter errors of MPEG-TS packets since `since`')),
  transport: TransportReport.optional().meta(
    own('Inputs that are passed through: [errors of the transport stream](#transport-errors)')
  ),
  level: z
    .array(z.number())
    .optional()
    .meta(own('Input on air: peak level of each audio channel in dBFS; -120 is silence'))
})

export type ChannelHistory = z.infer<typeof ChannelHistory>
export type TransportReport = z.infer<typeof TransportReport>
export type LegReport = z.infer<typeof LegReport>

export const channelHistorySchemas = {
  'GET /channel/history': {
    summary: 'Returns statistics of one leg of a channel over the last hour, one value per second or aggregated.',
    request: z.object({
      id: queryId,
      leg: optionalQueryId.describe('id of an output or backup; default: the input'),
      span: queryNumber(HISTORY_MIN, HISTORY_MAX).describe('seconds, 60-3600; default 3600'),
      fields: fields.optional().describe('comma-separated; default `kbps`'),
      points: queryNumber(1, HISTORY_MAX).describe('maximum number of values'),
      by: z.enum(['mean', 'max']).optional().describe('`mean`, `max`')
    }),
    response: ChannelHistory,
    responseNote: '`start`, `step` (milliseconds), `columns` (arrays by field; `null` = not measured)',
    errors: { [NOT_EXIST]: 'unknown channel or leg, 47 the stream engine does not respond' },
    source: 'own',
    examples: [{ id: 1 }, { id: 1, leg: 1001, span: 600, fields: 'kbps,rtt-ms,pkt-loss', points: 300, by: 'max' }]
  },
  'GET /channel/history/file': {
    summary: 'Exports the history of one leg as CSV, one row per second.',
    request: z.object({ id: queryId, leg: optionalQueryId }),
    content: 'text/csv',
    responseNote: 'CSV file, one row per second',
    errors: { [NOT_EXIST]: '', [NO_RESPONSE]: '' },
    source: 'own',
    examples: [{ id: 1 }, { id: 1, leg: 0 }]
  },
  'POST /channel/baseline': {
    summary: 'Resets average, peak and totals of one leg; without `leg`, of all legs of the channel.',
    operation: ['Reset statistics of channel', '重置频道统计'],
    request: z.object({ id, leg: id.optional().describe('absent: all legs') }),
    requestNote: 'Resets average, peak and totals',
    errors: { [NOT_EXIST]: '' },
    source: 'own',
    examples: [{ id: 1 }, { id: 1, leg: 1001 }]
  }
} satisfies CallSchemas
