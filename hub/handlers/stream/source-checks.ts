// Shared by the handlers of inputs and outputs: checks of a request, and the effect of a change on the channels.

import { CHANNEL_VIEW, hasAnyBit, INPUT_OUTPUT_EDIT } from '../../../contract/access/permissions.ts'
import { BAD_ADDRESS, NAME_EXISTS, NOT_EXIST } from '../../../contract/codes.ts'
import { isForbiddenHost } from '../../../contract/stream/address-policy.ts'
import type { Gate } from '../../auth/gate.ts'
import { CallError, type Context, requireCaller } from '../../http/handler.ts'
import type { ChannelRow } from '../../store/channels.ts'
import type { Store } from '../../store/store.ts'

/** Whether the caller may edit inputs and outputs, and thus see their secrets. */
export function canEdit(context: Context): boolean {
  return hasAnyBit(requireCaller(context).user.permission, INPUT_OUTPUT_EDIT)
}

/** The channels that use an object, as far as the caller may see them. */
interface VisibleOwners {
  channels: readonly ChannelRow[]
  /** Whether the caller may view channels at all. */
  mayView: boolean
  /** Whether there are others, which the caller may not see. */
  hasHidden: boolean
}

/** @param owners all channels that use an input, an output or a device */
export function visibleOwners(
  { gate }: { gate: Gate },
  context: Context,
  owners: readonly ChannelRow[]
): VisibleOwners {
  const caller = requireCaller(context)
  const mayView = hasAnyBit(caller.user.permission, CHANNEL_VIEW)
  const isVisible = gate.channelsVisibleTo(caller)
  const channels = mayView ? owners.filter(({ id }) => isVisible(id)) : []
  return { channels, mayView, hasHidden: mayView && channels.length < owners.length }
}

/** Names of channels, each once. */
export const channelNames = (channels: readonly ChannelRow[]): string[] => [
  ...new Set(channels.map(({ name }) => name))
]

/**
 * Returns the row of the input or output that a call is about.
 * @param kind for the log
 * @throws CallError 16 if there is no row, or the caller may not see it
 */
export function requireSource<Row>(
  { gate }: { gate: Gate },
  context: Context,
  kind: 'input' | 'output',
  id: number,
  row: Row | undefined
): Row {
  context.objects.push(`${kind}:${id}`)
  if (row === undefined || !gate.sourcesVisibleTo(requireCaller(context))(id)) throw new CallError(NOT_EXIST)
  return row
}

/** Stores who created an input or output: the user sees it until a channel uses it, which then decides. */
export function addCreator({ store }: { store: Store }, context: Context, id: number): void {
  store.sourceAccess.addCreator(id, requireCaller(context).user.id)
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
export function requireAllowedHost({ store }: { store: Store }, host: string | undefined, field: string): void {
  if (host !== undefined && isForbiddenHost(host, store.settings.get('streams')['forbid-private']))
    throw new CallError(BAD_ADDRESS, { field, forbidden: true })
}

/** After the commit, passes the channels that use an input or output to the stream engine. */
export function applyChannels(
  { store, applyChannel }: { store: Store; applyChannel: (id: number) => Promise<void> },
  context: Context,
  channelIds: readonly number[]
): void {
  context.afterCommit(() => {
    store.changes.markChanged('source')
    return Promise.all(channelIds.map((id) => applyChannel(id)))
  })
}
