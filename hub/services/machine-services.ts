// The machine under the hub: its measured load, and its settings.

import { LOG_ERROR, LOG_INFO, LOG_WARNING } from '../../contract/log.ts'
import type { FirewallOutcome } from '../../contract/machine/firewall/firewall.ts'
import type { NetworkOutcome } from '../../contract/machine/network.ts'
import { CONSOLE_PORTS_MAX, SOCKET_PATH } from '../../firewall/protocol.ts'
import { logger } from '../../process-log/logger.ts'
import type { HostAllowList } from '../http/host-allow-list.ts'
import type { WebPorts } from '../http/ports/web-ports.ts'
import { isLoopbackHost } from '../machine/addresses.ts'
import { serviceClient } from '../machine/firewall/service-client.ts'
import { createMachine, type Machine } from '../machine/machine.ts'
import { type MachineReading, type Monitor, startMonitor } from '../machine/monitor.ts'
import type { SystemOperation } from '../machine/system-operation.ts'
import { firewallStore } from '../store/machine/firewall.ts'
import { networkStore } from '../store/machine/network.ts'
import type { Store } from '../store/store.ts'
import type { Certificates } from '../tls/certificates.ts'
import { findInterfaceUsers } from './interface-users.ts'
import type { HubOptions } from './options.ts'

/** The ports of the console that are open, those on trial included. */
const consolePorts = ({ ports }: Pick<WebPorts, 'ports'>): number[] =>
  [...ports.http.listeners(), ...ports.https.listeners()].map(({ port }) => port).slice(0, CONSOLE_PORTS_MAX)

interface MachineServices {
  monitor: Monitor
  machine: Machine
}

interface MachineNeeds {
  /** Address on which the hub listens. */
  host: string
  hosts: HostAllowList
  certificates: Pick<Certificates, 'check'>
  webPorts: Pick<WebPorts, 'ports'>
  operation: SystemOperation
}

export function createMachineServices(
  store: Store,
  { data, machine: mode = 'view', firewallSocket = SOCKET_PATH }: HubOptions,
  { host, hosts, certificates, webPorts, operation }: MachineNeeds
): MachineServices {
  let isMemoryLow = false
  function checkMemory({ lowMemory }: MachineReading): void {
    if (lowMemory === isMemoryLow) return
    isMemoryLow = lowMemory
    if (lowMemory) store.logEvent({ event: 'low-memory', level: LOG_ERROR })
    store.changes.markChanged('status')
  }
  function logOutcome({ outcome, iface, reason, unverified }: NetworkOutcome): void {
    const event = unverified ? 'network-unverified' : 'network-undone'
    if (outcome === 'kept') store.logEvent({ event: 'network-changed', detail: iface, level: LOG_INFO })
    else store.logEvent({ event, detail: `${iface} ${reason}`, level: LOG_WARNING })
  }
  function logFirewall({ outcome, by, reason }: FirewallOutcome): void {
    if (outcome === 'kept') store.logEvent({ event: 'firewall-changed', detail: by, level: LOG_INFO })
    else store.logEvent({ event: 'firewall-undone', detail: `${by} ${reason}`, level: LOG_WARNING })
  }
  const machine = createMachine({
    mode,
    firewall: {
      store: firewallStore(store),
      send: serviceClient(firewallSocket),
      consolePorts: () => consolePorts(webPorts),
      onChange: () => store.changes.markChanged('status'),
      onOutcome: logFirewall
    },
    network: {
      store: networkStore(store),
      listenHost: host,
      findUsers: () => findInterfaceUsers(store),
      onAddressChange() {
        hosts.addressesChanged()
        certificates.check().catch((error) => logger.error('The certificate could not be checked', error))
      },
      onChange: () => store.changes.markChanged('status'),
      onOutcome: logOutcome
    },
    power: {
      operation,
      onFailure: (_action, reason) => store.logEvent({ event: 'power-failed', detail: reason || '–', level: LOG_ERROR })
    }
  })
  const monitor = startMonitor(data === ':memory:' ? '.' : data, isLoopbackHost(host), checkMemory)
  return { monitor, machine }
}
