// Schemas of trash.
import * as z from 'zod'
import type { CallSchemas } from './call.schema.ts'
import { ALREADY_EXISTS, BAD_ADDRESS, LICENSE_LIMIT, NOT_EXIST, OBJECT_BUSY, TOO_MANY } from './codes.ts'
import { ids, listOf, own, page } from './fields.schema.ts'
import { TRASH_KINDS } from './trash.ts'

export const TrashKind = z.enum(TRASH_KINDS)

export const TrashEntry = z.object({
  id: z.int().meta(own('Id of the entry')),
  kind: TrashKind.meta(own('`channel`, `input` (also an NDI preset), `output`, `preset`, `catalog`')),
  object: z.int().meta(own('Id that the object had, and has again when it is restored')),
  name: z.string().meta(own('Name of the object')),
  protocol: z.int().optional().meta(own('Of an input, output or preset: protocol bit')),
  time: z.int().meta(own("When it was deleted, in milliseconds since the epoch by the hub's clock")),
  expires: z
    .int()
    .meta(
      own(
        'When the hub deletes the entry, in the same unit. The trash has at most 1000 entries: a further one replaces the oldest'
      )
    ),
  by: z
    .string()
    .optional()
    .meta(
      own(
        'Name of the user who deleted the object. Absent unless the caller is that user, or may read the operation log'
      )
    )
})

export const LeftOutPart = z.object({
  of: z
    .enum([
      'name',
      'port',
      'play-key',
      'push-key',
      'key',
      'sub-key',
      'input',
      'backup',
      'output',
      'device',
      'channel',
      'parent',
      'members',
      'tag',
      'start'
    ])
    .describe('the part of the object that differs from before'),
  was: z.string().optional().describe('name or port before; absent for keys, and for what the caller may not see'),
  now: z.string().optional().describe('name or port that it has instead')
})

export const RestoredObject = z.object({
  id: z.int().describe('id of the entry'),
  kind: TrashKind,
  object: z.int().describe('id of the object'),
  name: z.string().describe('its name, which can differ from the one before'),
  'left-out': z.array(LeftOutPart).describe('the parts that were not restored, or were replaced'),
  notes: z.array(z.string()).describe('the same as sentences, in the language of the request')
})

export type TrashKind = z.infer<typeof TrashKind>
export type TrashEntry = z.infer<typeof TrashEntry>
export type LeftOutPart = z.infer<typeof LeftOutPart>
export type RestoredObject = z.infer<typeof RestoredObject>

export const trashSchemas = {
  'GET /trash/list': {
    summary:
      'Lists the objects that were deleted in the last 30 days and that the caller could have deleted, the newest first.',
    request: z.object(page),
    response: listOf(TrashEntry),
    responseNote: 'list of entries, the newest first',
    source: 'own',
    examples: [{}, { start: 0, count: 100 }]
  },
  'POST /trash/restore': {
    summary:
      'Restores entries, all or none, with the ids that the objects had. Names, ports and keys that are in use are replaced. A channel is stopped, unless `start` is set and it was on when it was deleted.',
    operation: ['Restore from trash', '从回收站恢复'],
    request: z.object({
      id: ids.describe('one or several entries'),
      start: z.boolean().optional().describe('`true`: channels that were on are started again'),
      force: z.boolean().optional()
    }),
    response: z.object({ restored: z.array(RestoredObject) }),
    responseNote:
      '`restored`: for each entry `id`, `kind`, `object`, `name`; `left-out`: the parts that were not restored or were replaced, each with `of` and, if known, `was` and `now`; `notes`: the same as sentences',
    errors: {
      [NOT_EXIST]: '',
      [ALREADY_EXISTS]: 'another output sends to its target',
      [LICENSE_LIMIT]: 'no further channel',
      [TOO_MANY]: '64 presets',
      [OBJECT_BUSY]: 'with `same-host`',
      [BAD_ADDRESS]: 'with `forbidden`'
    },
    source: 'own',
    examples: [{ id: 1 }, { id: [1, 2], start: true, force: true }]
  },
  'POST /trash/del': {
    summary: 'Deletes entries for good, all or none.',
    operation: ['Delete from trash', '从回收站彻底删除'],
    request: z.object({ id: ids.describe('one or several entries') }),
    errors: { [NOT_EXIST]: '' },
    source: 'own',
    examples: [{ id: 1 }, { id: [1, 2] }]
  }
} satisfies CallSchemas
