// Assembles the cloud: one node with its store, the links of hubs, and the port for browsers.
import type { Socket } from 'node:net'
import { createLockOut, type LockOut } from '../accounts/lock-out.ts'
import { PasswordCheck } from '../accounts/password-check.ts'
import { ConnectionTable } from '../engine/access/connection-table.ts'
import { logger } from '../process-log/logger.ts'
import { compressReply } from '../web-server/compression.ts'
import { connectionLimits } from '../web-server/connection-limits.ts'
import { isHealthPath } from '../web-server/health.ts'
import { HostAllowList } from '../web-server/host-allow-list.ts'
import type { Peer } from '../web-server/peer.ts'
import { type Reply, textReply, toResponse, withHeaders } from '../web-server/reply.ts'
import { FetchRequest, type HubRequest } from '../web-server/request.ts'
import type { Identity } from '../web-server/secure-server.ts'
import { SECURITY_HEADERS } from '../web-server/security-headers.ts'
import { type HttpServer, listen } from '../web-server/server.ts'
import { createFiles } from '../web-server/static-files.ts'
import { createOrganisation } from './auth/first-users.ts'
import { SecondFactors } from './auth/second-factor.ts'
import { type CertificateFiles, type NodeCertificate, openCertificate } from './certificate.ts'
import { Digests } from './digests/digests.ts'
import { StoredDigests } from './digests/stored-digests.ts'
import { allHubsHandlers } from './handlers/all-hubs.ts'
import { catalogHandlers } from './handlers/catalogs.ts'
import { changeHandlers } from './handlers/changes.ts'
import { hubPropertyHandlers } from './handlers/hub-properties.ts'
import { hubHandlers } from './handlers/hubs.ts'
import { logHandlers } from './handlers/log.ts'
import { openHubHandler } from './handlers/open-hub.ts'
import { rolloutHandlers } from './handlers/rollouts.ts'
import { secondFactorHandlers } from './handlers/second-factor.ts'
import { sessionHandlers } from './handlers/sessions.ts'
import { settingsHandlers } from './handlers/settings.ts'
import { signInHandlers } from './handlers/sign-in.ts'
import { tokenHandlers } from './handlers/tokens.ts'
import { userGroupHandlers } from './handlers/user-groups.ts'
import { userHandlers } from './handlers/users.ts'
import { Api } from './http/api.ts'
import { CloudFeed } from './http/change-feed.ts'
import type { Handler } from './http/handler.ts'
import { NodeHealth } from './http/health.ts'
import { createPages } from './http/pages.ts'
import { HubLinks } from './links/hub-links.ts'
import type { Assertions } from './relay/assertions.ts'
import { createRelay } from './relay/create-relay.ts'
import { HubCalls } from './rollouts/hub-calls.ts'
import { RolloutRunner } from './rollouts/rollout-runner.ts'
import { SigningKeys } from './signing/signing-key.ts'
import { openStore, type Store, type StoreOptions } from './store/store.ts'

export interface CloudOptions extends StoreOptions {
  /** The file with the key that encrypts stored secrets; by default in the data folder. */
  keyFile?: string | undefined
  /** The organisation that is created at the first start, and that of sign-ins that name none. */
  organisation: string
  /** Address on which both ports listen. */
  host: string
  /** Names under which the cloud answers, besides those of its machine. */
  hosts?: readonly string[]
  /** Domain whose subdomains are the origins of hubs; `localhost` by default, for browsers on this machine alone. */
  hubDomain?: string
  /** Folder of the built pages. */
  dist?: string
  /** Folder of the built console of hubs of this release; `dist` by default. */
  hubDist?: string
  /** `host:port` at which hubs reach this node, beside the address of the cloud. */
  nodeAddress?: string | undefined
  /** `host:port` at which other nodes reach this one; by default its address in the network of PostgreSQL. */
  peerAddress?: string | undefined
  /** Certificate for TLS; without it, the node makes one itself. */
  certificate?: CertificateFiles | undefined
  /** Whether the port for browsers speaks TLS. */
  https?: boolean
  /** Whether hubs on other machines may connect without TLS, because a proxy ends it. */
  allowsPlainLinks?: boolean
  /** Milliseconds since the epoch. */
  now?: () => number
}

const DEFAULT_DIST = 'dist-cloud'

/** The peer of requests that tests make in process. */
const IN_PROCESS: Peer = { address: '127.0.0.1', secure: false }

async function openState(options: CloudOptions, now: () => number) {
  const store = await openStore(options)
  try {
    await createOrganisation(store, options.organisation, now())
    return { store, signingKeys: await SigningKeys.open({ ...options, store, now }) }
  } catch (error) {
    await store.close()
    throw error
  }
}

function requireIdentity(certificate: NodeCertificate): Identity {
  const identity = certificate.identity()
  if (!identity) throw new Error('HTTPS needs a certificate, and the node could make none')
  return identity
}

const createPasswordCheck = (lockOut: LockOut) =>
  new PasswordCheck({
    lockOut,
    onLocked: (name, address, isUser) => logger.warn('Sign-in locked', { address, ...(isUser && { name }) })
  })

/** Users, sessions, tokens, and the settings about them. */
function accountHandlers(store: Store, signingKeys: SigningKeys, now: () => number): Handler[] {
  const lockOut = createLockOut()
  const secondFactors = new SecondFactors({ store, encryption: signingKeys.encryption, lockOut, now })
  const signIn = { store, passwordCheck: createPasswordCheck(lockOut), lockOut, secondFactors, now }
  return [
    ...signInHandlers(signIn),
    ...secondFactorHandlers(signIn),
    ...tokenHandlers({ now }),
    ...userHandlers({ now, within: (context, run) => store.within(context.organisation, run) }),
    ...userGroupHandlers(),
    ...sessionHandlers({ now }),
    ...settingsHandlers({ now })
  ]
}

interface RolloutsNeeds {
  store: Store
  links: HubLinks
  assertions: Assertions
  now: () => number
}

function createRollouts({ store, links, assertions, now }: RolloutsNeeds) {
  const calls = new HubCalls({ assertions, linkOf: (...hub) => links.linkOf(...hub) })
  const rollouts = new RolloutRunner({
    ...{ store, calls, now, onChange: (organisation) => links.table.record(organisation) },
    node: () => links.node,
    isRunning: (node) => links.nodes.some(({ id }) => id === node)
  })
  return { rollouts, rolloutParts: { store, calls, now, wake: () => void rollouts.run() } }
}

/** Answers requests for the cloud's own calls and pages. */
const createRoute =
  (api: Api, health: NodeHealth, serveFile: ReturnType<typeof createPages>) =>
  async (request: HubRequest, peer: Peer): Promise<Reply | Response> => {
    const { path } = request
    if (isHealthPath(path)) return withHeaders(await health.answer(request), SECURITY_HEADERS)
    if (!path.startsWith('/api/'))
      return serveFile(request) ?? withHeaders(textReply('Not found\n', 404), SECURITY_HEADERS)
    return compressReply(request.headers, withHeaders(await api.handle(request, peer), SECURITY_HEADERS))
  }

/** @throws if the store cannot be opened, or the key file does not fit it */
export async function createCloud(options: CloudOptions) {
  const { organisation, host, hosts = [], hubDomain = 'localhost', https = false, now = Date.now } = options
  const { dist = DEFAULT_DIST, hubDist = 'dist', nodeAddress = '', allowsPlainLinks = false } = options
  const { store, signingKeys } = await openState(options, now)
  let certificate: NodeCertificate | undefined
  const digests = new Digests({ store, now, onChange: (organisation) => links.table.record(organisation) })
  const links: HubLinks = new HubLinks({
    ...{ store, signingKeys, now, nodeAddress, allowsPlain: allowsPlainLinks, observer: digests },
    identity: () => certificate?.identity()
  })
  const allowList = new HostAllowList({ listenHost: host, fixedNames: hosts, configuredNames: () => [] })
  const relayParts = createRelay({
    ...{ store, links, defaultOrganisation: organisation, hubDomain, now },
    sign: (data) => signingKeys.current.sign(data),
    isCloudHost: (header) => allowList.allows(header),
    consoleFiles: createFiles(hubDist),
    callCloud: (request, peer, session) => api.handle(request, peer, session)
  })
  const { relay, origins, assertions } = relayParts
  const { rollouts, rolloutParts } = createRollouts({ store, links, assertions, now })
  const summaries = { ...rolloutParts, links, digests, storedDigests: new StoredDigests() }
  const handlers = [
    ...accountHandlers(store, signingKeys, now),
    ...hubPropertyHandlers(),
    ...catalogHandlers({ now, isOnline: (...hub) => links.isOnline(...hub) }),
    ...hubHandlers({ ...summaries, signingKeys, links }),
    ...allHubsHandlers(summaries),
    openHubHandler(relayParts),
    ...rolloutHandlers(rolloutParts),
    ...logHandlers(),
    ...changeHandlers({ changes: links.table })
  ]
  const api = new Api({ store, handlers, hasDatabase: () => links.hasDatabase, defaultOrganisation: organisation, now })
  const feed = new CloudFeed(
    (...args) => api.handle(...args),
    (listener) => links.table.onRevision(listener)
  )
  const health = new NodeHealth(store)
  const serveFile = createPages(dist, (host) => origins.sources(host))
  let server: HttpServer | undefined
  const route = createRoute(api, health, serveFile)

  return {
    store,
    signingKeys,
    links,
    rollouts,
    /** Handles one request. */
    fetch: async (request: Request, peer: Peer = IN_PROCESS): Promise<Response> =>
      toResponse(await route(new FetchRequest(request), peer)),
    /**
     * Opens the ports for browsers, for hubs and for other nodes; 0 lets the system choose.
     * @throws when a port is in use, or the certificate cannot be used
     */
    async listen(port: number, linkPort: number, peerPort = 0): Promise<{ port: number; linkPort: number }> {
      const { data, certificate: files } = options
      certificate = await openCertificate({ data, files, names: [...hosts, host], now })
      const identity = https ? requireIdentity(certificate) : undefined
      server = await listen({
        identity,
        handle: route,
        relay: relay.handle,
        onUpgrade: (...args) => void (relay.upgrade(...args) || feed.upgrade(...args) || args[1].destroy()),
        port,
        host,
        isHostAllowed: (header) => origins.find(header) !== undefined || allowList.allows(header),
        connections: new ConnectionTable<Socket>(connectionLimits())
      })
      certificate.onReplaced((replaced) => server?.replaceIdentity(replaced))
      const openedLinkPort = await links.listen(linkPort, host, { port: peerPort, address: options.peerAddress })
      rollouts.start()
      return { port: server.port, linkPort: openedLinkPort }
    },
    /** Ends the links of hubs at a pace at which they can connect to other nodes; consoles are served until then. */
    async close(): Promise<void> {
      health.end()
      await digests.close()
      const stopped = rollouts.close()
      await links.close()
      await stopped
      feed.close()
      relayParts.sessions.close()
      await server?.close()
      certificate?.close()
      await store.close()
    }
  }
}

export type Cloud = Awaited<ReturnType<typeof createCloud>>
