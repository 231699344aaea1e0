// Shared by the handlers of inputs and outputs: checks of a request, and the effect of a change on the channels.

import { CHANNEL_VIEW, hasAnyBit, INPUT_OUTPUT_EDIT } from '../../../contract/access/permissions.ts'
import { BAD_ADDRESS, NAME_EXISTS, NOT_EXIST } from '../../../contract/codes.ts'
import { isForbiddenHost } from '../../../contract/stream/address-policy.ts'
import type { HubContext } from '../../context.ts'
import { CallError, type Context, requireCaller } from '../../http/handler.ts'

/** Whether the caller may edit inputs and outputs, and thus see their secrets. */
export function canEdit(context: Context): boolean {
  return hasAnyBit(requireCaller(context).user.permission, INPUT_OUTPUT_EDIT)
}

/** Whether the caller may see which channels use an input or output. */
export function canSeeChannels(context: Context): boolean {
  return hasAnyBit(requireCaller(context).user.permission, CHANNEL_VIEW)
}

/**
 * Returns the row of the input or output that a call is about.
 * @param object such as 'input:4', for the log
 * @throws CallError 16 if there is no row
 */
export function requireRow<Row>(context: Context, object: string, row: Row | undefined): Row {
  context.objects.push(object)
  if (row === undefined) throw new CallError(NOT_EXIST)
  return row
}

/**
 * @param row the row that has the requested name already, if any
 * @param id of the row that is to be named
 * @throws CallError 1003 if that is another row
 */
export function requireFreeName(row: { id: number } | undefined, id?: number): void {
  if (row && row.id !== id) throw new CallError(NAME_EXISTS, { field: 'name' })
}

/**
 * Checks an IP address before it is stored. Host names are checked by the engine whenever it connects, because they can
 * resolve to another address later.
 * @throws CallError with `forbidden` if the address policy does not allow it
 */
export function requireAllowedHost({ store }: HubContext, host: string | undefined, field: string): void {
  if (host !== undefined && isForbiddenHost(host, store.settings.get('streams')['forbid-private']))
    throw new CallError(BAD_ADDRESS, { field, forbidden: true })
}

/** After the commit, passes the channels that use an input or output to the stream engine. */
export function applyChannels(hub: HubContext, context: Context, channelIds: readonly number[]): void {
  context.afterCommit(() => {
    hub.store.changes.markChanged('source')
    return Promise.all(channelIds.map((id) => hub.applyChannel(id)))
  })
}
