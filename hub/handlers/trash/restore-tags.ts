// The tags of an object in the trash. A tag that gives access comes back with the object only if nobody sees the object
// because of it who did not see it before the deletion, or if the caller may set the access of the object.
import type { TaggedKind } from '../../../contract/tag.ts'
import type { TrashKind } from '../../../contract/trash.ts'
import type { Gate } from '../../auth/gate.ts'
import type { Context } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'
import type { TagRow } from '../../store/tags.ts'
import type { TrashedTags, TrashRow } from '../../store/trash.ts'
import { maySetAccess } from '../tag.ts'
import type { Restoration } from './restoration.ts'

interface TagParts {
  store: Store
  gate: Gate
}

const KINDS: Readonly<Partial<Record<TrashKind, TaggedKind>>> = {
  channel: 'channel',
  input: 'source',
  output: 'source'
}

/** The tags of an entry that still exist: those that the caller can restore, and those that give access since. */
export function tagsOfEntry({ store, gate }: TagParts, context: Context, { kind, data }: TrashRow) {
  const { tags = [], access = { group_mask: 0, usr_mask: 0 } }: TrashedTags = JSON.parse(data)
  const tagged = KINDS[kind]
  const rows = tagged ? tags.flatMap((id) => store.tags.byId(id) ?? []) : []
  const isRestorable = ({ group_mask: groups, usr_mask: users }: TagRow) =>
    ((groups & ~access.group_mask) === 0 && (users & ~access.usr_mask) === 0) ||
    (tagged !== undefined && maySetAccess(gate, context, tagged))
  return { kind: tagged, restorable: rows.filter(isRestorable), others: rows.filter((row) => !isRestorable(row)) }
}

/** Adds the tags to a restored object. */
export function restoreTags(parts: TagParts, restoration: Restoration, entry: TrashRow): void {
  const { kind, restorable, others } = tagsOfEntry(parts, restoration.context, entry)
  if (kind) for (const { id } of restorable) parts.store.tags.put(kind, entry.object_id, id)
  for (const { name } of others) restoration.leaveOut('tag', name)
}
