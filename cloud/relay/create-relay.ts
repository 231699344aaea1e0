// Creates the parts of the relay.
import type { Link } from '../../device-link/link.ts'
import type { Peer } from '../../web-server/peer.ts'
import type { Reply } from '../../web-server/reply.ts'
import type { HubRequest } from '../../web-server/request.ts'
import type { Files } from '../../web-server/static-files.ts'
import type { SessionKey } from '../auth/sessions.ts'
import type { Store } from '../store/store.ts'
import { Assertions } from './assertions.ts'
import { HubOrigins } from './hub-origins.ts'
import { HubRelay } from './hub-relay.ts'
import { HubSessions } from './hub-sessions.ts'

interface RelayOptions {
  store: Store
  /** The organisation of the first start. */
  defaultOrganisation: string
  /** Domain whose subdomains are the origins of hubs. */
  hubDomain: string
  /** Signs with the key of the cloud. */
  sign(data: Buffer): Buffer
  /** The link of a hub; undefined: it is not connected. */
  linkOf(organisation: string, sn: string): Link | undefined
  /** Whether the database answers, as far as the node knows. */
  hasDatabase(): boolean
  /** Whether a Host header names the cloud itself. */
  isCloudHost(host: string): boolean
  /** The files of the console of hubs of this release. */
  consoleFiles: Files
  /** Makes a call of the cloud with a session. */
  callCloud(request: HubRequest, peer: Peer, session: SessionKey): Promise<Reply>
  /** Milliseconds since the epoch. */
  now: () => number
}

export function createRelay(options: RelayOptions) {
  const { store, defaultOrganisation, hubDomain, sign, linkOf, hasDatabase, now } = options
  const origins = new HubOrigins({ domain: hubDomain, defaultOrganisation })
  const sessions = new HubSessions({ store, hasDatabase, now })
  const assertions = new Assertions({ sign, now })
  const relay = new HubRelay({
    ...options,
    ...{ origins, sessions, assertions },
    linkOf: ({ organisation, sn }) => linkOf(organisation, sn)
  })
  return { origins, sessions, relay, assertions }
}
