// Schemas of ndi/settings.
import * as z from 'zod'
import { faultIssue, port, textRule } from '../fields.schema.ts'
import { NDI_DISCOVERY_SERVERS_MAX, NDI_EXTRA_IPS_MAX, NDI_IFACES_MAX } from '../limits.ts'
import { ndiGroups } from '../rules/ndi.ts'
import { ndiMachineName } from '../rules/ndi-names.ts'
import { networkInterface } from '../rules/network.ts'
import { ipv4Host, optional } from '../rules/rules.ts'
import { NDI_SERVER_STATES } from './settings.ts'

const groups = textRule(optional(ndiGroups))

export const NdiServerState = z.enum(NDI_SERVER_STATES)
export const NdiServerAddress = z.object({ address: textRule(ipv4Host).describe('IPv4 address or host name'), port })
/** How the hub announces and finds NDI sources. Applies to NDI processes that start afterwards. */
export const NdiDiscoverySettings = z
  .object({
    enable: z
      .boolean()
      .describe(
        'Whether the discovery servers are used. Then sources of the hub are announced to them alone, and not by mDNS'
      ),
    servers: z
      .array(NdiServerAddress)
      .max(NDI_DISCOVERY_SERVERS_MAX)
      .describe('Up to two servers, which are used at the same time'),
    'send-groups': groups.describe("Groups of the hub's own sources, separated by commas. Empty: Public"),
    'recv-groups': groups.describe('Groups whose sources the hub finds. Empty: Public'),
    'extra-ips': z
      .array(textRule(ipv4Host).meta({ example: '192.0.2.7' }))
      .max(NDI_EXTRA_IPS_MAX)
      .describe(
        'IPv4 addresses and host names of machines that are asked for their sources, for networks that mDNS does not reach'
      ),
    'machine-name': textRule(ndiMachineName).describe(
      'Name under which the hub announces its sources. Empty: its host name'
    ),
    ifaces: z
      .array(textRule(networkInterface))
      .max(NDI_IFACES_MAX)
      .describe('Network interfaces that NDI uses, each as name or IPv4 address. Empty: all')
  })
  // Without a server, the sources of the hub would be announced to nobody.
  .superRefine(({ enable, servers }, context) => {
    if (enable && servers.length === 0) context.addIssue({ ...faultIssue({ name: 'required' }), path: ['servers'] })
  })
/** The discovery server of the hub itself, a program of the vendor. */
export const NdiServerSettings = z.object({ enable: z.boolean(), port })

export type NdiServerState = z.infer<typeof NdiServerState>
export type NdiServerAddress = z.infer<typeof NdiServerAddress>
export type NdiDiscoverySettings = z.infer<typeof NdiDiscoverySettings>
export type NdiServerSettings = z.infer<typeof NdiServerSettings>
