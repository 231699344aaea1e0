// Rules for the rules of a firewall.
import { FIREWALL_REMARK_MAX } from '../limits.ts'
import { clientRange } from './network.ts'
import { characterLength, type Fault, optional, printable } from './rules.ts'

const lengthOfRemark = characterLength(1, FIREWALL_REMARK_MAX)

/** Remark of a firewall rule: optional, at most 64 characters on one line. */
export const firewallRemark = optional((value: string): Fault | undefined => printable(value) ?? lengthOfRemark(value))

/**
 * Source of a firewall rule: optional; an IPv4 or IPv6 address, or a network in CIDR notation such as `192.168.1.0/24`.
 */
export const firewallSource = optional((value: string): Fault | undefined =>
  value.includes('-') ? { name: 'invalid' } : clientRange(value)
)

/**
 * Makes a rule: ports that no other rule with the same protocol and source has.
 * @param others ports, protocols and sources of the other rules
 */
export function unusedPorts(others: readonly { port: string; protocol: number; source?: string | undefined }[]) {
  return (value: string, { protocol, source = '' }: { protocol: string; source?: string }): Fault | undefined =>
    others.some(
      (other) => other.port === value && String(other.protocol) === protocol && (other.source ?? '') === source
    )
      ? { name: 'taken' }
      : undefined
}
