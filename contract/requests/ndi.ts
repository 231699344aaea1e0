// Request schemas of the calls for NDI.
import * as z from 'zod'
import { BUFFER_MAX, BUFFER_MIN, NDI_DISCOVERY_SERVERS_MAX, NDI_EXTRA_IPS_MAX, TTL_MAX } from '../limits.ts'
import { addNdiPreset, deleteNdiPresets, listNdiPresets, setNdiPreset } from '../ndi/preset.ts'
import { getNdiStatus } from '../ndi/status.ts'
import { NDI_TRANSPORT_MAX } from '../ndi/transport.ts'
import { hostWithPort, ndiGroups, ndiSourceName } from '../rules/ndi.ts'
import { ipv4, multicastAddress, subnetMask } from '../rules/network.ts'
import { optional, streamName } from '../rules/rules.ts'
import { listNdiSources } from '../stream/ndi.ts'
import { defineSchema, emptyRequest, id, ids, page, text, textRule, wholeNumber } from './schema.ts'

defineSchema(getNdiStatus, emptyRequest)
defineSchema(listNdiSources, z.object({ ...page, key: text.optional() }))

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
const preset = { name: textRule(streamName), ndi: presetSource, force: z.boolean().optional() }
defineSchema(listNdiPresets, z.object({ ...page, key: text.optional() }))
defineSchema(addNdiPreset, z.object(preset))
defineSchema(setNdiPreset, z.object({ id, ...preset }))
defineSchema(deleteNdiPresets, z.object({ id: ids, force: z.boolean().optional() }))
