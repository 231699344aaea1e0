// Assembles the hub. `fetch` handles requests in process, so tests need no port; `listen` opens the ports.
import type { Socket } from 'node:net'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Call } from '../contract/call.ts'
import { downloadFile } from '../contract/file/download.ts'
import { FILES_PORT } from '../contract/limits.ts'
import { exportLog } from '../contract/log.ts'
import { exportChannelHistory } from '../contract/stream/channel-history.ts'
import { exportChannelSeries } from '../contract/stream/channel-series.ts'
import { exportChannelTimeline } from '../contract/stream/channel-timeline.ts'
import type { WebPortName } from '../contract/web/ports.ts'
import { ConnectionTable } from '../engine/access/connection-table.ts'
import { waitAtMost } from '../engine/interfaces/wait-at-most.ts'
import { connectionLimits } from '../web-server/connection-limits.ts'
import type { Peer } from '../web-server/peer.ts'
import { toResponse } from '../web-server/reply.ts'
import { FetchRequest } from '../web-server/request.ts'
import type { UpgradeListener } from '../web-server/server.ts'
import { assemble } from './assemble.ts'
import { SIGN_IN_CALLS } from './auth/cloud-access.ts'
import type { CloudCallers } from './auth/cloud-callers.ts'
import { featuresOf } from './auth/feature-support.ts'
import { createFirstUser } from './auth/first-start.ts'
import type { PortOverrides, SharedPorts } from './channels/shared-ports.ts'
import type { CloudLink } from './cloud/cloud-link.ts'
import { DigestStreams } from './cloud/digest-streams.ts'
import { createRelayTunnels, type RelayTunnelParts } from './cloud-relay/relay-tunnels.ts'
import { RelayedRequests, type RelayedRequestsOptions } from './cloud-relay/relayed-requests.ts'
import { removeStaging } from './data-backup/replacement.ts'
import { finishRestore } from './data-backup/restore-plan.ts'
import { lockDataFolder } from './data-folder/lock.ts'
import { startDailyCopies } from './database/daily-copies.ts'
import { createCallHandlers } from './handlers/call-handlers.ts'
import { type DigestParts, readDigest } from './handlers/cloud-digest.ts'
import { createDevicePageHandler } from './handlers/device-page.ts'
import { createHealthHandler } from './handlers/health.ts'
import { createFollowProbe } from './handlers/machine/follow-probe.ts'
import { createMetricsHandler } from './handlers/metrics.ts'
import { createRelayHandler, withDeviceCalls } from './handlers/relay.ts'
import { createChangeRefusal } from './handlers/system/change-refusal.ts'
import { createApi } from './http/api.ts'
import { ChangeFeed } from './http/change-feed.ts'
import { createFilesRouter } from './http/files/files-router.ts'
import { createHlsHandler } from './http/hls.ts'
import { createRegistrationRequests } from './http/ports/registration-requests.ts'
import { createStarters } from './http/ports/starters.ts'
import type { PortEnvironment, WebPorts } from './http/ports/web-ports.ts'
import { createRouter } from './http/router.ts'
import { createSocketUpgrade } from './http/socket-upgrade.ts'
import { Lifetime } from './lifetime.ts'
import { machineUptimeMs } from './machine/machine-uptime.ts'
import { DEFAULT_HOST, type HubOptions } from './options.ts'
import { recordStop, start } from './start.ts'
import { openStore } from './store/store.ts'
import { TrashExpiry } from './store/trash-expiry.ts'
import type { PanelServers } from './videohub/panel-servers.ts'

const SESSION_CHECK_INTERVAL = 5000
/** Milliseconds for which a hub that starts waits for the engine. */
const ENGINE_WAIT = 1000

/**
 * Milliseconds in which consoles read that the hub is restarted. The change feed reports a change within half of it.
 */
const RESTART_NOTICE = 1000

/** Ports besides those for HTTP and registration. */
export type ListenOverrides = PortOverrides & Pick<PortEnvironment, 'https'>

/** Calls whose response is a file to download. */
const FILE_CALLS = [exportLog, exportChannelHistory, exportChannelSeries, exportChannelTimeline, downloadFile as Call]

/** The peer of requests that tests make in process. */
const IN_PROCESS: Peer = { address: '127.0.0.1', secure: false }

/**
 * Creates a hub. Its channels run at once; browsers and devices can connect after `listen`.
 * @throws DataInUseError when another hub uses the data folder; when the database or the key of stored passwords cannot
 * be opened
 */
export async function createHub(options: HubOptions) {
  if (options.data === ':memory:') return openHub(options)
  const data = resolve(options.data)
  const lock = lockDataFolder(data, 'hub')
  try {
    finishRestore(data)
    removeStaging(data)
    const hub = await openHub({ ...options, data })
    const copies = startDailyCopies(data, { now: Date.now, monotonic: machineUptimeMs })
    const close: typeof hub.close = async (ending) => {
      copies.close()
      await hub.close(ending)
      lock.release()
    }
    return { ...hub, close }
  } catch (error) {
    lock.release()
    throw error
  }
}

/** @param options `data` is an absolute path or `:memory:` */
async function openHub(options: HubOptions) {
  const lifetime = new Lifetime()
  try {
    return await buildHub(options, lifetime)
  } catch (error) {
    await lifetime.end()
    throw error
  }
}

interface PortParts {
  webPorts: WebPorts
  panels: PanelServers
  sharedPorts: SharedPorts
}

async function openPorts(
  { webPorts, panels, sharedPorts }: PortParts,
  starters: ReturnType<typeof createStarters>,
  ports: { http: number; link: number },
  { files, https, ...shared }: ListenOverrides
): Promise<void> {
  const isChosen = ports.http === 0
  const filesPort = files ?? (isChosen ? 0 : FILES_PORT)
  await webPorts.open({ ...ports, files: filesPort, ...(https !== undefined && { https }) }, starters)
  panels.start()
  await sharedPorts.openPorts({ ...(isChosen && { srt: 0, rtmp: 0 }), ...shared })
}

interface CloudParts extends RelayTunnelParts, DigestParts {
  cloudCallers: CloudCallers
  cloudLink: CloudLink
  sessionsEnded: () => void
}

/** Answers what the cloud relays as the web port answers requests, and sends it the digest of the hub. */
function relayForCloud(
  parts: CloudParts,
  handle: RelayedRequestsOptions['handle'],
  acceptSocket: UpgradeListener
): { close(): void } {
  const { cloudCallers, cloudLink, sessionsEnded } = parts
  const digests = new DigestStreams({
    read: () => (cloudLink.relayIdentity() ? readDigest(parts) : undefined),
    changes: parts.store.changes
  })
  const relayed = new RelayedRequests({
    callers: cloudCallers,
    identity: () => cloudLink.relayIdentity(),
    handle,
    acceptSocket,
    openTunnel: createRelayTunnels(parts),
    refusedPaths: new Set(SIGN_IN_CALLS.map(({ path }) => `/api${path}`))
  })
  cloudLink.answerStreams(() => {
    const relay = relayed.forLink()
    return (stream, headers, rawHeaders) => digests.handle(stream, headers) || relay(stream, headers, rawHeaders)
  })
  cloudLink.changed.on(() => {
    cloudCallers.end()
    sessionsEnded()
  })
  return {
    close() {
      digests.close()
      relayed.close()
    }
  }
}

async function buildHub(options: HubOptions, lifetime: Lifetime) {
  const { host = DEFAULT_HOST, sessionCheckInterval = SESSION_CHECK_INTERVAL } = options
  const store = lifetime.add(openStore(options.data))
  await createFirstUser(store, featuresOf(store, options.features ?? 0))
  const parts = assemble(store, options, lifetime)
  const { gate, links, engine, hosts, machine, operation, webPorts, certificates, transport } = parts
  const { accessChanges, previews } = parts

  const relay = createRelayHandler(parts)
  const handlers = createCallHandlers(parts)
  const api = withDeviceCalls(createApi({ ...parts, handlers, refuseChange: createChangeRefusal(parts) }), relay)
  const changeFeed = lifetime.add(
    new ChangeFeed(store.changes, (session) => gate.callerOfSession(session) !== undefined, {
      handleCall: (request, address) => api(request, { address, secure: false }, gate.caller(request.headers, address)),
      previewsReceived: (session, streamId, count) => previews.acknowledge(session, streamId, count)
    })
  )
  accessChanges.reduced.on(() => changeFeed.closeExpired())
  const hls = createHlsHandler(engine, () => store.settings.get('hls').enable)
  const handleRequest = createRouter({
    gate,
    api,
    relay,
    devicePage: createDevicePageHandler(parts),
    health: createHealthHandler(parts),
    metrics: createMetricsHandler(parts),
    followProbe: createFollowProbe(parts),
    hls,
    files: parts.consoleFiles.serveFile
  })
  const acceptSocket = createSocketUpgrade(gate, changeFeed)
  lifetime.add(relayForCloud(parts, handleRequest, acceptSocket))
  const confirmPort = (search: string, localPort: number | undefined) => webPorts.confirmByPath(search, localPort)
  const serveFiles = createFilesRouter({ gate, api, hls, downloads: FILE_CALLS, confirmPort })
  const connections = new ConnectionTable<Socket>(connectionLimits())
  const isHostAllowed = (header: string | undefined) => hosts.allows(header)
  const isOutdated = (openedAt: number) => machine.isBeforeChange(openedAt)
  links.answerRequests(createRegistrationRequests({ api, gate, isHostAllowed, isOutdated, webPorts }))
  const starters = createStarters({
    openLinkPort: (port) => links.openPort(port, host),
    handleRequest,
    acceptSocket,
    serveFiles,
    transport,
    certificates,
    host,
    isHostAllowed,
    isOutdated,
    connections
  })
  lifetime.onEnd(() => webPorts.close())
  const sessionCheck = setInterval(accessChanges.sessionsEnded, sessionCheckInterval)
  lifetime.onEnd(() => clearInterval(sessionCheck.unref()))
  start(parts, options)
  lifetime.onEnd(() => recordStop(parts))
  lifetime.add(new TrashExpiry(store)).start()

  return {
    /** Handles one request. */
    fetch: async (request: Request, peer: Peer = IN_PROCESS): Promise<Response> =>
      toResponse(await handleRequest(new FetchRequest(request), peer)),

    /** The parts of the hub, for tests. */
    parts,

    /**
     * Opens the ports: `port` for browsers, `linkPort` for devices; 0 lets the system choose.
     * @param overrides shared ports to use instead of those in the settings, and the ports for files and for HTTPS. If
     * the system chooses `port`, it chooses these too, except that for HTTPS, which is closed unless it is given or the
     * settings enable it. The hub works without these two.
     * @returns the open ports
     * @throws when a port is in use or the address is not one of this machine
     */
    async listen(
      port: number,
      linkPort: number,
      overrides: ListenOverrides = {}
    ): Promise<{ port: number; linkPort: number; httpsPort?: number | undefined }> {
      await openPorts(parts, starters, { http: port, link: linkPort }, overrides)
      const openPort = (name: WebPortName) => webPorts.portOf(name)
      return { port: openPort('http') ?? port, linkPort: openPort('link') ?? linkPort, httpsPort: openPort('https') }
    },

    /**
     * Resolves when the engine has reported the state of all channels, or when it did not within a second. Requests
     * before that would be answered as if all channels were starting.
     */
    whenChannelsKnown: (): Promise<void> => waitAtMost(engine.whenConnected(), ENGINE_WAIT),

    /**
     * Ends everything the hub started. Responses in progress are cut off.
     * @param ending `restart`: the hub is started again at once, which open consoles are shown first, unless they are
     * shown another operation
     */
    async close(ending?: 'restart'): Promise<void> {
      if (ending === 'restart') {
        operation.begin('restarting')
        if (changeFeed.hasSubscribers()) await sleep(RESTART_NOTICE)
      }
      await lifetime.end()
    }
  }
}

export type RunningHub = Awaited<ReturnType<typeof createHub>>
