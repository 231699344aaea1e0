// The context of all handlers: the hub's components, created once by `services/hub-services.ts`.
import type { EngineClient } from '../engine/interfaces/engine-client.ts'
import type { DeviceAccessCheck } from './auth/device-access.ts'
import type { Gate } from './auth/gate.ts'
import type { LockOut } from './auth/lock-out.ts'
import type { SignInTickets } from './auth/sign-in-tickets.ts'
import type { Scheduler } from './channels/scheduler.ts'
import type { SharedPorts } from './channels/shared-ports.ts'
import type { DeviceActions } from './devices/actions.ts'
import type { AddressedDevices } from './devices/address/addressed-devices.ts'
import type { IncomingStreams } from './devices/incoming-streams.ts'
import type { DeviceLinks } from './devices/link/links.ts'
import type { PortForwards } from './devices/port-forwards.ts'
import type { Registry } from './devices/registry.ts'
import type { Downloads } from './downloads/downloads.ts'
import type { FirmwareServices } from './firmware/firmware.ts'
import type { PortsInUse } from './handlers/stream/ports-in-use.ts'
import type { PasswordCheck } from './handlers/user/password-check.ts'
import type { ChannelHealthMonitor } from './health/channel-health.ts'
import type { ProblemMonitor } from './health/problem-monitor.ts'
import type { HostAllowList } from './http/host-allow-list.ts'
import type { WebPorts } from './http/ports/web-ports.ts'
import type { LicenseService } from './license/license-service.ts'
import type { LogSearch } from './log-search/log-search.ts'
import type { Machine } from './machine/machine.ts'
import type { Monitor } from './machine/monitor.ts'
import type { StartTime } from './machine/start-time.ts'
import type { SystemOperation } from './machine/system-operation.ts'
import type { RouterService } from './ndi/router-service.ts'
import type { DevicePages } from './pages/device-pages.ts'
import type { PreviewFeed } from './preview/feed.ts'
import type { WatchFeed } from './preview/watch-feed.ts'
import type { BackupService } from './scheduled-backups/backup-service.ts'
import type { Store } from './store/store.ts'
import type { SyslogForwarder } from './syslog/forwarder.ts'
import type { Certificates } from './tls/certificates.ts'
import type { ConsoleUpdater } from './upgrade/console-updater.ts'
import type { PanelServers } from './videohub/panel-servers.ts'

export interface HubContext {
  store: Store
  gate: Gate
  lockOut: LockOut
  passwordCheck: PasswordCheck
  /** Tickets with which a console follows the hub to another address or port. */
  signInTickets: SignInTickets
  registry: Registry
  links: DeviceLinks
  actions: DeviceActions
  incomingStreams: IncomingStreams
  addressedDevices: AddressedDevices
  engine: EngineClient
  channelHealth: ChannelHealthMonitor
  problems: ProblemMonitor
  scheduler: Scheduler
  routers: RouterService
  firmware: FirmwareServices
  consoleUpdater: ConsoleUpdater
  license: LicenseService
  monitor: Monitor
  /** The settings of the machine under the hub. */
  machine: Machine
  logSearch: LogSearch
  /** Backups, and export and import of the configuration. */
  backups: BackupService
  syslog: SyslogForwarder
  /** Files that are downloaded by ticket. */
  downloads: Downloads
  /** The ports of the console, of registration and of files. */
  webPorts: WebPorts
  /** Certificates of HTTPS. */
  certificates: Certificates
  previews: PreviewFeed
  watches: WatchFeed
  portForwards: PortForwards
  /** Whether a port forward or device page that a session opened may stay open. */
  canAccessDevice: DeviceAccessCheck
  devicePages: DevicePages
  /** The ports of the NDI router for panels. */
  panels: PanelServers
  /** The names under which the hub answers. */
  hosts: HostAllowList
  /** Address on which all ports listen. */
  host: string
  /** Software version of the hub. */
  version: string
  /** Features of this hub: bits of `FEATURE_BITS`. */
  features: () => number
  /** The clock of sessions and second factors, in milliseconds since the epoch. */
  now: () => number
  startTime: StartTime
  /** What the hub as a whole does: a restart, a reset, an import. */
  operation: SystemOperation
  /** The data folder; undefined if the hub keeps its data in memory. */
  dataFolder: string | undefined
  /** Closes this hub and starts another one on the same data folder, in this process. Undefined if the owner of the hub does not offer it. */
  restart: (() => void) | undefined
  /** Ports on which the hub itself listens. Outputs cannot use them. */
  ownPorts: () => number[]
  /** Closes the sockets, previews, port forwards and device pages of sessions and tokens that ended or expired. */
  sessionsEnded: () => void
  /** Permissions or visibility of users changed: does what `sessionsEnded` does, and makes consoles fetch every list again. */
  permissionsChanged: () => void
  /** A device came online, went offline, was registered, accepted, rejected or removed: updates polling, streams, and connections that are open to it. */
  deviceStateChanged: (sn: string) => void
  /** The stream configuration of a device changed, or the global one if no ID is given: applies the channels that use it. */
  deviceConfigChanged: (id?: number) => void
  /** A client views a device: the hub polls it at full rate, however many other devices there are. */
  markDeviceViewed: (sn: string) => void
  sharedPorts: SharedPorts
  portsInUse: PortsInUse
  /**
   * Passes the stored configuration of a channel to the stream engine, and marks the channel as changed. Resolves when the engine has taken
   * it over, or after a short time.
   */
  applyChannel: (id: number) => Promise<void>
}
