// Lists of the hub that keep themselves up to date. From a hub with revisions they receive only the changes.
import type { ListResponse } from '../../contract/call.ts'
import { createLiveStore, type LiveSource, type LiveState, type LiveStore } from './live-store.ts'

export interface LiveListState<Item, Response = ListResponse<Item>> extends LiveState {
  /** In the hub's order. An unchanged item stays the same object. */
  items: readonly Item[]
  /** Number of items in the whole list, of which `items` may be a page. */
  total: number
  /** The last successful response, for its other fields. Its `list` may contain changed items only. */
  response?: Response
}

type ItemOf<Response extends ListResponse<unknown>> = Response['list'][number]

interface ListSource<Request extends object, Response extends ListResponse<unknown>, Item = ItemOf<Response>>
  extends LiveSource<Request, Response> {
  /** The key by which the hub names an item in `gone`; the default is the item's id. */
  keyOf?(item: Item): number | string
  /**
   * The value by which the hub sorts, as a text; the default is the item's name. Changes do not include to which
   * position an item moves: when this value changes, the whole list is requested.
   */
  orderOf?(item: Item): string | undefined
  /** The items of a whole list; the default is the list itself. */
  itemsOf?(list: readonly Item[]): readonly Item[]
}

/** Makes a list store. */
export function createLiveList<Request extends object, Response extends ListResponse<unknown>>(
  source: ListSource<Request, Response>
): LiveStore<LiveListState<ItemOf<Response>, Response>> {
  type Item = ItemOf<Response>
  const {
    keyOf = (item) => (item as { id: number }).id,
    orderOf = (item) => (item as { name?: string }).name,
    itemsOf = (list) => list
  } = source

  /** Merges changes into the items. @returns undefined when the order of the result is unknown */
  function merge(items: readonly Item[], { list, gone, total, mark }: Response): readonly Item[] | undefined {
    if (list.length === 0 && !gone?.length) return items
    const removed = new Set(gone)
    const changed = new Map(list.map((item) => [keyOf(item), item]))
    let hasMoved = false
    const merged = items.flatMap((item) => {
      const key = keyOf(item)
      if (removed.has(key)) return []
      const next = changed.get(key)
      changed.delete(key)
      hasMoved ||= next !== undefined && orderOf(next) !== orderOf(item)
      return next ?? item
    })
    // With a mark, the hub guarantees that the page still holds the same items in the same order.
    return mark === undefined && (hasMoved || changed.size > 0 || merged.length !== total) ? undefined : merged
  }

  return createLiveStore<Request, Response, Omit<LiveListState<Item, Response>, keyof LiveState>>(source, {
    initial: { items: [], total: 0 },
    skipsUnchanged: source.topic !== undefined,
    reduce(previous, response) {
      const items = response.partial ? merge(previous.items, response) : itemsOf(response.list)
      return items && { items, total: response.total, response }
    }
  })
}
