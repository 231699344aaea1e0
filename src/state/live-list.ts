// Lists of the hub that keep themselves up to date, by differences where the hub has revisions.
import type { ListReply } from '../../contract/call.ts'
import { type Live, type LiveSource, type LiveStore, live } from './live.ts'

export interface LiveList<Item, Reply = ListReply<Item>> extends Live {
  /** In the hub's order. An item that did not change is the same object as before. */
  items: readonly Item[]
  /** How many there are in all, of which `items` may be a page. */
  total: number
  /** The last good answer, for what it says besides; its own list may be a mere difference. */
  reply?: Reply
}

interface ListSource<Request extends object, Item, Reply extends ListReply<Item>> extends LiveSource<Request, Reply> {
  /** The number or text by which the hub names an item in `gone`. */
  keyOf(item: Item): number | string
  /**
   * What the hub's order depends on, as one text; by default the item's name. A difference does not tell where a changed item
   * belongs: when this changes, the list is asked for as a whole.
   */
  orderOf?(item: Item): string | undefined
}

/** Makes a list store. */
export function liveList<Request extends object, Item, Reply extends ListReply<Item>>(
  source: ListSource<Request, Item, Reply>
): LiveStore<LiveList<Item, Reply>> {
  const { keyOf, orderOf = (item) => (item as { name?: string }).name } = source

  /** The items with a difference worked in; undefined where it does not tell their order. */
  function merge(items: readonly Item[], { list, gone, total, mark }: Reply): readonly Item[] | undefined {
    if (list.length === 0 && !gone?.length) return items
    const lost = new Set(gone)
    const changed = new Map(list.map((item) => [keyOf(item), item]))
    let moved = false
    const merged = items.flatMap((item) => {
      const key = keyOf(item)
      if (lost.has(key)) return []
      const next = changed.get(key)
      changed.delete(key)
      moved ||= next !== undefined && orderOf(next) !== orderOf(item)
      return next ?? item
    })
    // With a mark the hub vouches for the order, and for what the page holds.
    return mark === undefined && (moved || changed.size > 0 || merged.length !== total) ? undefined : merged
  }

  return live<Request, Reply, Omit<LiveList<Item, Reply>, keyof Live>>(source, {
    nothing: { items: [], total: 0 },
    quiet: source.topic !== undefined,
    read(held, reply) {
      const items = reply.partial ? merge(held.items, reply) : reply.list
      return items && { items, total: reply.total, reply }
    }
  })
}
