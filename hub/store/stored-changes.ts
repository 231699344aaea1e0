// Changes of the network and the firewall of the machine that wait for their confirmation, and the notes on interfaces.

import type { FirewallSettings } from '../../contract/machine/firewall/firewall.ts'
import type { InterfaceUse, NetworkChange, NetworkOutcome } from '../../contract/machine/network.ts'

/** A change that waits for its confirmation. Survives a restart of the hub, which may be shorter than the wait. */
export interface StoredFirewallChange extends FirewallSettings {
  /** The change in the firewall service. */
  id: string
  by: string
  /**
   * End of the time for the confirmation, on the clock of `machineUptimeMs()`: that of the day may be set meanwhile.
   */
  deadline: number
}

/** A change that waits for its confirmation. Survives a restart of the hub, which may be shorter than the wait. */
export interface StoredNetworkChange extends Pick<NetworkChange, 'iface' | 'by' | 'ipaddr'> {
  overIface: boolean
  /** Addresses of the interface before the change. */
  previous: string[]
  request: NonNullable<NetworkOutcome['request']>
  /**
   * End of the time for the confirmation, on the clock of `machineUptimeMs()`: that of the day may be set meanwhile.
   */
  deadline: number
  /** D-Bus path; empty until the checkpoint exists. */
  checkpoint: string
  /** D-Bus path of the connection to save, or to delete if `isRemoval`; empty until the change is applied. */
  connection: string
  isRemoval?: boolean
  isConfirmed?: boolean
}

/** Name and uses that users gave to an interface. */
export interface InterfaceNote {
  label: string
  uses: InterfaceUse[]
}

export type InterfaceNotes = Readonly<Record<string, InterfaceNote>>
