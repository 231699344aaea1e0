// The parts of the machine that the hub shows, and changes in manage mode.
import { MACHINE_MODES, type MachineMode } from '../../contract/machine/machine.ts'
import { type FirewallOptions, MachineFirewall } from './firewall.ts'
import { HardwareUpdater, type HardwareUpdaterOptions } from './hardware-update/hardware-updater.ts'
import { HostName } from './host-name.ts'
import { MachineNetwork, type NetworkOptions } from './network/network.ts'
import { MachinePower, type PowerOptions } from './power.ts'
import { readHardwareVersion } from './readings.ts'
import { SystemBus } from './system-bus.ts'
import { MachineTime, type TimeOptions } from './time/time.ts'

export interface Machine {
  mode: MachineMode
  /** Undefined if the machine has none. */
  hardwareVersion: string | undefined
  bus: SystemBus
  network: MachineNetwork
  hostName: HostName
  firewall: MachineFirewall
  /**
   * Whether a time on the clock of `performance.now()` is before a change that waits for its confirmation took effect.
   */
  isBeforeChange(time: number): boolean
  power: MachinePower
  time: MachineTime
  /** Updates of front panel, capture cards and the like. */
  hardware: HardwareUpdater
  close(): void
}

/** The mode in the environment variable MACHINE. @throws Error if it is none */
export function parseMachineMode(text: string): MachineMode {
  const mode = MACHINE_MODES.find((each) => each === text)
  if (mode) return mode
  throw new Error(`MACHINE is ${text}, but must be one of ${MACHINE_MODES.join(', ')}`)
}

export interface MachineOptions {
  mode: MachineMode
  network: Omit<NetworkOptions, 'mode' | 'bus' | 'timeServers'>
  firewall: Omit<FirewallOptions, 'mode'>
  power: Omit<PowerOptions, 'mode' | 'bus'>
  hardware: HardwareUpdaterOptions
  time?: Omit<TimeOptions, 'mode' | 'bus'>
}

export function createMachine({
  mode,
  network: networkOptions,
  firewall: firewallOptions,
  power,
  hardware: hardwareOptions,
  time: timeOptions
}: MachineOptions): Machine {
  const bus = new SystemBus()
  const time = new MachineTime({ mode, bus, ...timeOptions })
  const timeServers = () => time.serversInUse()
  const network = new MachineNetwork({ mode, bus, timeServers, ...networkOptions })
  const firewall = new MachineFirewall({ mode, ...firewallOptions })
  const hardware = new HardwareUpdater(hardwareOptions)
  return {
    mode,
    hardwareVersion: readHardwareVersion(),
    bus,
    network,
    hostName: new HostName({ mode, bus }),
    firewall,
    isBeforeChange: (moment) => network.isBeforeChange(moment) || firewall.isBeforeChange(moment),
    power: new MachinePower({ mode, bus, ...power }),
    time,
    hardware,
    close() {
      hardware.close()
      firewall.close()
      network.close()
      bus.close()
    }
  }
}
