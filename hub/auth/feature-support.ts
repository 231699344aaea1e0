// The features of this hub, some of which come and go with the software of the machine.
import { FEATURE_BITS } from '../../contract/access/features.ts'
import type { Store } from '../store/store.ts'
import { updateViewerGroup } from './first-start.ts'

/**
 * The features of this hub. Whether NDI can be routed is stored, so that the NDI router does not disappear while the
 * engine starts.
 * @param fixed bits that the hub has in any case
 */
export function featuresOf({ settings }: Pick<Store, 'settings'>, fixed: number): number {
  return fixed | (settings.get('ndi-routing') ? FEATURE_BITS.ndiRouter : 0)
}

/**
 * Stores whether NDI can be routed, and changes the permissions of the Viewer group accordingly.
 * @returns whether that has changed
 */
export function storeRouting(store: Store, fixed: number, canRoute: boolean): boolean {
  if (store.settings.get('ndi-routing') === canRoute) return false
  const stored = store.database.transactionOrLater(() => {
    store.settings.set('ndi-routing', canRoute)
    return true
  })
  if (stored) updateViewerGroup(store, featuresOf(store, fixed))
  return stored ?? false
}
