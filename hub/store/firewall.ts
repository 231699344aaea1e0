// Stored data about the firewall of the machine. The firewall service has the open ports, too; remarks and disabled
// rules are only here.
import type { FirewallOutcome, FirewallSettings } from '../../contract/machine/firewall/firewall.ts'
import type { Store } from './store.ts'
import type { StoredFirewallChange } from './stored-changes.ts'

export function firewallStore({ settings, database }: Pick<Store, 'settings' | 'database'>) {
  /** How the last change has ended while a storage fault keeps it from being stored. */
  let ended: { outcome: FirewallOutcome; kept: FirewallSettings | undefined } | undefined
  return {
    settings: (): FirewallSettings => ended?.kept ?? settings.get('firewall'),
    setSettings({ mode, rules }: FirewallSettings): void {
      settings.set('firewall', { mode, rules })
      if (ended) ended = { ...ended, kept: undefined }
    },
    change: (): StoredFirewallChange | undefined =>
      ended ? undefined : (settings.get('firewall-change') ?? undefined),
    setChange(change: StoredFirewallChange): void {
      settings.set('firewall-change', change)
      ended = undefined
    },
    outcome: (): FirewallOutcome | undefined => ended?.outcome ?? settings.get('firewall-outcome') ?? undefined,
    /**
     * The change has ended. During a storage fault, that is stored later. @param kept the settings, if they were kept
     */
    setOutcome(outcome: FirewallOutcome, kept?: FirewallSettings): void {
      const isStored = database.transactionOrLater(() => {
        if (kept) settings.set('firewall', { mode: kept.mode, rules: kept.rules })
        settings.set('firewall-outcome', outcome)
        settings.set('firewall-change', null)
        return true
      })
      ended = isStored ? undefined : { outcome, kept }
    }
  }
}

export type FirewallStore = ReturnType<typeof firewallStore>
