// Types of the stored data about the firewall of the machine.
import type { FirewallSettings } from '../../../contract/machine/firewall/firewall.ts'

/** A change that waits for its confirmation. Survives a restart of the hub, which may be shorter than the wait. */
export interface StoredFirewallChange extends FirewallSettings {
  /** The change in the firewall service. */
  id: string
  by: string
  /** End of the time for the confirmation, on the clock of `machineUptimeMs()`: that of the day may be set meanwhile. */
  deadline: number
}
