// Why an NDI source is not found, and where the hub searches.
import * as z from 'zod'

/**
 * - `ipv6-only`: the hub has IPv6 addresses alone, which NDI does not use
 * - `ended`: other sources of its machine are found, so that the source itself has ended, or has another name
 * - `machine-off`: no source of its machine is found
 * - `settings`: parts of the NDI settings of the hub cannot be used
 * - `interface`: it may be in a network whose interface the NDI settings leave out
 * - `group`: it may be in a group in which the hub does not search
 * - `subnet`: it may be in another network, which multicast does not reach
 * - `discovery-server`: it may be announced to a discovery server alone, or to another one than that of the hub
 * - `firewall`: a firewall may block multicast DNS or the source
 * - `runtime`: without the NDI runtime the hub does not find sources of groups and of discovery servers
 */
export const MissingReason = z.enum([
  'ipv6-only',
  'ended',
  'machine-off',
  'settings',
  'interface',
  'group',
  'subnet',
  'discovery-server',
  'firewall',
  'runtime'
])
/** Where the hub searches sources, by its NDI settings. */
export const NdiSearchSettings = z.object({
  groups: z.string().describe('Groups, separated by commas. Empty: Public'),
  servers: z.array(z.string()).describe('Discovery servers that are used'),
  ifaces: z.array(z.string()).describe('Network interfaces, each as name or IPv4 address. Empty: all'),
  unusable: z
    .array(z.string())
    .describe('Hosts of the settings that are unknown or forbidden, and interfaces that do not exist')
})

export type MissingReason = z.infer<typeof MissingReason>
export type NdiSearchSettings = z.infer<typeof NdiSearchSettings>
