// Creates all components of a hub, and forwards events from one to the others.
import { join } from 'node:path'
import type { Topic } from '../../contract/change-feed.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { LOG_WARNING } from '../../contract/log.ts'
import { startPortForward } from '../../contract/port-forward.ts'
import { DEVELOPMENT_FINGERPRINT } from '../../pack/keys.ts'
import type { DeviceAccessCheck } from '../auth/device-access.ts'
import { featuresOf, storeRouting } from '../auth/feature-support.ts'
import { createGate, type Gate } from '../auth/gate.ts'
import { createLockOut } from '../auth/lock-out.ts'
import { SignInTickets } from '../auth/sign-in-tickets.ts'
import { channelsOfDevices } from '../channels/channels-of-devices.ts'
import { wantedChannel } from '../channels/wanted.ts'
import { wantedNdi } from '../channels/wanted-ndi.ts'
import type { HubContext } from '../context.ts'
import { DATABASE_FILE } from '../data-folder/entries.ts'
import type { PortForwards } from '../devices/port-forwards.ts'
import { Downloads } from '../downloads/downloads.ts'
import { createFirmware, type FirmwareServices } from '../firmware/firmware.ts'
import { PortsInUse } from '../handlers/stream/ports-in-use.ts'
import { PasswordCheck } from '../handlers/user/password-check.ts'
import { ProblemMonitor } from '../health/problem-monitor.ts'
import { type ChangeFeed, type ChangeFeedCalls, createChangeFeed } from '../http/change-feed.ts'
import { HostAllowList } from '../http/host-allow-list.ts'
import type { LicenseService } from '../license/license-service.ts'
import { createLogSearch, type LogSearch } from '../log-search/log-search.ts'
import type { Machine } from '../machine/machine.ts'
import type { Monitor } from '../machine/monitor.ts'
import { StartTime } from '../machine/start-time.ts'
import { SystemOperation } from '../machine/system-operation.ts'
import { ClockWatch } from '../machine/time/clock-watch.ts'
import type { DevicePages } from '../pages/device-pages.ts'
import type { PreviewFeed } from '../preview/feed.ts'
import type { WatchFeed } from '../preview/watch-feed.ts'
import type { BackupService } from '../scheduled-backups/backup-service.ts'
import type { Store } from '../store/store.ts'
import { SyslogForwarder } from '../syslog/forwarder.ts'
import { createBackups } from './backup-services.ts'
import { type ConsoleServices, createConsoleServices } from './console-services.ts'
import { createDeviceServices, type DeviceServices } from './device-services.ts'
import { createLicenseService } from './license-services.ts'
import { createMachineServices } from './machine-services.ts'
import { DEFAULT_HOST, type HubOptions } from './options.ts'
import { listOwnPorts } from './own-ports.ts'
import { createPictureServices } from './picture-services.ts'
import { createStreamServices, type StreamServices } from './stream-services.ts'
import { createTunnelServices } from './tunnel-services.ts'
import { createWebServices, type WebServices } from './web-services.ts'

const VERSION = '0.1.0'

/** Its event methods are function properties, because handlers take them out of the context. */
export class HubServices implements HubContext {
  readonly store: Store
  readonly gate: Gate
  readonly lockOut: ReturnType<typeof createLockOut>
  readonly signInTickets = new SignInTickets()
  readonly registry: DeviceServices['registry']
  readonly links: DeviceServices['links']
  readonly actions: DeviceServices['actions']
  readonly addressedDevices: DeviceServices['addressedDevices']
  readonly engine: StreamServices['engine']
  readonly channelHealth: StreamServices['channelHealth']
  readonly problems: ProblemMonitor
  readonly scheduler: StreamServices['scheduler']
  readonly routers: StreamServices['routers']
  readonly panels: StreamServices['panels']
  readonly incomingStreams: StreamServices['incomingStreams']
  readonly sharedPorts: StreamServices['sharedPorts']
  readonly firmware: FirmwareServices
  readonly consoleFiles: ConsoleServices['consoleFiles']
  readonly consoleUpdater: ConsoleServices['consoleUpdater']
  readonly license: LicenseService
  readonly monitor: Monitor
  readonly machine: Machine
  readonly logSearch: LogSearch
  readonly syslog: SyslogForwarder
  readonly backups: BackupService
  readonly webPorts: WebServices['webPorts']
  readonly certificates: WebServices['certificates']
  readonly transport: WebServices['transport']
  readonly portsInUse: PortsInUse
  readonly passwordCheck: PasswordCheck
  readonly downloads: Downloads
  readonly previews: PreviewFeed
  readonly watches: WatchFeed
  readonly portForwards: PortForwards
  readonly canAccessDevice: DeviceAccessCheck
  readonly devicePages: DevicePages
  readonly changeFeed: ChangeFeed
  readonly hosts: HostAllowList
  readonly host: string
  readonly version = VERSION
  readonly startTime = new StartTime()
  readonly operation: SystemOperation
  readonly dataFolder: string | undefined
  readonly restart: (() => void) | undefined
  readonly now: () => number
  readonly #statusPoller: DeviceServices['statusPoller']
  readonly #fixedFeatures: number
  readonly #isDevelopment: boolean
  readonly #clockWatch: ClockWatch
  #closing = false

  /**
   * @param options `data` is an absolute path or `:memory:`
   * @param handleCall handles a call that a console makes over its change feed socket
   */
  constructor(store: Store, options: HubOptions, handleCall: ChangeFeedCalls['handleCall']) {
    const { data, host = DEFAULT_HOST } = options
    this.store = store
    this.host = host
    this.operation = new SystemOperation(() => store.changes.markChanged('status'))
    this.dataFolder = data === ':memory:' ? undefined : data
    this.restart = options.restart
    this.#fixedFeatures = options.features ?? 0
    this.#isDevelopment = options.development ?? false
    this.#clockWatch = new ClockWatch((...step) => this.#clockStepped(...step))
    this.now = options.sessionClock ?? (() => this.#clockWatch.now())
    this.gate = createGate(store, this.now)
    this.downloads = new Downloads(this.gate)
    this.hosts = new HostAllowList({
      listenHost: host,
      fixedNames: options.hosts ?? [],
      configuredNames: () => store.settings.get('hosts').names
    })
    const { webPorts, certificates, transport } = createWebServices(store, options, this.hosts, this.#portsChanged)
    this.webPorts = webPorts
    this.certificates = certificates
    this.transport = transport
    this.lockOut = createLockOut(options.sessionClock)
    this.passwordCheck = new PasswordCheck(this)
    const devices = createDeviceServices({
      store,
      host,
      options,
      certificates,
      isClosing: () => this.#closing,
      onStateChanged: (sn) => this.deviceStateChanged(sn),
      ownPorts: () => this.ownPorts()
    })
    this.registry = devices.registry
    this.links = devices.links
    this.actions = devices.actions
    this.addressedDevices = devices.addressedDevices
    this.#statusPoller = devices.statusPoller
    const streams = createStreamServices({
      store,
      options,
      devices,
      applyChannel: (id) => this.applyChannel(id),
      onNdiStatusChange: ({ canRoute }) => {
        if (storeRouting(store, this.#fixedFeatures, canRoute)) this.permissionsChanged()
        store.changes.markChanged('ndi')
      }
    })
    this.engine = streams.engine
    this.channelHealth = streams.channelHealth
    this.scheduler = streams.scheduler
    this.routers = streams.routers
    this.panels = streams.panels
    this.incomingStreams = streams.incomingStreams
    this.sharedPorts = streams.sharedPorts
    this.firmware = createFirmware({ data, store, links: this.links, registry: this.registry, ...options.firmware })
    const { consoleFiles, consoleUpdater } = createConsoleServices(store, options, VERSION)
    this.consoleFiles = consoleFiles
    this.consoleUpdater = consoleUpdater
    this.license = createLicenseService(store, options)
    const { previews, watches } = createPictureServices({ ...devices, ...streams, store, gate: this.gate, options })
    this.previews = previews
    this.watches = watches
    const { monitor, machine } = createMachineServices(store, options, this)
    this.monitor = monitor
    this.machine = machine
    this.problems = new ProblemMonitor(this)
    this.syslog = new SyslogForwarder(store)
    this.logSearch = createLogSearch(store, data === ':memory:' ? data : join(data, DATABASE_FILE))
    this.backups = createBackups(this)
    const { portForwards, canAccessDevice, devicePages } = createTunnelServices(this)
    this.portForwards = portForwards
    this.canAccessDevice = canAccessDevice
    this.devicePages = devicePages
    this.portsInUse = new PortsInUse(this)
    this.changeFeed = createChangeFeed(store.changes, this.#isSessionValid, {
      handleCall,
      previewsReceived: (session, streamId, count) => this.previews.acknowledge(session, streamId, count)
    })
  }

  features = (): number => featuresOf(this.store, this.#fixedFeatures)

  #isSessionValid = (session: string): boolean => this.gate.callerOfSession(session) !== undefined

  /** Starts schedules, rollouts, and connections to devices at addresses. */
  start(): void {
    const { store, engine } = this
    if (this.#isDevelopment)
      store.logEvent({ event: 'development-mode', detail: DEVELOPMENT_FINGERPRINT, level: LOG_WARNING })
    this.scheduler.start()
    this.routers.start()
    void engine.configureNdi(wantedNdi(store))
    for (const channel of store.channels.all()) void this.applyChannel(channel.id)
    this.problems.start()
    engine.connect()
    store.logEvent({ event: 'hub-started', detail: VERSION })
    this.consoleUpdater.start()
    this.license.start()
    this.backups.start()
    this.firmware.rollouts.start()
    this.addressedDevices.start()
  }

  #portsChanged = (): void => this.machine?.firewall.consoleChanged()
  ownPorts = (): number[] => listOwnPorts(this)

  sessionsEnded = (): void => {
    this.changeFeed.closeExpired()
    this.previews.recheckAccess(this.#isSessionValid)
    this.watches.recheckAccess()
    this.downloads.recheckAccess()
    this.#recheckDeviceAccess()
  }

  /** Closes port forwards and device pages whose sessions no longer have access to the device. */
  #recheckDeviceAccess(): void {
    this.portForwards.stopWhere(({ session, sn }) => !this.canAccessDevice(session, sn, startPortForward.access))
    this.devicePages.recheckAccess()
  }

  permissionsChanged = (): void => {
    const { changes } = this.store
    for (const topic of Object.keys(changes.revs())) changes.resetTopic(topic as Topic)
    this.sessionsEnded()
  }

  markDeviceViewed = (sn: string): void => this.#statusPoller.prioritize(sn)

  deviceStateChanged = (sn: string): void => {
    const row = this.store.devices.bySerial(sn)
    if (row?.reg_state === REGISTRATION_STATE.accepted && this.registry.isOnline(sn))
      this.#statusPoller.start(sn, row.api)
    else this.#statusPoller.stop(sn)
    this.engine.notifyDeviceChange(sn)
    this.#recheckDeviceAccess()
    this.portForwards.presenceChanged(sn)
    this.store.changes.markChanged('catalog')
  }

  deviceConfigChanged = (id?: number): void => {
    for (const channel of channelsOfDevices(this.store, id)) this.applyChannel(channel)
  }

  applyChannel = (id: number): Promise<void> => {
    const { changes } = this.store
    const wanted = wantedChannel(this.store, id)
    this.channelHealth.apply(id, wanted)
    const applied = wanted ? this.engine.apply(wanted) : this.engine.remove(id)
    this.incomingStreams.refreshChannel(id)
    if (wanted) changes.markChanged('channel', id)
    else changes.markRemoved('channel', id)
    changes.markChanged('status')
    return applied
  }

  /** Sessions, uptime and the last backup keep their age, schedules follow the new time at once. */
  #clockStepped(step: number, before: number): void {
    const { store } = this
    store.users.shiftSessions(step, before)
    this.backups?.clockStepped(step, before)
    this.startTime.shift(step)
    // The step may be noticed within a request that has a transaction open.
    setImmediate(() => {
      if (this.#closing) return
      store.logEvent({ event: 'clock-set', detail: `${step > 0 ? '+' : '−'}${Math.round(Math.abs(step) / 1000)}` })
      this.scheduler.checkClock()
      store.changes.markChanged('status')
    })
  }

  /** Closes all components. The engine and its streams continue. */
  async close(): Promise<void> {
    this.#closing = true
    this.#clockWatch.close()
    this.store.logEvent({ event: 'hub-stopped' })
    const { problems, scheduler, routers, sharedPorts, firmware, consoleUpdater, license, addressedDevices } = this
    for (const part of [problems, scheduler, routers, sharedPorts, firmware, consoleUpdater, license]) part.close()
    for (const part of [this.backups, this.#statusPoller, addressedDevices]) part.close()
    this.monitor.stop()
    for (const part of [this.machine, this.logSearch, this.syslog, this.changeFeed]) part.close()
    for (const part of [this.portForwards, this.devicePages, this.previews, this.watches, this.downloads]) part.close()
    await this.panels.close()
    await this.webPorts.close()
    this.certificates.close()
    await this.engine.close()
    await this.links.close()
    this.store.close()
  }
}
