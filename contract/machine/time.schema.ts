// Schemas of machine/time.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { INVALID_ARG, READ_ONLY, WRONG_STATE } from '../codes.ts'
import { emptyRequest, faultIssue, own, text, textRule } from '../fields.schema.ts'
import { CLOCK_MAX, CLOCK_MIN } from '../limits.ts'
import { dryRun } from '../off-air.schema.ts'
import { timeZone } from '../rules/schedule.ts'
import { firstTimeServer, secondTimeServer } from '../rules/time.ts'
import { MachineAccess } from './machine.schema.ts'
import { SOURCE_STATES, SYNC_STATES } from './time.ts'

export const SyncState = z.enum(SYNC_STATES)
export const TimeSourceState = z.enum(SOURCE_STATES)
export const TimeSource = z.object({
  name: z.string().describe('Name or address of the server'),
  'set-here': z
    .boolean()
    .describe('It is one of `servers`. The others come from the configuration of the machine, or from DHCP'),
  state: TimeSourceState,
  stratum: z.number().optional().describe('1-15; absent until the first answer'),
  reach: z.number().describe('Whether each of the last eight requests was answered, the last one in bit 0'),
  'last-answer-s': z.number().optional().describe('Seconds since the last answer; absent until the first one'),
  offset: z
    .number()
    .optional()
    .describe('Seconds by which the clock of the hub was ahead of the server at its last answer'),
  error: z.number().optional().describe('Largest error of that measurement in seconds')
})
export const TimeSync = z.object({
  access: MachineAccess.meta(
    own('Whether the hub can set up chrony, as in [Network of the machine](#network-of-the-machine)')
  ),
  state: SyncState.meta(
    own(
      '`synchronised`: within 100 ms of servers that answer; `correcting`: further away; `waiting`: no useful answer since chrony started; `lost`: the servers in use have not answered the last three requests; `off`; `unknown`: chrony does not answer'
    )
  ),
  enabled: z.boolean().optional().meta(own('Whether the synchronisation is switched on; absent in view mode')),
  offset: z
    .number()
    .optional()
    .meta(
      own(
        'Seconds by which the clock is ahead of the servers; negative: behind. Absent with `waiting`, `off`, `unknown`'
      )
    ),
  'last-update': z
    .int()
    .optional()
    .meta(
      own(
        'When chrony corrected the clock last, in milliseconds since the epoch. Absent with `waiting`, `off`, `unknown`'
      )
    ),
  servers: z.array(z.string()).meta(own('The servers that users set, at most two')),
  sources: z
    .array(TimeSource)
    .meta(
      own(
        'All servers that chrony uses: `name`, `set-here` (one of `servers`), `state` (`selected`, `combined`, `unused`, `false`: disagrees with the others, `unstable`, `unreachable`), `reach` (the last eight requests as bits, the last one in bit 0; 1: answered), and after the first answer `last-answer-s`, `stratum`, `offset`, `error` (seconds)'
      )
    )
})
export const TimeStatus = z.object({
  time: z.int().describe('Milliseconds since the epoch, when the hub answered'),
  zone: z.string().describe('IANA name of the time zone'),
  access: MachineAccess.describe('Whether the hub can set the zone and the clock'),
  sync: TimeSync
})

export type SyncState = z.infer<typeof SyncState>
export type TimeSourceState = z.infer<typeof TimeSourceState>
export type TimeSource = z.infer<typeof TimeSource>
export type TimeSync = z.infer<typeof TimeSync>
export type TimeStatus = z.infer<typeof TimeStatus>

export const timeSchemas = {
  'GET /time/get': {
    summary: 'Returns the clock of the machine, its time zone and the state of its synchronisation.',
    request: emptyRequest,
    response: TimeStatus,
    responseNote: '`time` (milliseconds since the epoch), `zone` (IANA name), `access`, `sync`',

    source: 'own',
    examples: [{}]
  },
  'POST /time/set': {
    summary: 'Changes the time zone, the synchronisation or the clock.',
    operation: ['Change time settings', '更改时间设置'],
    request: z
      .object({
        zone: textRule(timeZone).optional().describe('IANA name of the time zone of the machine'),
        sync: z.boolean().optional().describe('Whether the clock is kept synchronised with time servers'),
        server1: text
          .optional()
          .describe(
            "With `sync`: up to two different time servers, names or addresses. Without both, those of the machine's configuration"
          ),
        server2: text.optional(),
        time: z
          .int()
          .min(CLOCK_MIN)
          .max(CLOCK_MAX)
          .optional()
          .describe('Milliseconds since the epoch: sets the clock. 38 while the synchronisation is on'),
        ...dryRun
      })
      .superRefine(({ zone, sync, time, server1 = '', server2 = '' }, context) => {
        const servers = { server1: firstTimeServer(server1), server2: secondTimeServer(server2, { server1 }) }
        for (const [field, fault] of Object.entries(servers))
          if (fault) context.addIssue({ ...faultIssue(fault), path: [field] })
        const parts = [zone, sync, time].filter((part) => part !== undefined)
        if (parts.length !== 1) context.addIssue({ ...faultIssue({ name: 'required' }), path: ['zone'] })
      }),
    requestNote:
      'exactly one of `zone`, `sync` (boolean; with it `server1`, `server2`: different names or addresses; both or only `server2` may be empty) and `time` (milliseconds since the epoch, years 2000-2099)',
    errors: {
      [INVALID_ARG]: '',
      [READ_ONLY]: 'with `message` if the hub cannot change it',
      [WRONG_STATE]: 'with `message` for `time` while the clock is synchronised'
    },
    source: 'own',
    examples: [
      { zone: 'Asia/Shanghai' },
      { sync: false },
      { sync: true, server1: 'ntp.example', server2: '192.0.2.9' },
      { time: 1800000000000 }
    ]
  }
} satisfies CallSchemas
