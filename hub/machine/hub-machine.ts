// Creates the machine under the hub: its measured load, and its settings. Their changes are logged.
import { LOG_ERROR, LOG_INFO, LOG_WARNING } from '../../contract/log.ts'
import type { FirewallOutcome } from '../../contract/machine/firewall/firewall.ts'
import type { MachineMode } from '../../contract/machine/machine.ts'
import type { NetworkOutcome } from '../../contract/machine/network.ts'
import { CONSOLE_PORTS_MAX } from '../../firewall/protocol.ts'
import type { Lifetime } from '../lifetime.ts'
import { firewallStore } from '../store/firewall.ts'
import { networkStore } from '../store/network.ts'
import type { Store } from '../store/store.ts'
import { isLoopbackHost } from './addresses.ts'
import { serviceClient } from './firewall-client.ts'
import { createMachine } from './machine.ts'
import { type MachineReading, Monitor } from './monitor.ts'
import type { NetworkOptions } from './network/network.ts'
import type { SystemOperation } from './system-operation.ts'

interface HubMachineOptions {
  store: Store
  lifetime: Lifetime
  /** Data folder; `:memory:` keeps nothing. */
  data: string
  mode: MachineMode
  /** Path of the socket of the firewall service. */
  firewallSocket: string
  /** Path of the program that updates the hardware; undefined: the image has none. */
  hardwareUpdate: string | undefined
  /** Address on which the hub listens. */
  host: string
  operation: SystemOperation
  /** The ports of the console that are open, those on trial included. */
  consolePorts(): number[]
  /** Lists what uses the network interfaces. */
  findInterfaceUsers: NetworkOptions['findUsers']
  /** The machine has other addresses. */
  onAddressChange(): void
}

export function createHubMachine(options: HubMachineOptions) {
  const { store, lifetime, data, mode, firewallSocket, host, operation } = options
  const { consolePorts, findInterfaceUsers, onAddressChange } = options
  const markChanged = () => store.changes.markChanged('status')
  let isMemoryLow = false
  function checkMemory({ lowMemory }: MachineReading): void {
    if (lowMemory === isMemoryLow) return
    isMemoryLow = lowMemory
    if (lowMemory) store.logEvent({ event: 'low-memory', level: LOG_ERROR })
    markChanged()
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
  const machine = lifetime.add(
    createMachine({
      mode,
      firewall: {
        store: firewallStore(store),
        send: serviceClient(firewallSocket),
        consolePorts: () => consolePorts().slice(0, CONSOLE_PORTS_MAX),
        onChange: markChanged,
        onOutcome: logFirewall
      },
      network: {
        store: networkStore(store),
        listenHost: host,
        findUsers: findInterfaceUsers,
        onAddressChange,
        onChange: markChanged,
        onOutcome: logOutcome
      },
      hardware: { program: options.hardwareUpdate, store, onChange: markChanged },
      power: {
        operation,
        onFailure: (_action, reason) =>
          store.logEvent({ event: 'power-failed', detail: reason || '–', level: LOG_ERROR })
      }
    })
  )
  const measured = data === ':memory:' ? '.' : data
  const monitor = lifetime.add(new Monitor(measured, isLoopbackHost(host), checkMemory))
  return { monitor, machine }
}
