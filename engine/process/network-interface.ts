// The machine's network interfaces, as users name them.
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

/** The IPv4 address of an interface. */
export function addressOfInterface(iface: string): string {
  if (isIP(iface)) return iface
  const found = networkInterfaces()[iface]?.find((each) => each.family === 'IPv4')?.address
  if (!found) throw new Error(`there is no interface ${iface} with an IPv4 address`)
  return found
}
