// The machine under the hub: its measured load, and its settings.
import { LOG_ERROR } from '../../contract/log.ts'
import { isLoopbackHost } from '../machine/addresses.ts'
import { createMachine, type Machine } from '../machine/machine.ts'
import { type MachineReading, type Monitor, startMonitor } from '../machine/monitor.ts'
import type { Store } from '../store/store.ts'
import type { HubOptions } from './options.ts'

/** @param host address on which the hub listens */
export function createMachineServices(
  store: Store,
  { data, machine = 'view' }: HubOptions,
  host: string
): { monitor: Monitor; machine: Machine } {
  let isMemoryLow = false
  function checkMemory({ lowMemory }: MachineReading): void {
    if (lowMemory === isMemoryLow) return
    isMemoryLow = lowMemory
    if (lowMemory) store.logEvent({ event: 'low-memory', level: LOG_ERROR })
    store.changes.markChanged('status')
  }
  return {
    monitor: startMonitor(data === ':memory:' ? '.' : data, isLoopbackHost(host), checkMemory),
    machine: createMachine(machine)
  }
}
