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
  links: {
    /** The link of a hub; undefined: it is not connected. */
    linkOf(organisation: string, sn: string): Link | undefined
    /** Reads which signing keys the cloud has, and tells a hub. */
    refreshKeys(link: Link, sn: string): Promise<void>
    /** Whether the database answers, as far as the node knows. */
    readonly hasDatabase: boolean
  }
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
  const { store, defaultOrganisation, hubDomain, sign, links, now } = options
  const origins = new HubOrigins({ domain: hubDomain, defaultOrganisation })
  const sessions = new HubSessions({ store, hasDatabase: () => links.hasDatabase, now })
  const assertions = new Assertions({ sign, refreshKeys: (...hub) => links.refreshKeys(...hub), now })
  const relay = new HubRelay({
    ...options,
    ...{ origins, sessions, assertions },
    linkOf: ({ organisation, sn }) => links.linkOf(organisation, sn)
  })
  return { origins, sessions, relay, assertions }
}
