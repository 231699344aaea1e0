// Masks of who may see an object (reference 3.12), over all that holds one: no bit in them may belong to nobody, since ids are given
// again, and who is given one later would see what was another's.
import { ALL_GROUPS, type Visibility } from '../../contract/device/device.ts'
import type { Store } from './store.ts'

/** The mask in which somebody does not exist; undefined where all do. */
export function unknownBits({ database }: Store, masks: Visibility): keyof Visibility | undefined {
  const known = (table: 'user' | 'user_group') =>
    database.all<{ id: number }>(`SELECT id FROM ${table}`).reduce((mask, { id }) => (mask | id) >>> 0, 0)
  const { 'group-mask': groups, 'usr-mask': users } = masks
  if (groups !== ALL_GROUPS && (groups & ~known('user_group')) !== 0) return 'group-mask'
  return (users & ~known('user')) !== 0 ? 'usr-mask' : undefined
}

/** Takes a user's bit, who is no more, out of every mask. */
export function forgetUser({ devices, catalogs, settings }: Store, bit: number): void {
  devices.forgetUser(bit)
  catalogs.forgetUser(bit)
  const masks = settings.get('device-security')
  settings.set('device-security', { ...masks, 'usr-mask': (masks['usr-mask'] & ~bit) >>> 0 })
}

/** The same for a user group. A mask of all groups, also of those to come, stays one. */
export function forgetGroup({ devices, catalogs, settings }: Store, bit: number): void {
  devices.forgetGroup(bit)
  catalogs.forgetGroup(bit)
  const masks = settings.get('device-security')
  if (masks['group-mask'] === ALL_GROUPS) return
  settings.set('device-security', { ...masks, 'group-mask': (masks['group-mask'] & ~bit) >>> 0 })
}
