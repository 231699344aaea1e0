// Address policy for servers that an administrator names, such as targets of backups (protection against server-side
// request forgery).
import { isIP, type LookupFunction } from 'node:net'
import { isForbiddenServer, isPrivate } from '../../contract/stream/address-policy.ts'
import { lookUpAddress } from '../../engine/access/lookup-address.ts'

/** The policy forbids the address of a server. */
export class ForbiddenServerError extends Error {
  readonly code = 'forbidden-address'
}

/**
 * Looks up the address of a server and checks it. Callers connect to that address, because a second lookup could return
 * another one.
 * @throws ForbiddenServerError; Error with a system code if the name is unknown
 */
export async function resolveServer(host: string): Promise<string> {
  const address = await lookUpAddress(host)
  if (isForbiddenServer(address)) throw new ForbiddenServerError(`Connections to ${address} are not allowed`)
  return address
}

/**
 * As `resolveServer`, for an address that a browser names and no administrator has read: it has to be reachable from
 * the whole internet.
 */
export async function resolvePublicServer(host: string): Promise<string> {
  const address = await resolveServer(host)
  if (isPrivate(address)) throw new ForbiddenServerError(`Connections to ${address} are not allowed`)
  return address
}

/** For the options of a request: connects to an address, whatever the host name resolves to. */
export function lookUpAs(address: string): LookupFunction {
  return (_host, { all }, done) =>
    all ? done(null, [{ address, family: isIP(address) }]) : done(null, address, isIP(address))
}

/** For the options of a connection: looks up a name under the policy. It is not called for an address. */
export const lookUpServer: LookupFunction = (host, options, done) => {
  resolveServer(host).then(
    (address) => lookUpAs(address)(host, options, done),
    (error) => done(error, '')
  )
}
