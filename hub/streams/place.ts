// Where streams may come from and go to. Users name hosts; what is behind a name is looked up, judged, and then that very address is used
// where the protocol lets us: a name may mean another address a moment later.
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'

/** Where clouds tell their secrets to whoever asks. */
const METADATA = '169.254.169.254'

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
  return ip !== METADATA && !(forbidPrivate && isPrivate(ip))
}

/** Streams may not go there. */
export class Forbidden extends Error {}

/**
 * The IPv4 address behind a host, judged after it was looked up.
 * @throws Forbidden for one where streams may not go; Error with the system's code for a name that nobody knows
 */
export async function placeOf(host: string, forbidPrivate: boolean): Promise<string> {
  const ip = isIP(host) === 4 ? host : (await lookup(host, { family: 4 })).address
  if (!isAllowed(ip, forbidPrivate)) throw new Forbidden(`${ip} is an address where streams may not go`)
  return ip
}

/** Whether what was typed can be judged before anything is looked up, and is refused. */
export function isForbiddenHost(host: string, forbidPrivate: boolean): boolean {
  return host === 'localhost' ? forbidPrivate : isIP(host) === 4 && !isAllowed(host, forbidPrivate)
}
