// Visibility masks in all tables and settings. IDs of users and groups are reused, so no mask may contain the bit of
// one that does not exist: the next user or group with that ID would inherit access.
import { ALL_GROUPS } from '../../contract/access/visibility.ts'
import type { Store } from './store.ts'

/** Settings with the global defaults. */
const DEFAULTS = ['device-security', 'channel-security'] as const

/** Removes the bit of a deleted user from all masks. */
export function removeUserFromMasks(store: Store, bit: number): void {
  const { devices, catalogs, channelVisibility, sourceAccess, tags, trash, settings } = store
  devices.removeUserFromMasks(bit)
  catalogs.removeUserFromMasks(bit)
  channelVisibility.removeUserFromMasks(bit)
  sourceAccess.removeUserFromMasks(bit)
  tags.removeUserFromMasks(bit)
  trash.removeUserFromMasks(bit)
  for (const part of DEFAULTS) {
    const masks = settings.get(part)
    settings.set(part, { ...masks, 'usr-mask': (masks['usr-mask'] & ~bit) >>> 0 })
  }
}

/** Removes the bit of a deleted user group from all masks, except masks of all groups, which include future ones. */
export function removeGroupFromMasks(store: Store, bit: number): void {
  const { devices, catalogs, channelVisibility, tags, trash, settings } = store
  devices.removeGroupFromMasks(bit)
  tags.removeGroupFromMasks(bit)
  trash.removeGroupFromMasks(bit)
  catalogs.removeGroupFromMasks(bit)
  channelVisibility.removeGroupFromMasks(bit)
  for (const part of DEFAULTS) {
    const masks = settings.get(part)
    if (masks['group-mask'] === ALL_GROUPS) continue
    settings.set(part, { ...masks, 'group-mask': (masks['group-mask'] & ~bit) >>> 0 })
  }
}
