// Stored data about the firewall of the machine. The firewall service has the open ports, too; remarks and disabled rules are only here.
import type { FirewallOutcome, FirewallSettings } from '../../../contract/machine/firewall/firewall.ts'
import type { SettingsStore } from '../settings.ts'
import type { StoredFirewallChange } from './stored-firewall.ts'

export function firewallStore(settings: SettingsStore) {
  return {
    settings: (): FirewallSettings => settings.get('firewall'),
    setSettings: ({ mode, rules }: FirewallSettings): void => settings.set('firewall', { mode, rules }),
    change: (): StoredFirewallChange | undefined => settings.get('firewall-change') ?? undefined,
    setChange: (change: StoredFirewallChange): void => settings.set('firewall-change', change),
    outcome: (): FirewallOutcome | undefined => settings.get('firewall-outcome') ?? undefined,
    /** The change has ended. */
    setOutcome(outcome: FirewallOutcome): void {
      settings.set('firewall-outcome', outcome)
      settings.set('firewall-change', null)
    }
  }
}

export type FirewallStore = ReturnType<typeof firewallStore>
