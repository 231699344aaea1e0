// Handlers for the system as a whole: status, addresses, shared ports, revisions and settings.
import { getRevisions } from '../../../contract/change-feed.ts'
import { listAddresses, retryPorts } from '../../../contract/system.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { Gate } from '../../auth/gate.ts'
import type { SignInTickets } from '../../auth/sign-in-tickets.ts'
import type { Scheduler } from '../../channels/scheduler.ts'
import type { SharedPortName, SharedPorts } from '../../channels/shared-ports.ts'
import type { PortForwards } from '../../devices/port-forwards.ts'
import type { Registry } from '../../devices/registry.ts'
import type { ChannelHealthMonitor } from '../../health/channel-health.ts'
import type { ProblemMonitor } from '../../health/problem-monitor.ts'
import { type Handler, handle, handleChange } from '../../http/handler.ts'
import type { HostAllowList } from '../../http/host-allow-list.ts'
import type { ListeningPort } from '../../http/ports/listening-port.ts'
import type { WebPorts } from '../../http/ports/web-ports.ts'
import type { LicenseService } from '../../license/license-service.ts'
import { listHubAddresses } from '../../machine/addresses.ts'
import type { Machine } from '../../machine/machine.ts'
import type { Monitor } from '../../machine/monitor.ts'
import type { SystemOperation } from '../../machine/system-operation.ts'
import type { DevicePages } from '../../pages/device-pages.ts'
import type { WatchFeed } from '../../preview/watch-feed.ts'
import type { Store } from '../../store/store.ts'
import type { SyslogForwarder } from '../../syslog/forwarder.ts'
import type { Certificates } from '../../tls/certificates.ts'
import type { ConsoleUpdater } from '../../upgrade/console-updater.ts'
import { certificateHandlers } from './certificate.ts'
import { portHandlers } from './ports.ts'
import { handleGetSettings, handleSetSettings } from './settings.ts'
import { handleSystemStatus } from './status.ts'

interface ListAddressesParts {
  engine: EngineClient
  filesPort: ListeningPort
  webPorts: WebPorts
  host: string
}

interface SystemParts {
  store: Store
  gate: Gate
  signInTickets: SignInTickets
  registry: Registry
  engine: EngineClient
  channelHealth: ChannelHealthMonitor
  problems: ProblemMonitor
  scheduler: Scheduler
  consoleUpdater: ConsoleUpdater
  license: LicenseService
  monitor: Monitor
  machine: Machine
  syslog: SyslogForwarder
  filesPort: ListeningPort
  webPorts: WebPorts
  certificates: Certificates
  watches: WatchFeed
  portForwards: PortForwards
  devicePages: DevicePages
  hosts: HostAllowList
  host: string
  version: string
  features: number
  startedAt: number
  operation: SystemOperation
  sessionsEnded: () => void
  sharedPort: (name: SharedPortName) => number | undefined
  sharedPortChanged: (name: SharedPortName) => Promise<void>
  sharedPorts: Pick<SharedPorts, 'trial'>
  applyChannel: (id: number) => Promise<void>
}

/** Lists the addresses of this machine, and the open ports for browsers, SRT and RTMP. */
function handleListAddresses(hub: ListAddressesParts): Handler {
  return handle(listAddresses, () => {
    const { srt, rtmp } = hub.engine.observePorts()
    const ports = {
      web: hub.webPorts.portOf('http'),
      files: hub.filesPort.observe().port,
      srt: srt.port,
      rtmp: rtmp.port
    }
    const openPorts = Object.entries(ports).filter(([, port]) => port !== undefined)
    return { addresses: listHubAddresses(hub.host), ports: Object.fromEntries(openPorts) }
  })
}

function handleRetryPorts({ engine, filesPort }: { engine: EngineClient; filesPort: ListeningPort }): Handler {
  return handleChange(retryPorts, (context) => {
    context.afterCommit(() => engine.retryPorts())
    context.afterCommit(() => filesPort.retry())
    return {}
  })
}

export function systemHandlers(hub: SystemParts): Handler[] {
  return [
    handleSystemStatus(hub),
    handleListAddresses(hub),
    handle(getRevisions, () => ({ revs: hub.store.changes.revs() })),
    handleGetSettings(hub),
    handleRetryPorts(hub),
    ...certificateHandlers(hub),
    ...portHandlers(hub),
    handleSetSettings(hub)
  ]
}
