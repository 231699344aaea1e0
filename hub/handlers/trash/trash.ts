// Handlers for the trash. A caller who may delete an object may see, restore and delete its entry.

import { matchesMasks } from '../../../accounts/visibility.ts'
import { GROUP_ADMIN, isPermitted, SYSTEM_CONFIG_VIEW } from '../../../contract/access/permissions.ts'
import { deleteCatalog } from '../../../contract/catalog.ts'
import { NOT_EXIST } from '../../../contract/codes.ts'
import { deleteChannels } from '../../../contract/stream/channel.ts'
import { deletePreset } from '../../../contract/stream/preset.ts'
import { deleteInputs, deleteOutputs } from '../../../contract/stream/source.ts'
import {
  deleteTrash,
  listTrash,
  type RestoredObject,
  restoreTrash,
  type TrashEntry,
  type TrashKind
} from '../../../contract/trash.ts'
import type { Caller, Gate } from '../../auth/gate.ts'
import { CallError, type Context, type Handler, handle, handleChange, requireCaller } from '../../http/handler.ts'
import { leftOutText } from '../../messages/trash.ts'
import type { Store } from '../../store/store.ts'
import { masksOf } from '../../store/tags.ts'
import type { TrashData, TrashedCatalog, TrashRow } from '../../store/trash.ts'
import { paginate } from '../list.ts'
import { markTrashChanged } from '../trashed.ts'
import { Restoration, type RestoreParts } from './restoration.ts'
import { restoreCatalog } from './restore-catalog.ts'
import { restoreChannel } from './restore-channel.ts'
import { restoreInput, restoreOutput, restorePreset } from './restore-source.ts'
import { restoreTags, tagsOfEntry } from './restore-tags.ts'

/** The calls that delete objects. */
const DELETIONS = {
  channel: deleteChannels,
  input: deleteInputs,
  output: deleteOutputs,
  preset: deletePreset,
  catalog: deleteCatalog
} as const satisfies Record<TrashKind, unknown>

type Restore<Kind extends TrashKind> = (parts: RestoreParts, restoration: Restoration, data: TrashData[Kind]) => string

const RESTORERS: { readonly [Kind in TrashKind]: Restore<Kind> } = {
  channel: restoreChannel,
  input: restoreInput,
  output: restoreOutput,
  preset: restorePreset,
  catalog: restoreCatalog
}

interface VisibilityParts {
  store: Store
  gate: Gate
}

/**
 * Whether a caller may see a deleted device group. One that inherited its access from a group that no longer exists is
 * visible to the Admin group only.
 */
function isCatalogVisible({ store, gate }: VisibilityParts, caller: Caller, { row }: TrashedCatalog): boolean {
  if (caller.user.type === GROUP_ADMIN) return true
  const { parent_id: parent } = row
  if (row.is_inherit === 0) return matchesMasks(caller, masksOf(row))
  return (parent === 0 || store.catalogs.byId(parent) !== undefined) && gate.catalogsVisibleTo(caller)(parent)
}

/** Returns a predicate: whether the caller may delete objects such as that of an entry, and may see it. */
function entriesVisibleTo(parts: VisibilityParts, context: Context): (entry: TrashRow) => boolean {
  const { gate } = parts
  const caller = requireCaller(context)
  const isChannelVisible = gate.channelsVisibleTo(caller)
  const isSourceVisible = gate.sourcesVisibleTo(caller)
  // The tags that a deleted channel will have again.
  const isOpenedByTag = (entry: TrashRow) =>
    tagsOfEntry(parts, context, entry).restorable.some((tag) => matchesMasks(caller, masksOf(tag)))
  return (entry) => {
    const { kind, object_id: id, data } = entry
    if (!isPermitted(DELETIONS[kind].access, caller.user)) return false
    if (kind === 'channel') return isChannelVisible(id) || isOpenedByTag(entry)
    if (kind === 'catalog') return isCatalogVisible(parts, caller, JSON.parse(data))
    return kind === 'preset' || isSourceVisible(id)
  }
}

/** Names of users are for all who may read the operation log; everybody sees his own. */
function serialize({ trash }: Store, { user }: Caller, entry: TrashRow): TrashEntry {
  const { id, kind, object_id: object, name, time, by_user: by, data } = entry
  const seesUser = isPermitted(SYSTEM_CONFIG_VIEW, user) || by === user.name
  const { row, protocol = row?.protocol }: { row?: { protocol?: number }; protocol?: number } = JSON.parse(data)
  const expires = Date.now() + trash.timeLeft(entry)
  return { id, kind, object, name, ...(protocol !== undefined && { protocol }), time, expires, ...(seesUser && { by }) }
}

/**
 * The entries of a request, latest deletion first: an object that was deleted after an object that used it is restored
 * before it.
 * @throws CallError 16 if one does not exist, or the caller may not see it
 */
function requireEntries(parts: VisibilityParts, context: Context, id: number | number[]): TrashRow[] {
  const isVisible = entriesVisibleTo(parts, context)
  const rows = [...new Set([id].flat())].map((each) => {
    const row = parts.store.trash.byId(each)
    if (!row || !isVisible(row)) throw new CallError(NOT_EXIST)
    return row
  })
  context.detail = rows.map(({ name }) => name).join(', ')
  context.objects.push(...rows.map(({ kind, object_id: object }) => `${kind}:${object}`))
  return rows.sort((a, b) => b.id - a.id)
}

function restoreEntry(
  parts: RestoreParts,
  context: Context,
  entry: TrashRow,
  options: { starts: boolean; force: boolean }
): RestoredObject {
  const { id, kind, object_id: object } = entry
  const restoration = new Restoration(context, options)
  const restore = RESTORERS[kind] as Restore<TrashKind>
  const name = restore(parts, restoration, JSON.parse(entry.data))
  restoreTags(parts, restoration, entry)
  parts.store.trash.remove(id)
  const notes = restoration.leftOut.map((part) => leftOutText(context.language, part))
  return { id, kind, object: restoration.newId ?? object, name, 'left-out': restoration.leftOut, notes }
}

export function trashHandlers(parts: RestoreParts): Handler[] {
  const { store } = parts
  return [
    handle(listTrash, (context, request) => {
      const caller = requireCaller(context)
      const page = paginate(store.trash.all().filter(entriesVisibleTo(parts, context)), request)
      return { ...page, list: page.list.map((entry) => serialize(store, caller, entry)) }
    }),
    handleChange(restoreTrash, (context, request) => {
      const entries = requireEntries(parts, context, request.id)
      const options = { starts: request.start === true, force: request.force === true }
      const restored = entries.map((entry) => restoreEntry(parts, context, entry, options))
      markTrashChanged(parts, context)
      return { restored }
    }),
    handleChange(deleteTrash, (context, request) => {
      for (const { id } of requireEntries(parts, context, request.id)) store.trash.remove(id)
      markTrashChanged(parts, context)
      return {}
    })
  ]
}
