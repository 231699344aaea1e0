// Schemas of ndi/router.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import {
  INVALID_ARG,
  NAME_EXISTS,
  NOT_EXIST,
  NOT_PERMITTED,
  OBJECT_BUSY,
  PORT_OCCUPIED,
  STATE_CHANGED,
  TOO_MANY,
  WRITE_FAILED,
  WRONG_STATE
} from '../codes.ts'
import { faultIssue, id, listOf, mark, own, page, port, since, textRule, wholeNumber } from '../fields.schema.ts'
import { ALLOW_LIST_MAX, MATRIX_SIDE_MAX } from '../limits.ts'
import { matrixBaseName, matrixLabel, matrixSourceName } from '../rules/matrix.ts'
import { clientRange } from '../rules/network.ts'

const label = textRule(matrixLabel)

const index = wholeNumber(1, MATRIX_SIDE_MAX)

/** Refuses a list in which a value occurs twice. */
const unique = <Item>(keyOf: (item: Item) => unknown) =>
  z.superRefine<Item[]>((items, context) => {
    if (new Set(items.map(keyOf)).size < items.length) context.addIssue(faultIssue({ name: 'taken' }))
  })

const takes = z
  .array(z.object({ destination: index, source: wholeNumber(0, MATRIX_SIDE_MAX) }))
  .min(1)
  .max(MATRIX_SIDE_MAX)
  .check(unique(({ destination }) => destination))

const fields = {
  name: label,
  machine: textRule(matrixBaseName()),
  sources: z
    .array(z.object({ label: label.optional(), name: textRule(matrixSourceName) }))
    .max(MATRIX_SIDE_MAX)
    .check(unique(({ name }) => name)),
  destinations: z
    .array(z.object({ label: label.optional() }))
    .min(1)
    .max(MATRIX_SIDE_MAX)
}

const panel = z.object({
  enable: z.boolean(),
  port,
  'allow-ip': z.array(textRule(clientRange)).max(ALLOW_LIST_MAX),
  destinations: z
    .array(index)
    .max(MATRIX_SIDE_MAX)
    .check(unique((destination) => destination)),
  'take-mode': z.boolean().optional()
})

const override = z.boolean().optional()

const force = z.boolean().optional()

const revision = id.optional()

export const MatrixSource = z.object({
  index: z.int().describe('1-64'),
  label: z.string(),
  name: z.string().describe('NDI name, `MACHINE (Source)`'),
  online: z.boolean().describe('Whether the source is in the network, as last observed'),
  since: z.int().optional().describe('Since when, in seconds since the epoch. Absent: not observed')
})
/**
 * - `none`: no source is connected
 * - `routed`: receivers get the source
 * - `source-away`: the source is not in the network. Receivers get it when it is back
 * - `down`: the destination is not announced, or does not have the wanted source yet
 */
export const DestinationState = z.enum(['none', 'routed', 'source-away', 'down'])
export const MatrixDestination = z.object({
  index: z.int().describe('1-64'),
  label: z.string(),
  name: z.string().describe('NDI name of the destination as announced, `HUB (base n)`'),
  source: z.number().describe('Index of the wanted source; 0 = none'),
  since: z
    .int()
    .describe(
      'When the source was taken, in seconds since the epoch; 0 = never. A take of the same source does not change it'
    ),
  by: z.string().describe('Who took the source; empty = never taken'),
  connections: z.number().describe('Receivers that are connected'),
  state: DestinationState,
  'locked-by': z.string().optional().describe('Name of the user or panel that has locked the destination')
})
/** Connects a source to a destination. Both are indexes from 1; source 0 disconnects the destination. */
export const Take = z.object({
  destination: z.number(),
  source: z.number()
})
export const SalvoFields = z.object({
  name: z.string(),
  takes: z.array(Take)
})
export const Salvo = z.object({
  ...SalvoFields.shape,
  id: z.int()
})
export const ScheduledTake = z.object({
  id: z.int(),
  at: z.int().describe('Seconds since the epoch'),
  name: z.string(),
  by: z.string(),
  token: z.string().optional().describe('Name of the access token with which a program of `by` scheduled it'),
  takes: z.array(Take)
})
/** Settings of the Videohub Ethernet Protocol of a matrix. */
export const PanelSettings = z.object({
  enable: z.boolean(),
  port: z.int(),
  'allow-ip': z.array(z.string()).describe('IPv4 or IPv6 addresses or ranges of clients; empty = all'),
  destinations: z.array(z.number()).describe('Indexes of the destinations that clients may switch; empty = all'),
  'take-mode': z
    .boolean()
    .optional()
    .describe('Whether panels ask for a confirmation of each route. Clients may set it, too. Default: true')
})
export const PanelState = z.object({
  state: z.enum(['listening', 'failed', 'off']),
  reason: z.string().optional().describe('With `failed`'),
  clients: z.number().optional()
})
export const Matrix = z.object({
  id: z.int().meta(own('Id of the matrix')),
  name: z.string().meta(own('Name of the matrix')),
  machine: z
    .string()
    .meta(
      own(
        'Base name of the destinations: destination 2 of the base name `Matrix` on the machine HUB is announced as `HUB (Matrix 2)`'
      )
    ),
  sources: z
    .array(MatrixSource)
    .meta(
      own(
        '`index` (1-64), `label`, `name` (NDI name, `MACHINE (Source)`), `online`, `since` (seconds since the epoch; absent: not observed yet)'
      )
    ),
  destinations: z
    .array(MatrixDestination)
    .meta(
      own(
        '`index`, `label`, `name` (as announced), `source` (wanted index, 0 none), `since` and `by` (of the take that has set `source`), `connections` (receivers), `state`, `locked-by`'
      )
    ),
  revision: z
    .int()
    .meta(
      own(
        'Changes with each `set` of the matrix, and when the hub starts; not with takes, locks, salvos and labels from panels'
      )
    ),
  salvos: z
    .array(Salvo)
    .meta(own('Saved takes that are run together: `id`, `name`, `takes` (`destination`, `source`)')),
  scheduled: z
    .array(ScheduledTake)
    .meta(
      own(
        'Takes that will be run, next first: `id`, `at` (seconds since the epoch), `name`, `by` (name of the user), `takes`'
      )
    ),
  undo: z
    .object({
      by: z.string(),
      at: z.int(),
      take: z.number(),
      takes: z.array(Take)
    })
    .optional()
    .meta(
      own(
        'The last take that has changed a route: `by`, `at`, `take` (a number that identifies it), and the `takes` that undo it'
      )
    ),
  panel: z
    .object({ ...PanelSettings.shape, ...PanelState.partial().shape })
    .meta(
      own(
        '[Videohub Ethernet Protocol](#videohub-ethernet-protocol): `enable`, `port` (of a new matrix: the first free one from 9990 on), `allow-ip`, `destinations` (that clients may switch; empty: all), `take-mode` (whether panels ask for a confirmation of each route; default: true), `state` (`listening`, `failed`, `off`), `reason`, `clients`'
      )
    )
})
export const MatrixList = z.object({
  ...listOf(Matrix).shape,
  runtime: z
    .object({
      version: z.string().optional(),
      reason: z.string().optional(),
      'next-step': z.string().optional()
    })
    .describe(
      'NDI runtime of the hub: its version, or the reason why it cannot route and the next step, in the language of the request'
    )
})

export type MatrixSource = z.infer<typeof MatrixSource>
export type DestinationState = z.infer<typeof DestinationState>
export type MatrixDestination = z.infer<typeof MatrixDestination>
export type Take = z.infer<typeof Take>
export type SalvoFields = z.infer<typeof SalvoFields>
export type Salvo = z.infer<typeof Salvo>
export type ScheduledTake = z.infer<typeof ScheduledTake>
export type PanelSettings = z.infer<typeof PanelSettings>
export type PanelState = z.infer<typeof PanelState>
export type Matrix = z.infer<typeof Matrix>
export type MatrixList = z.infer<typeof MatrixList>

/** Errors of a take. */
const takeErrors = {
  [INVALID_ARG]: '',
  [WRITE_FAILED]: 'with `failed`',
  [NOT_EXIST]: '',
  [TOO_MANY]: '64 scheduled takes',
  [NOT_PERMITTED]: '',
  [WRONG_STATE]: 'with `locked`',
  [STATE_CHANGED]: 'with `matrix-changed` for another `revision`'
}

export const routerSchemas = {
  'GET /ndi/router/list': {
    summary: 'Lists the matrices of the NDI router.',
    request: z.object({ ...page, since, mark }),
    response: MatrixList,
    responseNote: 'list of matrices, `runtime` (`version`; or `reason` and `next-step`)',

    source: 'own',
    examples: [{}, { start: 0, count: 10000, since: 1, mark: 'x' }]
  },
  'POST /ndi/router/add': {
    summary: 'Adds a matrix.',
    operation: ['Add matrix', '添加矩阵'],
    request: z.object(fields),
    requestNote: 'a source has `label` and `name`, a destination `label`',
    response: z.object({
      id: z.int()
    }),
    errors: { [TOO_MANY]: '16 matrices', [NAME_EXISTS]: '' },
    source: 'own',
    examples: [{ name: 'Studio', machine: 'Studio', sources: [], destinations: [{}] }]
  },
  'POST /ndi/router/set': {
    summary:
      'Changes the fields that are given. Routes follow the names of the sources: a destination keeps its source if that moves in the list, gets the new source if another one takes its position, and is disconnected if it is removed. Salvos and scheduled takes change likewise.',
    operation: ['Edit matrix', '编辑矩阵'],
    request: z.object({
      id,
      name: fields.name.optional(),
      machine: fields.machine.optional(),
      sources: fields.sources.optional(),
      destinations: fields.destinations.optional(),
      panel: panel.optional(),
      force
    }),
    requestNote: '`id`; any of `name`, `machine`, `sources`, `destinations`, `panel`; `force`',
    errors: {
      [NOT_EXIST]: '',
      [NAME_EXISTS]: '',
      [OBJECT_BUSY]: 'with `with-receivers`',
      [PORT_OCCUPIED]: 'with `holder`',
      [WRONG_STATE]: 'with `locked`'
    },
    source: 'own',
    examples: [{ id: 1 }]
  },
  'POST /ndi/router/del': {
    summary: 'Deletes a matrix.',
    operation: ['Delete matrix', '删除矩阵'],
    request: z.object({ id, force }),
    errors: { [NOT_EXIST]: '', [OBJECT_BUSY]: 'with `with-receivers`', [WRONG_STATE]: 'with `locked`' },
    source: 'own',
    examples: [{ id: 1 }, { id: 1, force: true }]
  },
  'POST /ndi/router/route': {
    summary: 'Makes all of the takes, or none.',
    operation: ['Take', '切换'],
    request: z.object({
      id,
      takes: takes.describe('`destination`, `source`'),
      override: override.describe('Ignores locks. Only for the Admin group; others get 31'),
      at: id.optional().describe('Schedules the takes instead, in seconds since the epoch'),
      name: label.optional().describe('Name of the scheduled take'),
      revision: revision.describe(
        '`revision` of the matrix that the user saw. The call fails with 1004 and changes nothing if it has another one. Default: any'
      )
    }),
    requestNote: '`at` and `name` schedule the takes',
    response: z.object({
      scheduled: z.number().optional().describe('id')
    }),
    errors: takeErrors,
    source: 'own',
    examples: [{ id: 1, takes: [{ destination: 1, source: 0 }] }]
  },
  'POST /ndi/router/lock': {
    summary: 'Locks a destination for the caller, or unlocks it.',
    operation: ['Lock or unlock destination', '锁定或解锁目标'],
    request: z.object({
      id,
      destination: index,
      locked: z.boolean(),
      override,
      revision: revision.describe(
        '`revision` of the matrix that the user saw. The call fails with 1004 and changes nothing if it has another one. Default: any'
      )
    }),
    errors: {
      [NOT_EXIST]: '',
      [NOT_PERMITTED]: '',
      [WRONG_STATE]: 'with `locked`',
      [STATE_CHANGED]: 'with `matrix-changed`'
    },
    source: 'own',
    examples: [
      { id: 1, destination: 1, locked: true },
      { id: 1, destination: 64, locked: false, override: true, revision: 1 }
    ]
  },
  'POST /ndi/router/salvo/add': {
    summary: 'Adds a salvo.',
    operation: ['Add salvo', '添加批量切换'],
    request: z.object({ id, name: label, takes }),
    response: z.object({
      salvo: z.number().describe('id')
    }),
    errors: { [NOT_EXIST]: '', [TOO_MANY]: '64 salvos', [NAME_EXISTS]: '' },
    source: 'own',
    examples: [{ id: 1, name: 'News', takes: [{ destination: 1, source: 0 }] }]
  },
  'POST /ndi/router/salvo/set': {
    summary: 'Changes a salvo.',
    operation: ['Edit salvo', '编辑批量切换'],
    request: z.object({ id, salvo: id, name: label.optional(), takes: takes.optional() }),
    errors: { [NOT_EXIST]: '', [NAME_EXISTS]: '' },
    source: 'own',
    examples: [{ id: 1, salvo: 1 }]
  },
  'POST /ndi/router/salvo/del': {
    summary: 'Deletes a salvo.',
    operation: ['Delete salvo', '删除批量切换'],
    request: z.object({ id, salvo: id }),
    errors: { [NOT_EXIST]: '' },
    source: 'own',
    examples: [{ id: 1, salvo: 1 }]
  },
  'POST /ndi/router/salvo/take': {
    summary: 'Makes the takes of a salvo.',
    operation: ['Take salvo', '执行批量切换'],
    request: z.object({
      id,
      salvo: id,
      override,
      revision: revision.describe(
        '`revision` of the matrix that the user saw. The call fails with 1004 and changes nothing if it has another one. Default: any'
      )
    }),
    errors: takeErrors,
    source: 'own',
    examples: [
      { id: 1, salvo: 1 },
      { id: 1, salvo: 1, override: true, revision: 1 }
    ]
  },
  'POST /ndi/router/undo': {
    summary:
      'Undoes the last take, which is a take itself. As `takeRoutes`; 16 if there is nothing to undo; 1004 if `take` is not the last take.',
    operation: ['Undo take', '撤销切换'],
    request: z.object({
      id,
      take: id.optional().describe('the take to undo, as in `undo` of the matrix; default: the last one'),
      override
    }),
    errors: {
      ...takeErrors,
      [NOT_EXIST]: 'if there is nothing to undo',
      [STATE_CHANGED]: 'if somebody has made another take since'
    },
    source: 'own',
    examples: [{ id: 1 }, { id: 1, take: 1772000000123, override: true }]
  },
  'POST /ndi/router/schedule/del': {
    summary: 'Deletes a scheduled take.',
    operation: ['Delete scheduled take', '删除定时切换'],
    request: z.object({ id, scheduled: id }),
    errors: { [NOT_EXIST]: '' },
    source: 'own',
    examples: [{ id: 1, scheduled: 1 }]
  }
} satisfies CallSchemas
