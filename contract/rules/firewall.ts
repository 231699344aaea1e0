// Rules for the rules of a firewall.
import { FIREWALL_REMARK_MAX } from '../limits.ts'
import { characterLength, type Fault, optional, printable } from './rules.ts'

const lengthOfRemark = characterLength(1, FIREWALL_REMARK_MAX)

/** Remark of a firewall rule: optional, at most 64 characters on one line. */
export const firewallRemark = optional((value: string): Fault | undefined => printable(value) ?? lengthOfRemark(value))

/**
 * Makes a rule: ports that no other rule with the same protocol has.
 * @param others ports and protocols of the other rules
 */
export function unusedPorts(others: readonly { port: string; protocol: number }[]) {
  return (value: string, { protocol }: { protocol: string }): Fault | undefined =>
    others.some((other) => other.port === value && String(other.protocol) === protocol) ? { name: 'taken' } : undefined
}
