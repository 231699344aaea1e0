// How an NDI source is searched and received, from its URL.
import type { NdiUrl } from '../../contract/stream/ndi-url.ts'
import type { EngineContext } from '../interfaces/engine-context.ts'
import type { NdiProcessOptions } from '../interfaces/ndi.ts'

/**
 * Options of a process that receives a source. The address of a source is one more machine that the runtime asks for its sources, so that it
 * connects to the source of that name only, at whichever port that is now.
 * @throws ForbiddenAddressError; Error with a system code if a name is unknown
 */
export async function receiveOptions(
  source: NdiUrl,
  { resolveHost }: Pick<EngineContext, 'resolveHost'>
): Promise<NdiProcessOptions> {
  const { name, address, group, extraIps = [], discoveryServers = [], transport } = source
  const hosts = [...(address ? [address.split(':')[0] as string] : []), ...extraIps]
  const addresses = await Promise.all(hosts.map((host) => resolveHost(host)))
  const servers = await Promise.all(
    discoveryServers.map(async (server) => {
      const [host = '', port] = server.split(':')
      return [await resolveHost(host), port].filter(Boolean).join(':')
    })
  )
  return {
    role: 'receive',
    name,
    ...(transport !== undefined && { transport: { 'transport-mode': transport } }),
    search: { addresses, servers, ...(group && { groups: group }) }
  }
}
