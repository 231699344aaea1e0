// Rules for addresses: specification 5. IPv4 only, which is what the devices speak.
import { type Fault, host, isDomain, isIpv4, noSpace, port, printable, required, streamKey } from './rules.ts'

const INVALID: Fault = { name: 'invalid' }

/** IPv4 address: four numbers, the first 1-255, without leading zeros, which some readers take for octal ones. */
export function ipv4(value: string): Fault | undefined {
  return required(value) ?? (isIpv4(value) ? undefined : INVALID)
}

/** Domain: at least two labels of up to 63 letters, digits and hyphens that begin with a letter or digit. */
export function domain(value: string): Fault | undefined {
  return required(value) ?? (isDomain(value) ? undefined : INVALID)
}

/** IPv4 address, or a range of them by the bits that its addresses have in common, as `10.0.0.0/8`. */
export function ipRange(value: string): Fault | undefined {
  const [address = '', bits = '32', ...more] = value.split('/')
  return (
    required(value) ??
    (isIpv4(address) && /^(?:[1-9]|[12]\d|3[0-2])$/.test(bits) && more.length === 0 ? undefined : INVALID)
  )
}

export interface ListOptions {
  /** Default: a comma. */
  separator?: string
  /** The whole list may be empty. An empty entry between two separators is wrong all the same. */
  allowEmpty?: boolean
}

/** Makes a rule: IP addresses or domains in a list. No spaces around the separator: the list is kept, and handed on, as it is typed. */
export function hostList({
  separator = ',',
  allowEmpty = false
}: ListOptions = {}): (value: string) => Fault | undefined {
  return (value) => {
    if (value === '') return allowEmpty ? undefined : { name: 'required' }
    return noSpace(value) ?? (value.split(separator).some((entry) => host(entry)) ? INVALID : undefined)
  }
}

/** An IPv4 address as a number of 32 bits, to compare it. Of a text that is none: NaN. */
export function ipv4Number(value: string): number {
  return isIpv4(value) ? value.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0) : Number.NaN
}

/** Makes a rule: an IPv4 address from `min` to `max`, both included and both addresses. */
export function ipBetween(min: string, max: string): (value: string) => Fault | undefined {
  return (value) => {
    const number = ipv4Number(value)
    return (
      ipv4(value) ?? (number < ipv4Number(min) || number > ipv4Number(max) ? { name: 'range', min, max } : undefined)
    )
  }
}

/** Multicast address: 224.0.0.0 to 239.255.255.255 (RFC 5771). */
export const multicastAddress = ipBetween('224.0.0.0', '239.255.255.255')

/**
 * Last address of a range whose first one is in `field`: an IPv4 address that is not the lower one. A range of one address is one,
 * other than with ports, where the specification wants the first to be less.
 */
export function ipNotBelow<Field extends string>(field: Field) {
  return (value: string, all: Record<Field, string>): Fault | undefined =>
    ipv4(value) ?? (ipv4Number(value) < ipv4Number(all[field]) ? { name: 'order' } : undefined)
}

/** Subnet mask: ones, then zeros, /1 to /32. With a first octet of 0 it would be no mask but all addresses. */
export function subnetMask(value: string): Fault | undefined {
  const zeros = 2 ** 32 - ipv4Number(value)
  return ipv4(value) ?? (Number.isInteger(Math.log2(zeros)) ? undefined : INVALID)
}

const LIVE_URL = /^(?:rtmps?:\/\/)?([^\s:@/?#]+)(?::(\d+))?((?:\/[^\s/?#]+)+\/?(?:\?[^\s#]*)?)$/i

/**
 * URL to which a device streams: rtmp or rtmps, which may be left out, an IP address or a domain, a port where it is not the usual one,
 * and at least one path segment. No login: a device has fields of its own for that. Of characters those of a URL, as in `parseSourceUrl`.
 */
export function liveUrl(value: string): Fault | undefined {
  const fault = required(value) ?? noSpace(value)
  if (fault) return fault
  const [, name = '', portText = '1', path = ''] = LIVE_URL.exec(value) ?? []
  if (!name) return /^(?!rtmps?:)[a-z][a-z+.-]*:\/\//i.test(value) ? { name: 'scheme' } : INVALID
  if (host(name) || !/^[!-~]+$/.test(path) || /[\\"'`<>|{}^]/.test(path)) return INVALID
  return port(portText)
}

/** Network interface that multicast goes through: its name as the system has it, or its IPv4 address. */
export function networkInterface(value: string): Fault | undefined {
  return required(value) ?? (/^[a-z][\w.-]{0,14}$/i.test(value) || isIpv4(value) ? undefined : { name: 'invalid' })
}

/** Key that is a part of an address: as a stream's, of letters, digits and `_-` only, so that it is written in a URL as it is. */
export function pathKey(value: string): Fault | undefined {
  return streamKey(value) ?? (/^[\w-]+$/.test(value) ? undefined : { name: 'characters' })
}

/** User name of a login that travels as Basic or Digest: what those take apart by is not in it. */
export function loginName(value: string): Fault | undefined {
  return required(value) ?? printable(value) ?? (/[":\\]/.test(value) ? { name: 'characters' } : undefined)
}
