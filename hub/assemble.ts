// Creates the parts of the hub in order, each from the parts that it names, and connects later parts to the events of
// earlier ones. Each part that has to be closed is added to the lifetime of the hub, so that it is closed before the
// parts that it uses.
import { join } from 'node:path'
import { createLockOut } from '../accounts/lock-out.ts'
import { WEB_PAGE_PERMISSION } from '../contract/device/web-page.ts'
import { startPortForward } from '../contract/port-forward.ts'
import { engineSocketPath } from '../engine/client/socket-path.ts'
import type { EngineClient } from '../engine/interfaces/engine-client.ts'
import { SOCKET_PATH } from '../firewall/protocol.ts'
import { logger } from '../process-log/logger.ts'
import type { Certificates } from '../tls/certificates.ts'
import type { HostAllowList } from '../web-server/host-allow-list.ts'
import { VERSION } from '../web-server/version.ts'
import { AccessChanges } from './auth/access-changes.ts'
import { CloudCallers } from './auth/cloud-callers.ts'
import { createDeviceAccess } from './auth/device-access.ts'
import { featuresOf, storeRouting } from './auth/feature-support.ts'
import { Gate } from './auth/gate.ts'
import { createPasswordCheck } from './auth/password-check.ts'
import { createPreviewAccess } from './auth/preview-access.ts'
import { SetupCode } from './auth/setup-code.ts'
import { SignInTickets } from './auth/sign-in-tickets.ts'
import { ChannelControl } from './channels/channel-control.ts'
import { createEngine, type EngineEvents } from './channels/engine.ts'
import { findInterfaceUsers } from './channels/interface-users.ts'
import { OffAir } from './channels/off-air.ts'
import { Scheduler } from './channels/scheduler.ts'
import { createSharedPorts } from './channels/shared-ports.ts'
import { CloudLink } from './cloud/cloud-link.ts'
import { DATABASE_FILE } from './data-folder/entries.ts'
import { createDevices } from './devices/devices.ts'
import { createIncomingStreams, type IncomingStreams } from './devices/incoming-streams.ts'
import type { DeviceLinks } from './devices/link/links.ts'
import { PortForwards } from './devices/port-forwards.ts'
import type { Registry } from './devices/registry.ts'
import { Downloads } from './downloads/downloads.ts'
import { createFirmware } from './firmware/firmware.ts'
import { createNotifications } from './handlers/alert/create-notifications.ts'
import { hubName } from './handlers/machine/name.ts'
import { PortsInUse } from './handlers/stream/ports-in-use.ts'
import { createChannelHealth } from './health/channel-health.ts'
import { ProblemMonitor } from './health/problem-monitor.ts'
import { createHistories } from './history/create.ts'
import { createConsoleFiles } from './http/console-files.ts'
import { OwnPorts } from './http/ports/own-ports.ts'
import type { WebPorts } from './http/ports/web-ports.ts'
import { createWeb } from './http/web.ts'
import { LicenseService } from './license/license-service.ts'
import { machineFingerprint } from './license/machine.ts'
import type { Lifetime } from './lifetime.ts'
import { LogSearch } from './log-search/log-search.ts'
import { createHubMachine } from './machine/hub-machine.ts'
import { StartTime } from './machine/start-time.ts'
import { SystemOperation } from './machine/system-operation.ts'
import { ClockWatch } from './machine/time/clock-watch.ts'
import { RouterService } from './ndi/router-service.ts'
import { DEFAULT_DIST, DEFAULT_HOST, type HubOptions } from './options.ts'
import { DevicePages } from './pages/device-pages.ts'
import { FaultPictures } from './preview/fault-pictures.ts'
import { PreviewFeed } from './preview/feed.ts'
import { OnAirPictures } from './preview/on-air-pictures.ts'
import { createPreviewUpstream } from './preview/upstream.ts'
import { WatchFeed } from './preview/watch-feed.ts'
import { createRecordings } from './recordings/create.ts'
import { createBackups } from './scheduled-backups/create-backups.ts'
import type { Store } from './store/store.ts'
import { SyslogForwarder } from './syslog/forwarder.ts'
import { TimelineRecorder } from './timeline/timeline-recorder.ts'
import { createUpdaters } from './upgrade/create-updaters.ts'
import { PanelServers } from './videohub/panel-servers.ts'

/** Sessions and rights, and the clock by which they end. */
function assembleAccess(store: Store, { sessionClock, announceSetupCode }: HubOptions, lifetime: Lifetime) {
  const clockWatch = lifetime.add(new ClockWatch())
  clockWatch.stepped.on((step, before) => store.users.shiftSessions(step, before))
  const startTime = new StartTime()
  clockWatch.stepped.on((step) => startTime.shift(step))
  clockWatch.settled.on((step) => {
    store.logEvent({ event: 'clock-set', detail: `${step > 0 ? '+' : '−'}${Math.round(Math.abs(step) / 1000)}` })
    store.changes.markChanged('status')
  })
  const now = sessionClock ?? (() => clockWatch.now())
  const cloudCallers = new CloudCallers({ users: store.users, role: () => store.settings.get('cloud').role, now })
  const gate = new Gate(store, now, cloudCallers)
  const accessChanges = new AccessChanges(store.changes)
  const lockOut = createLockOut(sessionClock)
  const passwordCheck = createPasswordCheck(store, lockOut)
  const downloads = lifetime.add(new Downloads(gate))
  accessChanges.reduced.on(() => downloads.recheckAccess())
  return {
    clockWatch,
    startTime,
    now,
    gate,
    cloudCallers,
    accessChanges,
    lockOut,
    passwordCheck,
    setupCode: lifetime.add(new SetupCode(store.users, store.changes, announceSetupCode)),
    signInTickets: new SignInTickets(),
    downloads
  }
}

interface StreamParts {
  store: Store
  lifetime: Lifetime
  options: HubOptions
  registry: Registry
  engine: EngineClient
  engineEvents: EngineEvents
  timeline: TimelineRecorder
  clockWatch: ClockWatch
  ownPorts: OwnPorts
}

/** What controls channels, and follows their streams. */
function assembleStreams(parts: StreamParts) {
  const { store, lifetime, options, registry, engine, engineEvents, timeline, clockWatch, ownPorts } = parts
  const channelHealth = createChannelHealth({ store, engine, registry, timeline })
  engineEvents.channelChanged.on((id) => timeline.recordPlayers(id, engine.observe(id).clients ?? []))
  engineEvents.channelChanged.on((id) => channelHealth.refresh(id))
  engineEvents.restarted.on(() => channelHealth.restartAll())
  const incomingStreams = createIncomingStreams({
    store,
    observe: engine.observe,
    onDeviceChanged: (id) => store.changes.markChanged('device', id)
  })
  engineEvents.channelChanged.on((id) => incomingStreams.refreshChannel(id))
  const recordings = createRecordings({ store, lifetime, engine, engineEvents, channelHealth, options })
  const channelControl = new ChannelControl({ store, engine, channelHealth, incomingStreams, timeline, recordings })
  engineEvents.holdEnded.on(channelControl.apply)
  recordings.changed.on(channelControl.apply)
  const { clock } = options
  const scheduler = lifetime.add(new Scheduler({ store, timeline, onSwitch: channelControl.apply, clock }))
  clockWatch.settled.on(() => scheduler.checkClock())
  const sharedPorts = lifetime.add(createSharedPorts(store, engine, options.web?.confirmTime))
  ownPorts.include(() => [sharedPorts.portOf('srt'), sharedPorts.portOf('rtmp')].filter((port) => port !== undefined))
  return { channelHealth, incomingStreams, recordings, channelControl, scheduler, sharedPorts, clock }
}

interface RouterParts {
  store: Store
  lifetime: Lifetime
  options: HubOptions
  engine: EngineClient
  engineEvents: EngineEvents
  accessChanges: AccessChanges
  ownPorts: OwnPorts
}

/** The NDI router with its panels, and the features of the hub, one of which it is. */
function assembleRouter({ store, lifetime, options, engine, engineEvents, accessChanges, ownPorts }: RouterParts) {
  const { host = DEFAULT_HOST, features: fixed = 0, clock } = options
  const routers = lifetime.add(new RouterService(store, engine, clock))
  engineEvents.matrixChanged.on((id) => routers.observationChanged(id))
  engineEvents.ndiStatusChanged.on(({ canRoute }) => {
    if (storeRouting(store, fixed, canRoute)) accessChanges.permissionsChanged()
    store.changes.markChanged('ndi')
  })
  const refusesChanges = () => options.trial?.isOnTrial ?? false
  const panels = lifetime.add(new PanelServers({ routers, refusesChanges, host, logEvent: store.logEvent }))
  ownPorts.include(() => panels.ports())
  return { routers, panels, features: () => featuresOf(store, fixed) }
}

/** The console that the hub serves, upgrades, and the licence of the hub. */
function assembleProduct(store: Store, lifetime: Lifetime, engine: EngineClient, options: HubOptions) {
  const { data, dist = DEFAULT_DIST, dev, development, updater, trial, endProcess, hardware } = options
  const consoleFiles = createConsoleFiles(dist, dev, development)
  const updaters = createUpdaters({
    store,
    lifetime,
    engine,
    console: { data, dist, serveFolder: consoleFiles.switchTo, ...options.consoleUpdater },
    release: { updater, trial, endProcess, hardware }
  })
  const license = lifetime.add(
    new LicenseService({
      settings: store.settings,
      trusted: [],
      machine: machineFingerprint(),
      server: undefined,
      now: Date.now,
      onChange: () => store.changes.markChanged('status'),
      ...options.license
    })
  )
  return { consoleFiles, ...updaters, license }
}

interface PictureParts {
  store: Store
  lifetime: Lifetime
  gate: Gate
  accessChanges: AccessChanges
  engine: EngineClient
  engineEvents: EngineEvents
  devices: Pick<ReturnType<typeof createDevices>, 'links' | 'addressedDevices' | 'cameraPictures'>
  incomingStreams: IncomingStreams
  options: HubOptions
}

/** What sends pictures to pages: previews, and channels that a page plays. */
function assemblePictures(parts: PictureParts) {
  const { store, lifetime, gate, accessChanges, engine, engineEvents, devices, incomingStreams, options } = parts
  const createAccessCheck = createPreviewAccess(store, gate, devices.addressedDevices.camerasOf)
  const ndiSourceOf = (sn: string) => store.deviceStreams.ndiSource(store.devices.bySerial(sn)?.id ?? 0)
  const { addressedDevices } = devices
  const onAir = new OnAirPictures({ store, engine, addressedDevices, incomingStreams })
  engineEvents.channelChanged.on(onAir.refresh)
  const subscribe = createPreviewUpstream({ engine, ...devices, ndiSourceOf, onAir, size: options.preview })
  const previews = lifetime.add(new PreviewFeed({ subscribe, createAccessCheck }))
  accessChanges.reduced.on(() => previews.recheckAccess((session) => gate.callerOfSession(session) !== undefined))
  const watches = lifetime.add(
    new WatchFeed({ engine, createAccessCheck, onChange: (id) => store.changes.markChanged('channel', id) })
  )
  accessChanges.reduced.on(() => watches.recheckAccess())
  const faultPictures = lifetime.add(new FaultPictures({ engine }))
  engineEvents.channelChanged.on(faultPictures.channelChanged)
  return { previews, watches, faultPictures, previewAccess: createAccessCheck }
}

interface TunnelParts {
  store: Store
  lifetime: Lifetime
  gate: Gate
  accessChanges: AccessChanges
  registry: Registry
  links: DeviceLinks
  hosts: HostAllowList
  host: string
  ownPorts: OwnPorts
}

/** What leads through the hub to a device: port forwards and web pages. */
function assembleTunnels(parts: TunnelParts) {
  const { store, lifetime, gate, accessChanges, registry, links, hosts, host, ownPorts } = parts
  const portForwards = lifetime.add(
    new PortForwards({
      host,
      openTunnel: links.openTunnel,
      onChanged: (id) => store.changes.markChanged('portforward', id),
      onClosed: (id) => store.changes.markRemoved('portforward', id)
    })
  )
  const canAccessDevice = createDeviceAccess(store, gate)
  const devicePages = lifetime.add(
    new DevicePages({
      host,
      isHostAllowed: (header) => hosts.allows(header),
      connect: links.openWebPage,
      canAccess: (session, sn) => canAccessDevice(session, sn, WEB_PAGE_PERMISSION)
    })
  )
  ownPorts.include(() => [...portForwards.listeningPorts(), ...devicePages.ports()])
  const recheckAccess = () => {
    portForwards.stopWhere(({ session, sn }) => !canAccessDevice(session, sn, startPortForward.access))
    devicePages.recheckAccess()
  }
  accessChanges.reduced.on(recheckAccess)
  registry.stateChanged.on(recheckAccess)
  registry.stateChanged.on((sn) => portForwards.presenceChanged(sn))
  return { portForwards, canAccessDevice, devicePages }
}

interface MachineParts {
  store: Store
  lifetime: Lifetime
  options: HubOptions
  hosts: HostAllowList
  webPorts: WebPorts
  certificates: Certificates
  operation: SystemOperation
}

/** The machine under the hub. Its firewall leaves the console's ports open; its addresses are in the certificate. */
function assembleMachine({ store, lifetime, options, hosts, webPorts, certificates, operation }: MachineParts) {
  const { ports } = webPorts
  const { monitor, machine } = createHubMachine({
    store,
    lifetime,
    data: options.data,
    mode: options.machine ?? 'view',
    firewallSocket: options.firewallSocket ?? SOCKET_PATH,
    host: options.host ?? DEFAULT_HOST,
    hardwareUpdate: options.hardwareUpdate,
    operation,
    consolePorts: () => [...ports.http.listeners(), ...ports.https.listeners()].map(({ port }) => port),
    findInterfaceUsers: () => findInterfaceUsers(store),
    onAddressChange() {
      hosts.addressesChanged()
      certificates.check().catch((error) => logger.error('The certificate could not be checked', error))
    }
  })
  webPorts.changed.on(() => machine.firewall.consoleChanged())
  return { monitor, machine }
}

function createCloudLink(store: Store, hosts: HostAllowList, { web }: HubOptions): CloudLink {
  return new CloudLink({
    ...{ store, version: VERSION, authorities: web?.authorities },
    name: () => hubName({ store, hosts })
  })
}

/**
 * Creates the parts; none of them does anything until `start`.
 * @param options `data` is an absolute path or `:memory:`
 */
export function assemble(store: Store, options: HubOptions, lifetime: Lifetime) {
  const { data, host = DEFAULT_HOST } = options
  const dataFolder = data === ':memory:' ? undefined : data
  const operation = new SystemOperation(() => store.changes.markChanged('status'))
  const access = assembleAccess(store, options, lifetime)
  const { clockWatch, gate, now, accessChanges, startTime } = access
  const ownPorts = new OwnPorts()
  const web = createWeb({ store, lifetime, data, host, names: options.hosts ?? [], timing: options.web })
  const { hosts, webPorts, certificates } = web
  ownPorts.include(() => webPorts.openPorts())
  const { statusPoller, ...devices } = createDevices({
    store,
    lifetime,
    host,
    ownPorts: ownPorts.list,
    certificates,
    addressTiming: options.addressed,
    actionTiming: options.actions
  })
  const { registry, links } = devices
  const socket = options.engineSocket ?? engineSocketPath(data)
  const timeline = new TimelineRecorder({ store })
  const { engine, engineEvents } = createEngine({ ...devices, store, lifetime, timeline, socket })
  const streamParts = { store, lifetime, options, registry, engine, engineEvents, timeline, clockWatch, ownPorts }
  const streams = assembleStreams(streamParts)
  const { channelControl, channelHealth, sharedPorts } = streams
  devices.addressedStreams.ndiSourceChanged.on(channelControl.deviceConfigChanged)
  const router = assembleRouter({ store, lifetime, options, engine, engineEvents, accessChanges, ownPorts })
  const firmware = lifetime.add(createFirmware({ data, store, links, registry, ...options.firmware }))
  const product = assembleProduct(store, lifetime, engine, options)
  const pictures = assemblePictures({ ...streamParts, ...streams, gate, accessChanges, devices })
  const { watches } = pictures
  const histories = createHistories({ store, lifetime, engine, channelHealth, watches, channelControl, dataFolder })
  const offAir = new OffAir({ store, engine, channelHealth, watches, clock: options.clock })
  const { monitor, machine } = assembleMachine({ store, lifetime, options, hosts, webPorts, certificates, operation })
  const observed = { ...devices, ...streams, store, engine, monitor, webPorts, certificates, startTime, lifetime }
  const problems = lifetime.add(new ProblemMonitor(observed))
  const notifications = createNotifications({ ...observed, ...router, problems, gate, watches, hosts })
  const syslog = lifetime.add(new SyslogForwarder(store))
  const logSearch = lifetime.add(new LogSearch(store, dataFolder ? join(dataFolder, DATABASE_FILE) : data))
  const backups = createBackups({ store, lifetime, engine, hosts, clockWatch, now, dataFolder })
  const cloudLink = lifetime.add(createCloudLink(store, hosts, options))
  const tunnels = assembleTunnels({ store, lifetime, gate, accessChanges, registry, links, hosts, host, ownPorts })
  const { portForwards, devicePages } = tunnels
  // Last, because consoles then fetch the list.
  registry.stateChanged.on(() => store.changes.markChanged('catalog'))
  return {
    store,
    host,
    version: VERSION,
    dataFolder,
    restart: options.restart,
    operation,
    ownPorts,
    offAir,
    ...access,
    ...web,
    ...devices,
    ...streams,
    ...router,
    ...product,
    ...pictures,
    ...tunnels,
    engine,
    timeline,
    histories,
    firmware,
    monitor,
    machine,
    problems,
    notifications,
    syslog,
    logSearch,
    backups,
    cloudLink,
    portsInUse: new PortsInUse({ store, gate, webPorts, sharedPorts, portForwards, devicePages }),
    sessionsEnded: accessChanges.sessionsEnded,
    permissionsChanged: accessChanges.permissionsChanged,
    deviceStateChanged: registry.stateChanged.emit,
    deviceConfigChanged: channelControl.deviceConfigChanged,
    markDeviceViewed: statusPoller.prioritize,
    applyChannel: channelControl.apply
  }
}
