// Which hubs and groups of hubs a user sees: as devices and their groups on a hub.
import type { Selectable } from 'kysely'
import { catalogsVisibleTo, isRowVisible, type Named } from '../../accounts/visibility.ts'
import { GROUP_ADMIN, hasAnyBit } from '../../contract/access/permissions.ts'
import { ALL_GROUPS, type Visibility } from '../../contract/access/visibility.ts'
import { NOT_EXIST } from '../../contract/codes.ts'
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { CallError } from '../../web-server/call-error.ts'
import type { Scope } from '../store/scope.ts'
import type { Tables } from '../store/tables.ts'
import { readGroups, readUsers } from './accounts.ts'
import type { Caller } from './sessions.ts'
import { readSettings, storeSetting } from './settings.ts'

export type HubRow = Selectable<Tables['hubs']>
export type CatalogRow = Selectable<Tables['catalogs']>

export interface HubAccess {
  /** All groups. */
  catalogs: readonly CatalogRow[]
  /** The global default. */
  byDefault: Visibility
  /** Whether the caller may see a group; 0 stands for hubs without a group. */
  isCatalogVisible: (id: number) => boolean
  isHubVisible: (hub: HubRow) => boolean
}

export async function readHubAccess(scope: Scope, caller: Caller): Promise<HubAccess> {
  const catalogs = await scope.select('catalogs').selectAll().execute()
  const byDefault = (await readSettings(scope)).values['device-security']
  const isCatalogVisible = catalogsVisibleTo(catalogs, byDefault, caller)
  // The group and the masks of a pending or rejected hub apply from its acceptance on.
  const isHubVisible = (hub: HubRow) =>
    caller.user.type === GROUP_ADMIN ||
    (hub.state === REGISTRATION_STATE.accepted
      ? isRowVisible(caller, hub, isCatalogVisible(hub.catalog_id))
      : isCatalogVisible(0))
  return { catalogs, byDefault, isCatalogVisible, isHubVisible }
}

/** The hubs that the caller may see, by serial number. @param serials only those of them */
export async function readVisibleHubs(scope: Scope, caller: Caller, serials?: readonly string[]): Promise<HubRow[]> {
  const { isHubVisible } = await readHubAccess(scope, caller)
  const all = scope.select('hubs').selectAll().orderBy('sn')
  return (await (serials ? all.where('sn', 'in', serials) : all).execute()).filter(isHubVisible)
}

/** The hub with a serial number. @throws CallError 16 if there is none, or if the caller may not see it */
export async function requireVisibleHub(scope: Scope, caller: Caller, sn: string): Promise<HubRow> {
  const [hub] = await readVisibleHubs(scope, caller, [sn])
  if (!hub) throw new CallError(NOT_EXIST)
  return hub
}

/** The users and groups that masks can name. */
export const readNamed = async (scope: Scope): Promise<Named> => ({
  users: await readUsers(scope),
  groups: await readGroups(scope)
})

/**
 * Removes the bit of a deleted user or group from all masks, because the next one gets it. Masks of all groups include
 * future ones.
 */
export async function removeFromMasks(scope: Scope, kind: keyof Visibility, bit: number): Promise<void> {
  const column = kind === 'usr-mask' ? 'usr_mask' : 'group_mask'
  const without = (mask: number) => (kind === 'group-mask' && mask === ALL_GROUPS ? mask : (mask & ~bit) >>> 0)
  for (const hub of await scope.select('hubs').selectAll().execute()) {
    const favorites = kind === 'usr-mask' ? without(hub.favorites) : hub.favorites
    if (!hasAnyBit(hub[column], bit) && favorites === hub.favorites) continue
    const change = { [column]: without(hub[column]), favorites }
    await scope.update('hubs').set(change).where('sn', '=', hub.sn).execute()
  }
  for (const { id, [column]: mask } of await scope.select('catalogs').selectAll().execute())
    if (hasAnyBit(mask, bit))
      await scope
        .update('catalogs')
        .set({ [column]: without(mask) })
        .where('id', '=', id)
        .execute()
  const { values, isSet } = await readSettings(scope)
  const masks = values['device-security']
  if (isSet('device-security')) await storeSetting(scope, 'device-security', { ...masks, [kind]: without(masks[kind]) })
}
