// Schemas of the settings of NDI, which are parts of `setSettings`.
import * as z from 'zod'
import { NDI_DISCOVERY_SERVERS_MAX, NDI_EXTRA_IPS_MAX, NDI_IFACES_MAX } from '../../limits.ts'
import { ndiGroups } from '../../rules/ndi.ts'
import { ndiMachineName } from '../../rules/ndi-names.ts'
import { networkInterface } from '../../rules/network.ts'
import { host, optional } from '../../rules/rules.ts'
import { port, textRule } from '../schema.ts'

const groups = textRule(optional(ndiGroups))

const discovery = z
  .object({
    enable: z.boolean(),
    servers: z.array(z.object({ address: textRule(host), port })).max(NDI_DISCOVERY_SERVERS_MAX),
    'send-groups': groups,
    'recv-groups': groups,
    'extra-ips': z.array(textRule(host)).max(NDI_EXTRA_IPS_MAX),
    'machine-name': textRule(ndiMachineName),
    ifaces: z.array(textRule(networkInterface)).max(NDI_IFACES_MAX)
  })
  // Without a server, the sources of the hub would be announced to nobody.
  .refine(({ enable, servers }) => !enable || servers.length > 0, { path: ['servers'] })

export const ndiSettings = {
  'ndi-discovery': discovery.optional(),
  channel: z.object({ 'ndi-enable': z.boolean() }).optional(),
  'hub-ndi-server': z.object({ enable: z.boolean(), port }).optional()
}
