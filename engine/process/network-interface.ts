// Network interfaces of the machine, as users name them.
import { isIP } from 'node:net'
import { networkInterfaces } from 'node:os'

/**
 * The first IPv4 address of a network interface. An IP address is returned as it is.
 * @throws Error if there is no such interface, or it has no IPv4 address
 */
export function interfaceAddress(name: string): string {
  if (isIP(name)) return name
  const address = networkInterfaces()[name]?.find(({ family }) => family === 'IPv4')?.address
  if (!address) throw new Error(`The network interface ${name} does not exist or has no IPv4 address`)
  return address
}
