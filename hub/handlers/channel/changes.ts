// Lookup of the channel that a call is about, and the effects of a change of it.
import { NOT_EXIST } from '../../../contract/codes.ts'
import type { Gate } from '../../auth/gate.ts'
import { CallError, type Context, requireCaller } from '../../http/handler.ts'
import type { ChannelRow } from '../../store/channels.ts'
import type { Store } from '../../store/store.ts'

/** @throws CallError 16 if there is no channel with this id, or the caller may not see it */
export function requireChannel(
  { store, gate }: { store: Store; gate: Gate },
  context: Context,
  id: number
): ChannelRow {
  context.objects.push(`channel:${id}`)
  const row = store.channels.byId(id)
  if (!row || !gate.canSeeChannel(requireCaller(context), id)) throw new CallError(NOT_EXIST)
  return row
}

/** Passes the channel to the stream engine once the change is committed. */
export function applyAfterCommit(
  { applyChannel }: { applyChannel: (id: number) => Promise<void> },
  context: Context,
  id: number
): void {
  context.afterCommit(() => applyChannel(id))
}

/** Marks the inputs and outputs as changed, because their channels decide who sees them. */
export function markSourcesChanged({ store }: { store: Store }, context: Context): void {
  context.afterCommit(() => store.changes.markChanged('source'))
}

/** Marks the devices among these nodes as changed, because a device's response names the channel that it plays. */
export function markDevicesChanged({ store }: { store: Store }, context: Context, nodes: readonly number[]): void {
  for (const id of nodes) if (store.devices.byId(id)) context.afterCommit(() => store.changes.markChanged('device', id))
}
