// Where streams may come from and go to. Users name hosts; what is behind a name is looked up, judged, and then that very address is used
// where the protocol lets us: a name may mean another address a moment later.
import { lookup } from 'node:dns/promises'

/** Where clouds tell their secrets to whoever asks: most of them, Amazon's containers, Alibaba, Oracle's older machines, Azure. */
const METADATA: readonly string[] = [
  ...['169.254.169.254', '169.254.170.2', '100.100.100.200', '192.0.0.192', '168.63.129.16']
]

/** First address and bits of what is not reached from elsewhere: RFC 6890. */
const PRIVATE = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['240.0.0.0', 4]
] as const

const numberOf = (ip: string) => ip.split('.').reduce((sum, octet) => sum * 256 + Number(octet), 0)

/** Whether an IPv4 address is of this machine, of a private network, of the link, or of nobody. */
export function isPrivate(ip: string): boolean {
  const number = numberOf(ip)
  return PRIVATE.some(([first, bits]) => Math.floor((number - numberOf(first)) / 2 ** (32 - bits)) === 0)
}

/** Whether streams may go to or come from an IPv4 address. */
export function isAllowed(ip: string, forbidPrivate: boolean): boolean {
  return !METADATA.includes(ip) && !(forbidPrivate && isPrivate(ip))
}

/**
 * The IPv4 address that the C library reads in a host, which may be one number or four, in octal or hexadecimal: 0x7f.1 is 127.0.0.1.
 * Undefined for a name.
 */
export function readAddress(host: string): string | undefined {
  const parts = host.split('.')
  if (parts.length > 4 || !parts.every((part) => /^(0x[0-9a-f]+|0[0-7]*|[1-9]\d*)$/i.test(part))) return undefined
  const numbers = parts.map((part) => (/^0[0-7]/.test(part) ? Number.parseInt(part, 8) : Number(part)))
  const last = numbers.pop() ?? 0
  // The last one fills what the others leave.
  if (numbers.some((number) => number > 255) || last >= 256 ** (4 - numbers.length)) return undefined
  const whole = numbers.reduce((sum, number, at) => sum + number * 256 ** (3 - at), last)
  return [24, 16, 8, 0].map((bits) => Math.floor(whole / 2 ** bits) % 256).join('.')
}

/** Streams may not go there. */
export class Forbidden extends Error {}

/**
 * The IPv4 address behind a host, judged after it was looked up.
 * @throws Forbidden for one where streams may not go, which no address of IPv6 is; Error with the system's code for a name that nobody
 * knows
 */
export async function placeOf(host: string, forbidPrivate: boolean): Promise<string> {
  // IPv6 has a name for every address of IPv4.
  if (host.includes(':')) throw new Forbidden('streams go over IPv4')
  const ip = readAddress(host) ?? (await lookup(host, { family: 4 })).address
  if (!isAllowed(ip, forbidPrivate)) throw new Forbidden(`${ip} is an address where streams may not go`)
  return ip
}

/** Whether what was typed can be judged before anything is looked up, and is refused. */
export function isForbiddenHost(host: string, forbidPrivate: boolean): boolean {
  if (host === 'localhost') return forbidPrivate
  const ip = readAddress(host)
  return ip !== undefined && !isAllowed(ip, forbidPrivate)
}
