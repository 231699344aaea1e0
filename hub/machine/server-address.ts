// Address policy for servers that an administrator names, such as targets of backups (protection against server-side
// request forgery).
import { lookup } from 'node:dns/promises'
import { isForbiddenServer } from '../../contract/stream/address-policy.ts'

/** The policy forbids the address of a server. */
export class ForbiddenServerError extends Error {
  readonly code = 'forbidden-address'
}

/**
 * Looks up the IPv4 address of a server and checks it. Callers connect to that address, because a second lookup could
 * return another one. IPv6 can express every IPv4 address, so none is used.
 * @throws ForbiddenServerError; Error with a system code if the name is unknown
 */
export async function resolveServer(host: string): Promise<string> {
  const { address } = await lookup(host, { family: 4 })
  if (isForbiddenServer(address)) throw new ForbiddenServerError(`Connections to ${address} are not allowed`)
  return address
}
