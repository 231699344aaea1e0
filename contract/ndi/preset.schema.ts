// Schemas of ndi/preset.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import {
  BAD_ADDRESS,
  INVALID_ARG,
  LICENSE_LIMIT,
  NAME_EXISTS,
  NDI_SOURCE_OFFLINE,
  NDI_SOURCE_ONLINE,
  NOT_EXIST,
  OBJECT_BUSY
} from '../codes.ts'
import { family, id, ids, listOf, own, page, text, textRule, trashed, vendor, wholeNumber } from '../fields.schema.ts'
import { BUFFER_MAX, BUFFER_MIN, NDI_DISCOVERY_SERVERS_MAX, NDI_EXTRA_IPS_MAX, TTL_MAX } from '../limits.ts'
import { dryRun } from '../off-air.schema.ts'
import { hostWithPort, ndiGroups, ndiSourceName } from '../rules/ndi.ts'
import { ipv4, multicastAddress, subnetMask } from '../rules/network.ts'
import { optional, streamName } from '../rules/rules.ts'
import { NdiTransportFields } from './transport.schema.ts'
import { NDI_TRANSPORT_MAX } from './transport.ts'

const optionalText = (rule: Parameters<typeof optional>[0]) => textRule(optional(rule)).optional()

const presetSource = z.object({
  name: textRule(ndiSourceName),
  url: optionalText(hostWithPort),
  group: optionalText(ndiGroups),
  'transport-mode': wholeNumber(0, NDI_TRANSPORT_MAX).optional(),
  'mcast-ip': optionalText(multicastAddress),
  'mcast-sub-mask': optionalText(subnetMask),
  'mcast-time-to-live': wholeNumber(1, TTL_MAX).optional(),
  'extra-ips': z.array(textRule(ipv4)).max(NDI_EXTRA_IPS_MAX).optional(),
  'low-bw': z.boolean().optional(),
  'discovery-server': z.array(textRule(hostWithPort)).max(NDI_DISCOVERY_SERVERS_MAX).optional(),
  'buffer-ms': wholeNumber(BUFFER_MIN, BUFFER_MAX).optional()
})

export const preset = { name: textRule(streamName).describe('alias'), ndi: presetSource, force: z.boolean().optional() }

/**
 * Where a source is found, and how it is received. Empty text, empty lists and `false` mean the same as an absent
 * field.
 */
export const NdiPresetSource = z.object({
  name: z.string().meta(family('NDI name, `MACHINE (Source)`, 1-253 characters')),
  url: z.string().optional().meta(family('Host with an optional port, for a source that discovery does not find')),
  group: z.string().optional().meta(own('Groups, separated by commas; absent: those of the hub')),
  ...NdiTransportFields.shape,
  'extra-ips': z
    .array(z.string())
    .optional()
    .meta(own('Up to 16 IPv4 addresses of machines on other networks, which the hub asks for their sources')),
  'low-bw': z.boolean().optional().meta(family('`true`: receives the preview with low resolution')),
  'discovery-server': z
    .array(z.string())
    .optional()
    .meta(own('Up to 2 hosts with an optional port; absent: those of the hub')),
  'buffer-ms': z.int().optional().meta(family('Playback buffer, 1-2000 ms'))
})
export const NdiPresetFields = z.object({
  name: z.string().describe('Alias: the name of the input'),
  ndi: NdiPresetSource
})
export const NdiPreset = z.object({
  ...NdiPresetFields.shape,
  id: z.int().meta(vendor('Node id; also usable as the id of a channel input or output')),
  url: z.string().describe('The URL of the input'),
  state: z
    .union([z.literal(NDI_SOURCE_ONLINE), z.literal(NDI_SOURCE_OFFLINE)])
    .optional()
    .describe(
      'Whether discovery finds the source now, and its machine answers. Absent if that is unknown: the machine has never answered, or the preset searches in other places than the hub'
    ),
  'owner-i': z
    .array(z.string())
    .optional()
    .meta(vendor('Names of the channels that use it. For callers with CHANNEL_VIEW')),
  'owner-i-d': z.array(z.number()).optional().meta(vendor('Ids of the channels in `owner-i`, in the same order')),
  'owner-hidden': z.literal(true).optional().meta(own('`true`: a channel that the caller may not see uses or plays it'))
})

export type NdiPresetSource = z.infer<typeof NdiPresetSource>
export type NdiPresetFields = z.infer<typeof NdiPresetFields>
export type NdiPreset = z.infer<typeof NdiPreset>

export const ndiPresetSchemas = {
  'GET /ndi/preset/list': {
    summary: 'Lists the presets by alias.',
    request: z.object({ ...page, key: text.optional().describe('substring of the alias or the NDI name') }),
    response: listOf(NdiPreset),
    responseNote: 'list of presets by alias',

    source: 'own',
    examples: [{}, { start: 0, count: 10000, key: 'cam' }]
  },
  'POST /ndi/preset/add': {
    summary: 'Adds an NDI preset. Returns the id. Other inputs are not overwritten.',
    operation: ['Add NDI preset', '添加 NDI 预设'],
    request: z.object({ ...preset, ...dryRun }),
    requestNote: '`force` overwrites the preset with this name and keeps its id',
    response: z.object({
      id: z.int()
    }),
    errors: {
      [NAME_EXISTS]: 'with `owner-i` if the name is that of a preset, which can be overwritten',
      [INVALID_ARG]: '',
      [BAD_ADDRESS]: 'with `forbidden`',
      [LICENSE_LIMIT]: ''
    },
    source: 'own',
    examples: [{ name: 'Camera 1', ndi: { name: 'STUDIO (Cam 1)' } }]
  },
  'POST /ndi/preset/set': {
    summary: 'Changes an NDI preset.',
    operation: ['Edit NDI preset', '编辑 NDI 预设'],
    request: z.object({ id, ...preset, ...dryRun }),
    errors: {
      [NOT_EXIST]: '',
      [NAME_EXISTS]: '',
      [INVALID_ARG]: '',
      [BAD_ADDRESS]: '',
      [LICENSE_LIMIT]: '',
      [OBJECT_BUSY]: 'with `same-host`'
    },
    source: 'own',
    examples: [{ id: 1, name: 'Camera 1', ndi: { name: 'STUDIO (Cam 1)' } }]
  },
  'POST /ndi/preset/del': {
    summary: 'Deletes all of the presets, or none: 16; 1005 if a channel uses one; `force` overrides.',
    operation: ['Delete NDI presets', '删除 NDI 预设'],
    request: z.object({ id: ids.describe('one or several'), force: z.boolean().optional(), ...dryRun }),
    response: trashed,
    responseNote: '`trash`: ids of the entries in the [trash](#trash)',
    errors: { [NOT_EXIST]: '', [OBJECT_BUSY]: 'with `owner-i`' },
    source: 'own',
    examples: [{ id: 1 }, { id: [1, 2], force: true }]
  }
} satisfies CallSchemas
