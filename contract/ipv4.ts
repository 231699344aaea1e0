// Arithmetic of IPv4 addresses and subnets.
import { isIpv4 } from './rules/rules.ts'

/** Converts an IPv4 address to an unsigned 32-bit number; NaN if it is not an IPv4 address. */
export function ipv4Number(value: string): number {
  return isIpv4(value) ? value.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0) : Number.NaN
}

/** Converts an unsigned 32-bit number to an IPv4 address. */
export function ipv4Text(number: number): string {
  return [24, 16, 8, 0].map((shift) => Math.floor(number / 2 ** shift) % 256).join('.')
}

/** Length of the prefix of a valid subnet mask. */
export const prefixLength = (netmask: string): number => 32 - Math.log2(2 ** 32 - ipv4Number(netmask))

/** The subnet mask of a prefix length. */
export const maskOfPrefix = (prefix: number): string => ipv4Text(2 ** 32 - 2 ** (32 - prefix))

/**
 * First and last address that hosts of a subnet can have. /31 and /32 have no network and broadcast address (RFC
 * 3021).
 */
export function hostRange(address: string, netmask: string): { min: string; max: string } {
  const size = 2 ** (32 - prefixLength(netmask))
  const network = Math.floor(ipv4Number(address) / size) * size
  const reserved = size > 2 ? 1 : 0
  return { min: ipv4Text(network + reserved), max: ipv4Text(network + size - 1 - reserved) }
}
