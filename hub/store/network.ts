// Stored data about the network of the machine. Its configuration itself is in NetworkManager.
import type { NetworkOutcome } from '../../contract/machine/network.ts'
import type { Store } from './store.ts'
import type { InterfaceNote, StoredNetworkChange } from './stored-changes.ts'

export function networkStore({ settings, database }: Pick<Store, 'settings' | 'database'>) {
  /** The outcome of the last change while a storage fault keeps it from being stored. */
  let ended: NetworkOutcome | undefined
  return {
    current: (): StoredNetworkChange | undefined => (ended ? undefined : (settings.get('network-change') ?? undefined)),
    setCurrent(change: StoredNetworkChange): void {
      settings.set('network-change', change)
      ended = undefined
    },
    outcome: (): NetworkOutcome | undefined => ended ?? settings.get('network-outcome') ?? undefined,
    /** The change has ended. During a storage fault, that is stored later. */
    setOutcome(outcome: NetworkOutcome): void {
      const isStored = database.transactionOrLater(() => {
        settings.set('network-outcome', outcome)
        settings.set('network-change', null)
        return true
      })
      ended = isStored ? undefined : outcome
    },
    note: (iface: string): InterfaceNote => settings.get('network-notes')[iface] ?? { label: '', uses: [] },
    setNote(iface: string, note: InterfaceNote): void {
      settings.set('network-notes', { ...settings.get('network-notes'), [iface]: note })
    }
  }
}

export type NetworkStore = ReturnType<typeof networkStore>
