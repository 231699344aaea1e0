// Stored data about the network of the machine. Its configuration itself is in NetworkManager.
import type { NetworkOutcome } from '../../../contract/machine/network.ts'
import type { SettingsStore } from '../settings.ts'
import type { InterfaceNote, StoredNetworkChange } from './stored-network.ts'

export function networkStore(settings: SettingsStore) {
  return {
    current: (): StoredNetworkChange | undefined => settings.get('network-change') ?? undefined,
    setCurrent: (change: StoredNetworkChange): void => settings.set('network-change', change),
    outcome: (): NetworkOutcome | undefined => settings.get('network-outcome') ?? undefined,
    /** The change has ended. */
    setOutcome(outcome: NetworkOutcome): void {
      settings.set('network-outcome', outcome)
      settings.set('network-change', null)
    },
    note: (iface: string): InterfaceNote => settings.get('network-notes')[iface] ?? { label: '', uses: [] },
    setNote(iface: string, note: InterfaceNote): void {
      settings.set('network-notes', { ...settings.get('network-notes'), [iface]: note })
    }
  }
}

export type NetworkStore = ReturnType<typeof networkStore>
