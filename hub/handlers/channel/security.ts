// Handlers for the visibility of channels, and for their global default.
import { isPermitted } from '../../../contract/access/permissions.ts'
import type { Visibility } from '../../../contract/access/visibility.ts'
import { NOT_EXIST, SUCCESS } from '../../../contract/codes.ts'
import type { Channel } from '../../../contract/stream/channel.ts'
import { getGlobalChannel, setChannelSecurity, setGlobalChannel } from '../../../contract/stream/channel-security.ts'
import type { Gate } from '../../auth/gate.ts'
import { CallError, type Context, type Handler, handle, handleChange, requireCaller } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'
import { describeAccess, validateMasks } from '../user/visibility-masks.ts'

/** The visibility of a channel, for callers who may set it. */
export function securityFields(
  { store }: { store: Store },
  context: Pick<Context, 'caller'>,
  id: number
): Pick<Channel, 'is-inherit' | keyof Visibility> {
  if (!isPermitted(setChannelSecurity.access, requireCaller(context).user)) return {}
  const row = store.channelVisibility.byId(id)
  return { 'is-inherit': row.is_inherit, 'group-mask': row.group_mask, 'usr-mask': row.usr_mask }
}

/**
 * Adds the user who created a channel to those who see it, if the user would not see it otherwise. A copy has the masks
 * of the original, which the user may see because of a tag that the copy does not have.
 */
export function includeCreator({ store, gate }: { store: Store; gate: Gate }, context: Context, id: number): void {
  const caller = requireCaller(context)
  if (gate.canSeeChannel(caller, id)) return
  const row = store.channelVisibility.byId(id)
  const masks = row.is_inherit
    ? store.settings.get('channel-security')
    : { 'group-mask': row.group_mask, 'usr-mask': row.usr_mask }
  store.channelVisibility.set(id, false, { ...masks, 'usr-mask': (masks['usr-mask'] | caller.user.id) >>> 0 })
}

function handleSetSecurity({ store, permissionsChanged }: { store: Store; permissionsChanged: () => void }): Handler {
  return handleChange(setChannelSecurity, (context, { id, security }) => {
    const inherits = Boolean(security['is-inherit'])
    // Masks that come with `is-inherit` are stored, and apply when the channel no longer inherits.
    const masks = validateMasks(store, security)
    const ids = [...new Set([id].flat())]
    const rows = ids.map((channelId) => store.channels.byId(channelId))
    context.objects.push(...ids.map((channelId) => `channel:${channelId}`).reverse())
    const details = rows.map((row, index) => {
      if (row) store.channelVisibility.set(row.id, inherits, masks)
      return { id: ids[index] ?? 0, result: row ? SUCCESS : NOT_EXIST }
    })
    if (rows.every((row) => row === undefined)) throw new CallError(NOT_EXIST, { details })
    const names = rows.flatMap((row) => row?.name ?? []).join(', ')
    context.detail = describeAccess(store, names, inherits ? undefined : masks)
    context.afterCommit(() => permissionsChanged())
    return { details }
  })
}

export function channelSecurityHandlers(parts: { store: Store; permissionsChanged: () => void }): Handler[] {
  const { settings } = parts.store
  return [
    handleSetSecurity(parts),
    handle(getGlobalChannel, () => ({ security: settings.get('channel-security') })),
    handleChange(setGlobalChannel, (context, { security }) => {
      context.detail = describeAccess(parts.store, '', security)
      settings.set('channel-security', validateMasks(parts.store, security) ?? security)
      context.afterCommit(() => parts.permissionsChanged())
      return {}
    })
  ]
}
