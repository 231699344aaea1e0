import type { TaggedKind } from '../../contract/tag.ts'
import type { Store } from '../store/store.ts'

/** The tags of an object, as a field of its response; none if it has no tags. */
export function tagFields({ tags }: Pick<Store, 'tags'>, kind: TaggedKind, id: number): { tags?: number[] } {
  const ids = tags.idsOf(kind, id)
  return ids.length > 0 ? { tags: ids } : {}
}
