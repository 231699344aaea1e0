// Rules for network addresses. Most are for IPv4 only, because the devices support IPv4 only.
import { ipv4Number } from '../ipv4.ts'
import { withoutBrackets } from '../ipv6.ts'
import { HOST_NAME_MAX } from '../limits.ts'
import {
  dottedStreamName,
  type Fault,
  host,
  isIpv4,
  isIpv6,
  isIpv6Host,
  noSpace,
  port,
  printable,
  required,
  streamKey
} from './rules.ts'

const INVALID: Fault = { name: 'invalid' }

/** IPv4 address: four numbers, the first 1-255, without leading zeros, which some parsers read as octal. */
export function ipv4(value: string): Fault | undefined {
  return required(value) ?? (isIpv4(value) ? undefined : INVALID)
}

/** IPv4 address, or IPv6 address without brackets to which one can connect. */
export function ipAddress(value: string): Fault | undefined {
  return isIpv6Host(value) ? undefined : ipv4(value)
}

/** IPv4 or IPv6 address, or a range in CIDR notation such as `10.0.0.0/8` and `2001:db8::/32`. */
export function ipRange(value: string): Fault | undefined {
  const [address = '', bits = '1', ...more] = value.split('/')
  const bitsMax = isIpv4(address) ? 32 : isIpv6(address) ? 128 : 0
  const isRange = /^[1-9]\d{0,2}$/.test(bits) && Number(bits) <= bitsMax && more.length === 0
  return required(value) ?? (isRange ? undefined : INVALID)
}

/**
 * IPv4 or IPv6 address of a client, a range in CIDR notation, or IPv4 addresses from one to another:
 * `10.0.0.20-10.0.0.29`.
 */
export function clientRange(value: string): Fault | undefined {
  const [first = '', last, ...others] = value.split('-')
  if (last !== undefined) return others.length > 0 ? INVALID : (ipv4(first) ?? ipNotBelow('first')(last, { first }))
  return ipRange(value)
}

/**
 * Name or IP address of a host, IPv6 without brackets and zone, at most 253 characters. A name may have a single
 * label.
 */
export function hostName(value: string): Fault | undefined {
  if (value.length > HOST_NAME_MAX) return { name: 'length', min: 1, max: HOST_NAME_MAX }
  const isName = /^(?:(?!-)[\w-]{1,63}(?<!-)\.)*(?!-)[\w-]{1,63}(?<!-)$/.test(value)
  return required(value) ?? (isName || /^[\da-f:]*:[\da-f:.]*$/i.test(value) ? undefined : INVALID)
}

/** Makes a rule: an IPv4 address from `min` to `max`, both inclusive. */
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
 * Makes a rule: last address of a range whose first address is in `field`. A range of one address is valid, unlike a
 * port range (`portRange`).
 */
export function ipNotBelow<Field extends string>(field: Field) {
  return (value: string, all: Record<Field, string>): Fault | undefined =>
    ipv4(value) ?? (ipv4Number(value) < ipv4Number(all[field]) ? { name: 'order' } : undefined)
}

/** Subnet mask: contiguous ones followed by zeros, /1 to /32. */
export function subnetMask(value: string): Fault | undefined {
  const zeros = 2 ** 32 - ipv4Number(value)
  return ipv4(value) ?? (Number.isInteger(Math.log2(zeros)) ? undefined : INVALID)
}

const LIVE_URL = /^(?:rtmps?:\/\/)?([^\s:@/?#]+|\[[\da-f:]+\])(?::(\d+))?((?:\/[^\s/?#]+)+\/?(?:\?[^\s#]*)?)$/i

/**
 * URL to which a device streams: optional scheme rtmp or rtmps, an IP address or a domain name, an optional port, and
 * at least one path segment. No login, because devices have separate fields for it. Same characters as in
 * `parseSourceUrl`.
 */
export function liveUrl(value: string): Fault | undefined {
  const fault = required(value) ?? noSpace(value)
  if (fault) return fault
  const [, name = '', portText = '1', path = ''] = LIVE_URL.exec(value) ?? []
  if (!name) return /^(?!rtmps?:)[a-z][a-z+.-]*:\/\//i.test(value) ? { name: 'scheme' } : INVALID
  if (host(withoutBrackets(name)) || !/^[!-~]+$/.test(path) || /[\\"'`<>|{}^]/.test(path)) return INVALID
  return port(portText)
}

/** Network interface for multicast: its name, or its IPv4 address. */
export function networkInterface(value: string): Fault | undefined {
  return required(value) ?? (/^[a-z][\w.-]{0,14}$/i.test(value) || isIpv4(value) ? undefined : { name: 'invalid' })
}

/** Stream key that is part of a URL: letters, digits and `_-` only, so it needs no encoding. */
export function pathKey(value: string): Fault | undefined {
  return streamKey(value) ?? (/^[\w-]+$/.test(value) ? undefined : { name: 'characters' })
}

/**
 * Key of an RTSP output, which is the name of its stream in the URL: the second character set of stream names, as
 * devices use it for the names of their main and sub streams. Not `.` or `..`, which programs resolve as folders.
 */
export function rtspKey(value: string): Fault | undefined {
  return streamKey(value) ?? dottedStreamName(value) ?? (/^\.\.?$/.test(value) ? { name: 'characters' } : undefined)
}

/** User name for HTTP Basic or Digest authentication (RFC 7617, RFC 7616): no delimiters of those headers. */
export function loginName(value: string): Fault | undefined {
  return required(value) ?? printable(value) ?? (/[":\\]/.test(value) ? { name: 'characters' } : undefined)
}
