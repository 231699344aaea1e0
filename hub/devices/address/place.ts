// Which addresses the hub goes to. A user of the hub names them, so they must lead to devices and not to the hub's own surroundings.
import { lookup } from 'node:dns/promises'
import { BAD_ADDRESS, NO_RESPONSE } from '../../../contract/codes.ts'
import { LinkError } from '../link-error.ts'

export interface Grounds {
  /** Devices on this very machine: for a hub that nobody else can reach. */
  loopback: boolean
  /** Ports of this machine that the hub itself listens on. */
  ownPorts(): readonly number[]
}

/**
 * Whether a device can be at an IPv4 address: not link-local ones, where clouds tell their secrets to whoever asks (169.254.169.254), none
 * of a network or of many, and not this machine unless it is allowed. Private ones are where devices are.
 */
function isOfDevice(ip: string, port: number, { loopback, ownPorts }: Grounds): boolean {
  const [a = 0, b = 0] = ip.split('.').map(Number)
  if (a === 0 || a >= 224 || (a === 169 && b === 254)) return false
  return a !== 127 || (loopback && !ownPorts().includes(port))
}

/**
 * The IPv4 address behind a name, looked at after it was looked up: the one that is gone to is the one that was judged.
 * @throws LinkError 32 for one where no device can be, 47 for a name that nobody knows
 */
export async function placeOf(address: string, port: number, grounds: Grounds): Promise<string> {
  const found = await lookup(address, { family: 4 }).catch(() => undefined)
  if (!found) throw new LinkError(NO_RESPONSE, `${address} cannot be found`)
  if (!isOfDevice(found.address, port, grounds))
    throw new LinkError(BAD_ADDRESS, `no device is reached at ${found.address}`)
  return found.address
}
