// Schemas of alert/maintenance.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { INVALID_ARG, NOT_EXIST, TOO_MANY } from '../codes.ts'
import { emptyRequest, id, listOf, own, serial, text, wholeNumber } from '../fields.schema.ts'
import { MAINTENANCE_HOURS_MAX, MAINTENANCE_MAX, MAINTENANCE_NOTE_MAX } from './maintenance.ts'

export const Maintenance = z.object({
  id: z.int().meta(own('Id of the maintenance')),
  channel: z.int().optional().meta(own('Id of the channel')),
  sn: z.string().optional().meta(own('Serial number of the device')),
  tag: z.int().optional().meta(own('Id of the tag, of all channels and devices that have it')),
  name: z.string().meta(own('Name of the channel, device or tag')),
  from: z.int().meta(own('When it began, in milliseconds since the epoch')),
  until: z.int().meta(own('When it ends by itself, in milliseconds since the epoch')),
  'remaining-s': z.int().meta(own('Seconds until it ends')),
  note: z.string().meta(own('Note of the user, at most 200 characters; may be empty')),
  by: z.string().meta(own('Name of the user'))
})

export type Maintenance = z.infer<typeof Maintenance>

export const maintenanceSchemas = {
  'GET /alert/maintenance/list': {
    summary: 'Lists the channels, devices and tags in maintenance. The hub sends no notifications about them.',
    request: emptyRequest,
    response: listOf(Maintenance),
    responseNote: 'list of maintenances, the one that ends first at the beginning',
    source: 'own',
    examples: [{}]
  },
  'POST /alert/maintenance/add': {
    summary:
      'Puts a channel, a device, or all objects with a tag in maintenance. An object that is already in maintenance gets the new end.',
    operation: ['Start maintenance', '开始维护'],
    request: z.object({
      channel: id.optional().describe('one of `channel`, `sn` and `tag`'),
      sn: serial.optional(),
      tag: id.optional(),
      hours: wholeNumber(1, MAINTENANCE_HOURS_MAX).describe('after which it ends by itself, 1-720'),
      note: text.max(MAINTENANCE_NOTE_MAX).optional()
    }),
    response: z.object({ id: z.int().meta(own('Id of the maintenance')) }),
    errors: { [INVALID_ARG]: '', [NOT_EXIST]: '', [TOO_MANY]: `${MAINTENANCE_MAX} in maintenance` },
    source: 'own',
    examples: [{ hours: 1 }, { channel: 3, hours: 2, note: 'New encoder' }]
  },
  'POST /alert/maintenance/del': {
    summary: 'Ends a maintenance.',
    operation: ['End maintenance', '结束维护'],
    request: z.object({ id }),
    errors: { [NOT_EXIST]: '' },
    source: 'own',
    examples: [{ id: 1 }]
  }
} satisfies CallSchemas
