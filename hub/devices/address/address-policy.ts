// Which addresses the hub goes to. A user of the hub names them, so they must lead to devices and not to the hub's own surroundings.
import { lookup } from 'node:dns/promises'
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'
import { BAD_ADDRESS, NO_RESPONSE } from '../../../contract/codes.ts'
import { LinkError } from '../link/link-error.ts'

/** Milliseconds. */
const LOOKUP = 3000

export interface Grounds {
  /** Devices on this very machine: for a hub that nobody else can reach. */
  loopback: boolean
  /** Ports of this machine that the hub itself listens on. */
  ownPorts(): readonly number[]
}

/** Whether it is this machine. */
function isOwn(ip: string): boolean {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return ip.startsWith('127.') || addresses.some(({ address }) => address === ip)
}

/**
 * Whether a device can be at an IPv4 address: not link-local ones, where clouds tell their secrets to whoever asks (169.254.169.254), none
 * of a network or of many, and not this machine unless it is allowed. Private ones are where devices are.
 */
function isOfDevice(ip: string, port: number, { loopback, ownPorts }: Grounds): boolean {
  const [a = 0, b = 0] = ip.split('.').map(Number)
  if (a === 0 || a >= 224 || (a === 169 && b === 254)) return false
  return !isOwn(ip) || (loopback && !ownPorts().includes(port))
}

/** Undefined where nobody knows the name, or says so in time. */
async function lookUp(name: string): Promise<string | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), LOOKUP)
  })
  const found = await Promise.race([lookup(name, { family: 4 }).catch(() => undefined), late])
  clearTimeout(timer)
  return found?.address
}

/**
 * The IPv4 address behind a name, looked at after it was looked up: the one that is gone to is the one that was judged.
 * @throws LinkError 32 for one where no device can be, 47 for a name that nobody knows
 */
export async function placeOf(address: string, port: number, grounds: Grounds): Promise<string> {
  const ip = isIP(address) === 4 ? address : await lookUp(address)
  if (!ip) throw new LinkError(NO_RESPONSE, `${address} cannot be found`)
  if (!isOfDevice(ip, port, grounds)) throw new LinkError(BAD_ADDRESS, `no device is reached at ${ip}`)
  return ip
}
