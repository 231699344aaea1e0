// Handler for the state of the system: facts about the machine, counts of devices, channels, outputs and clients, and
// the shared ports.
import {
  CHANNEL_VIEW,
  DEVICE_ADV_CONTROL,
  DEVICE_VIEW,
  FIRMWARE_VIEW,
  hasAnyBit,
  INPUT_OUTPUT_VIEW,
  isPermitted,
  SYSTEM_CONFIG_EDIT,
  SYSTEM_CONFIG_VIEW
} from '../../../contract/access/permissions.ts'
import { REGISTRATION_STATE } from '../../../contract/device/device.ts'
import { SESSION_NEVER } from '../../../contract/limits.ts'
import { CONNECTION_STATE, SOURCE_STATE } from '../../../contract/stream/protocols.ts'
import { type FilesPortStatus, type SharedPort, SYSTEM_STATUS_BITS, systemStatus } from '../../../contract/system.ts'
import type { EngineClient } from '../../../engine/interfaces/engine-client.ts'
import type { Certificates } from '../../../tls/certificates.ts'
import type { HostAllowList } from '../../../web-server/host-allow-list.ts'
import { isLoopback } from '../../../web-server/host-header.ts'
import type { Caller, Gate } from '../../auth/gate.ts'
import type { SharedPorts } from '../../channels/shared-ports.ts'
import type { CloudLink } from '../../cloud/cloud-link.ts'
import type { Registry } from '../../devices/registry.ts'
import type { ProblemMonitor } from '../../health/problem-monitor.ts'
import { type Context, type Handler, handle, requireCaller } from '../../http/handler.ts'
import type { WebPorts } from '../../http/ports/web-ports.ts'
import type { LicenseService } from '../../license/license-service.ts'
import { isLoopbackHost } from '../../machine/addresses.ts'
import type { Machine } from '../../machine/machine.ts'
import type { Monitor } from '../../machine/monitor.ts'
import type { StartTime } from '../../machine/start-time.ts'
import type { SystemOperation } from '../../machine/system-operation.ts'
import { filesPortStep, nextStep } from '../../messages/next-steps.ts'
import { reasonText } from '../../messages/reasons.ts'
import type { Store } from '../../store/store.ts'
import type { ConsoleUpdater } from '../../upgrade/console-updater.ts'
import { hubName } from '../machine/name.ts'
import { countProblems, type ProblemParts } from '../problem.ts'
import { serializeLicense, serializeLimits, serializeUsage } from './license.ts'
import { httpsState } from './web-settings.ts'

interface CountsParts {
  store: Store
  gate: Gate
  registry: Registry
  engine: EngineClient
}

interface SharedPortsParts {
  store: Store
  engine: EngineClient
  webPorts: WebPorts
  host: string
  sharedPorts: SharedPorts
}

interface SystemInfoParts {
  store: Store
  gate: Gate
  consoleUpdater: ConsoleUpdater
  machine: Machine
  webPorts: WebPorts
  certificates: Certificates
  hosts: HostAllowList
  version: string
  features: () => number
}

interface StatusParts {
  store: Store
  engine: EngineClient
  monitor: Monitor
  consoleUpdater: ConsoleUpdater
  license: LicenseService
  cloudLink: CloudLink
  problems: ProblemMonitor
  operation: SystemOperation
  startTime: StartTime
}

/** Counts of the objects that the caller may list. Without the permission for a list its counts are zero. */
function countsFor({ store, gate, engine, registry }: CountsParts, caller: Caller) {
  const may = (bits: number) => isPermitted(bits, caller.user)
  const isNeverVisible = () => false
  const isChannelVisible = gate.channelsVisibleTo(caller)
  const isSourceVisible = gate.sourcesVisibleTo(caller)
  const channels = may(CHANNEL_VIEW) ? store.channels.all().filter(({ id }) => isChannelVisible(id)) : []
  const observed = channels.filter((row) => row.enable).map((row) => engine.observe(row.id))
  const outputs = observed.flatMap((channel) => [...(channel?.outputs.values() ?? [])])
  const connected = outputs.filter((output) => output.connState === CONNECTION_STATE.connected)
  const isDeviceVisible = may(DEVICE_VIEW) ? gate.devicesVisibleTo(caller) : isNeverVisible
  const devices = store.devices
    .all()
    .filter((row) => row.reg_state === REGISTRATION_STATE.accepted && isDeviceVisible(row))
  // The players of an output are counted with the output below.
  const clients = observed.flatMap((channel) => channel.clients ?? [])
  const players = clients.filter((client) => !client.isPublisher && client.outputId === undefined).length
  return {
    device: {
      ...registry.countDevices(isDeviceVisible),
      'num-favorite': devices.filter((row) => hasAnyBit(row.is_favorite, caller.user.id)).length,
      ...(may(FIRMWARE_VIEW) && { 'num-update': devices.filter(store.firmware.updateFor).length })
    },
    channel: {
      'num-all': channels.length,
      'num-enabled': observed.length,
      'num-live': observed.filter((channel) => channel.connState === CONNECTION_STATE.connected).length
    },
    output: {
      'num-all': may(INPUT_OUTPUT_VIEW) ? store.sources.outputs().filter(({ id }) => isSourceVisible(id)).length : 0,
      'num-live': connected.length
    },
    client: { 'num-live': connected.reduce((sum, output) => sum + (output.clientNum ?? 1), players) }
  }
}

/**
 * The port for files. Clients behind a reverse proxy of this machine do not reach it if the hub listens on the loopback
 * alone.
 */
function serializeFilesPort(
  { webPorts, host }: { webPorts: WebPorts; host: string },
  { language, address }: Context
): FilesPortStatus {
  const { port, reason } = webPorts.ports.files.observe()
  if (reason !== undefined) return { reason: reasonText(language, reason), 'next-step': filesPortStep(language) }
  return port === undefined || (isLoopbackHost(host) && !isLoopback(address)) ? {} : { port }
}

/** A port that all channels share, or the reason why it could not be opened. */
function serializeSharedPort(
  { engine, sharedPorts }: { engine: EngineClient; sharedPorts: SharedPorts },
  { language }: Context,
  name: 'srt' | 'rtmp'
): SharedPort {
  const { reason } = engine.observePorts()[name]
  if (reason !== undefined) {
    // `nextStep` takes the status of a leg, so the port is described as one.
    const step = nextStep(language, { state: SOURCE_STATE.failed, connState: CONNECTION_STATE.waiting, reason })
    return { reason: reasonText(language, reason), ...(step && { 'next-step': step }) }
  }
  const port = sharedPorts.portOf(name)
  return port === undefined ? {} : { port }
}

/** The passphrase that callers of the shared SRT port need; none if the port is not encrypted. */
function srtPassphrase({ store }: { store: Store }): Pick<SharedPort, 'passphrase'> {
  const { 'pb-key-len': keyLength, passphrase } = store.settings.get('srt')
  return keyLength === 0 ? {} : { passphrase }
}

function sharedPorts(parts: SharedPortsParts, context: Context, user: Caller['user']) {
  return {
    srt: {
      ...serializeSharedPort(parts, context, 'srt'),
      ...(isPermitted(SYSTEM_CONFIG_EDIT, user) && srtPassphrase(parts))
    },
    rtmp: serializeSharedPort(parts, context, 'rtmp'),
    files: serializeFilesPort(parts, context)
  }
}

function systemInfo(parts: SystemInfoParts, caller: Caller) {
  const { user } = caller
  const { hardwareVersion } = parts.machine
  return {
    'date-time': Math.floor(Date.now() / 1000),
    'cloud-version': parts.version,
    ...(hardwareVersion !== undefined && { 'hardware-ver': hardwareVersion }),
    'expired-time': caller.display === undefined ? parts.store.settings.get('expired-time') : SESSION_NEVER,
    'feature-support': parts.features(),
    ...(parts.store.settings.get('previews')['data-saver'] && { 'data-saver': true as const }),
    ...(isPermitted(SYSTEM_CONFIG_VIEW, user) && {
      'device-name': hubName(parts),
      'host-name': parts.hosts.machineName,
      machine: parts.machine.mode,
      'https-state': httpsState(parts)
    }),
    ...(isPermitted(SYSTEM_CONFIG_VIEW | DEVICE_ADV_CONTROL, user) && { 'link-port': parts.webPorts.portOf('link') }),
    ...(parts.gate.isAdmin(caller) && { 'console-trial': parts.consoleUpdater.trialScript() })
  }
}

export function statusHandler(
  parts: StatusParts & SystemInfoParts & CountsParts & SharedPortsParts & ProblemParts
): Handler {
  const { store, monitor, engine, consoleUpdater, cloudLink } = parts
  return handle(systemStatus, (context, request) => {
    const caller = requireCaller(context)
    const { user } = caller
    const { lowMemory, ...measured } = monitor.reading()
    const { storageFault } = store.database
    const statusCode =
      (lowMemory ? SYSTEM_STATUS_BITS.lowMemory : 0) |
      parts.operation.statusBits() |
      (engine.isAway() ? SYSTEM_STATUS_BITS.engineAway : 0) |
      (storageFault ? SYSTEM_STATUS_BITS.storageFault : 0) |
      (engine.observePorts().srt.reason === undefined ? 0 : SYSTEM_STATUS_BITS.srtFailed) |
      consoleUpdater.statusBits()
    return {
      status: {
        system: {
          info: systemInfo(parts, caller),
          status: {
            'status-code': statusCode,
            ...measured,
            ...(storageFault && { 'storage-fault': storageFault }),
            'hub-up-time': Math.floor((Date.now() - parts.startTime.at) / 1000)
          },
          ...countsFor(parts, caller),
          health: parts.problems.hubHealth(),
          problem: countProblems(parts, context),
          ...(cloudLink.observed && { cloud: { online: cloudLink.isOnline } }),
          ...(isPermitted(CHANNEL_VIEW | SYSTEM_CONFIG_VIEW, user) && { ports: sharedPorts(parts, context, user) })
        },
        'license-reg': isPermitted(SYSTEM_CONFIG_VIEW, user)
          ? serializeLicense(parts)
          : { status: parts.license.status().state },
        'cur-license': {
          ...serializeLimits(parts),
          used: serializeUsage(parts, user)
        },
        'pwd-rule': store.settings.get('pwd-rule'),
        ...(request['global-config'] && {
          'global-config': { device: store.settings.get('device-config') }
        }),
        ...(request.history === 1 && { 'net-history': monitor.history() })
      }
    }
  })
}
