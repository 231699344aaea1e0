// Groups of hubs (contract/catalog.ts): hubs are the devices of the cloud.
import { describeAccess, validateMasks } from '../../accounts/visibility.ts'
import { VisibleCatalogs } from '../../accounts/visible-catalogs.ts'
import { GROUP_ADMIN, isPermitted } from '../../contract/access/permissions.ts'
import { addCatalog, deleteCatalog, listCatalogs, renameCatalog, setCatalog } from '../../contract/catalog.ts'
import { NAME_EXISTS, NOT_EXIST, NOT_PERMITTED, OBJECT_BUSY, TOO_MANY } from '../../contract/codes.ts'
import { getGlobalDevice, REGISTRATION_STATE } from '../../contract/device/device.ts'
import { CATALOG_DEPTH_MAX } from '../../contract/limits.ts'
import { CallError } from '../../web-server/call-error.ts'
import { paginate } from '../../web-server/pages.ts'
import { readUsers } from '../auth/accounts.ts'
import {
  type CatalogRow,
  type HubAccess,
  type HubRow,
  readHubAccess,
  readNamed,
  readVisibleHubs
} from '../auth/hub-access.ts'
import type { Caller } from '../auth/sessions.ts'
import { readSettings, storeSetting } from '../auth/settings.ts'
import { type Context, type Handler, handle, requireCaller } from '../http/handler.ts'
import type { Scope } from '../store/scope.ts'

interface CatalogParts {
  isOnline: (organisation: string, sn: string) => boolean
  now: () => number
}

/** @throws CallError 16 if the caller sees no group with this id */
function requireCatalog({ catalogs, isCatalogVisible }: HubAccess, id: number): CatalogRow {
  const row = catalogs.find((each) => each.id === id)
  if (!row || !isCatalogVisible(id)) throw new CallError(NOT_EXIST)
  return row
}

/** Number of levels from the root to a group, inclusive; 0 if it does not exist. */
function depthOf(catalogs: readonly CatalogRow[], id: number): number {
  const row = catalogs.find((each) => each.id === id)
  return row ? 1 + depthOf(catalogs, row.parent_id) : 0
}

/** @throws CallError 1003 if another group than `id` has this name */
function requireFreeName({ catalogs }: HubAccess, name: string, id?: number): void {
  if (catalogs.some((row) => row.name === name && row.id !== id)) throw new CallError(NAME_EXISTS, { field: 'name' })
}

/** The state of all groups, which no other transaction changes meanwhile. */
async function lockAccess(context: Context, scope: Scope): Promise<HubAccess> {
  await scope.lock()
  return readHubAccess(scope, requireCaller(context))
}

const handleListCatalogs = ({ isOnline }: CatalogParts) =>
  handle(listCatalogs, async (context, scope, { tree }) => {
    const caller = requireCaller(context)
    const { catalogs, byDefault, isCatalogVisible } = await readHubAccess(scope, caller)
    const hubs = await readVisibleHubs(scope, caller)
    const users = await readUsers(scope)
    const visible = new VisibleCatalogs<HubRow>({
      catalogs,
      byDefault,
      isVisible: isCatalogVisible,
      maySetMasks: isPermitted(setCatalog.access, caller.user),
      devices: () => hubs.filter(({ state }) => state === REGISTRATION_STATE.accepted),
      isOnline: ({ sn }) => isOnline(scope.organisation, sn),
      users: () => users
    })
    const list =
      tree === 1
        ? visible.roots.map((row) => visible.serializeTree(row))
        : visible.rows.map((row) => visible.serialize(row))
    return paginate(list, {})
  })

/**
 * A group at the top level inherits the global default. If that does not include the caller, the new group gets its
 * masks and the caller's bit.
 */
async function includeCreator(scope: Scope, caller: Caller, id: number): Promise<void> {
  const { byDefault, isCatalogVisible } = await readHubAccess(scope, caller)
  if (isCatalogVisible(id)) return
  const usr_mask = (byDefault['usr-mask'] | caller.user.id) >>> 0
  const change = { is_inherit: 0, group_mask: byDefault['group-mask'], usr_mask }
  await scope.update('catalogs').set(change).where('id', '=', id).execute()
}

const handleAddCatalog = ({ now }: CatalogParts) =>
  handle(addCatalog, async (context, scope, { id: parentId = 0, 'parent-id': parent = parentId, name }) => {
    context.detail = name
    const access = await lockAccess(context, scope)
    if (parent !== 0) requireCatalog(access, parent)
    if (depthOf(access.catalogs, parent) >= CATALOG_DEPTH_MAX) throw new CallError(TOO_MANY, { max: CATALOG_DEPTH_MAX })
    requireFreeName(access, name)
    const id = Math.max(0, ...access.catalogs.map((row) => row.id)) + 1
    await scope.insert('catalogs', { id, parent_id: parent, name, created: now() }).execute()
    await includeCreator(scope, requireCaller(context), id)
    return { id }
  })

const handleRenameCatalog = handle(renameCatalog, async (context, scope, { id, name }) => {
  const access = await lockAccess(context, scope)
  const row = requireCatalog(access, id)
  context.detail = `${row.name} → ${name}`
  requireFreeName(access, name, id)
  await scope.update('catalogs').set({ name }).where('id', '=', id).execute()
  return {}
})

/** The cloud has no trash: hubs and groups of a deleted group move to its parent. */
const handleDeleteCatalog = handle(deleteCatalog, async (context, scope, { id, force }) => {
  const access = await lockAccess(context, scope)
  const row = requireCatalog(access, id)
  context.detail = row.name
  const hub = await scope.select('hubs').select('sn').where('catalog_id', '=', id).executeTakeFirst()
  const isEmpty = !hub && access.catalogs.every((each) => each.parent_id !== id)
  if (!isEmpty && !force) throw new CallError(OBJECT_BUSY)
  await scope.update('hubs').set({ catalog_id: row.parent_id }).where('catalog_id', '=', id).execute()
  await scope.update('catalogs').set({ parent_id: row.parent_id }).where('parent_id', '=', id).execute()
  await scope.delete('catalogs').where('id', '=', id).execute()
  return { trash: [] }
})

/** Moves hubs to a group. @throws CallError 16 if the caller may not see one of them, or one is not accepted */
async function moveHubs(scope: Scope, { isHubVisible }: HubAccess, id: number, serials: readonly string[]) {
  const hubs = await scope.select('hubs').selectAll().where('sn', 'in', serials).execute()
  const movable = hubs.filter((hub) => hub.state === REGISTRATION_STATE.accepted && isHubVisible(hub))
  if (movable.length < new Set(serials).size) throw new CallError(NOT_EXIST, { field: 'devices' })
  await scope.update('hubs').set({ catalog_id: id }).where('sn', 'in', serials).execute()
}

const handleSetCatalog = handle(setCatalog, async (context, scope, { id, devices = [], security }) => {
  // Otherwise a user could widen the visibility of all hubs that an administrator has narrowed.
  if (id === 0 && security && requireCaller(context).user.type !== GROUP_ADMIN) throw new CallError(NOT_PERMITTED)
  const access = await lockAccess(context, scope)
  const name = id === 0 ? '' : requireCatalog(access, id).name
  context.detail = [name, ...devices].filter(Boolean).join(', ')
  if (devices.length > 0) await moveHubs(scope, access, id, devices)
  if (!security) return {}
  const named = await readNamed(scope)
  const masks = validateMasks(named, security)
  const inherits = Boolean(security['is-inherit'])
  context.detail = describeAccess(named, context.detail, inherits ? undefined : masks)
  if (id === 0 && masks) await storeSetting(scope, 'device-security', masks)
  if (id !== 0)
    await scope
      .update('catalogs')
      .set({
        is_inherit: inherits ? 1 : 0,
        ...(masks && { group_mask: masks['group-mask'], usr_mask: masks['usr-mask'] })
      })
      .where('id', '=', id)
      .execute()
  return {}
})

export const catalogHandlers = (parts: CatalogParts): Handler[] => [
  handleListCatalogs(parts),
  handleAddCatalog(parts),
  handleRenameCatalog,
  handleDeleteCatalog,
  handleSetCatalog,
  // Hubs have no connection configuration of the cloud.
  handle(getGlobalDevice, async (_context, scope) => ({
    security: (await readSettings(scope)).values['device-security'],
    config: {}
  }))
]
