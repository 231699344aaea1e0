// Rules for the settings of an NDI source.
import { NDI_DISCOVERY_SERVERS_MAX, NDI_EXTRA_IPS_MAX, NDI_GROUPS_LENGTH_MAX, NDI_NAME_MAX } from '../limits.ts'
import { ipv4 } from './network.ts'
import { type Fault, ipv4Host, port, printable, required } from './rules.ts'

/** NDI name of a source as announced, `MACHINE (Source)`: 1-253 characters, the length of a DNS name, printable. */
export function ndiSourceName(value: string): Fault | undefined {
  return (
    required(value) ??
    (value.length > NDI_NAME_MAX ? { name: 'length', min: 1, max: NDI_NAME_MAX } : undefined) ??
    printable(value)
  )
}

/** Host with an optional port, such as `10.0.0.9:5961`. NDI finds sources over IPv4 only. */
export function hostWithPort(value: string): Fault | undefined {
  const [name = '', portText = '1', ...more] = value.split(':')
  return required(value) ?? (more.length > 0 ? { name: 'invalid' } : (ipv4Host(name) ?? port(portText)))
}

/** NDI groups, separated by commas without spaces around them: at most 253 characters, printable. */
export function ndiGroups(value: string): Fault | undefined {
  if (value.length > NDI_GROUPS_LENGTH_MAX) return { name: 'length', min: 1, max: NDI_GROUPS_LENGTH_MAX }
  const isListed = value.split(',').every((group) => group !== '' && group.trim() === group)
  return required(value) ?? printable(value) ?? (isListed ? undefined : { name: 'invalid' })
}

/** Makes a rule: one to `max` entries separated by commas, each of which satisfies the rule. */
function listOf(rule: (value: string) => Fault | undefined, max: number): (value: string) => Fault | undefined {
  return (value) => {
    const entries = value.split(',')
    if (entries.length > max) return { name: 'invalid' }
    for (const entry of entries) {
      const fault = rule(entry)
      if (fault) return fault
    }
    return undefined
  }
}

/** IPv4 addresses of machines on other networks, separated by commas: 1-16. */
export const ndiExtraIps = listOf(ipv4, NDI_EXTRA_IPS_MAX)

/** NDI discovery servers, separated by commas: one or two hosts with an optional port. */
export const ndiDiscoveryServers = listOf(hostWithPort, NDI_DISCOVERY_SERVERS_MAX)
