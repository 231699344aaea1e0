/** How work on many is spread. */
export interface Spread {
  /** How many are worked on at a time. */
  atOnce: number
  /** Milliseconds after which nothing more is begun. */
  begin: number
}

/**
 * Does `work` for each item, several at a time, in their order: one that is slow holds up its own place and no other.
 * @param late the result of one that was not begun in time
 * @returns results in the order of the items
 */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  { atOnce, begin }: Spread,
  work: (item: Item) => Promise<Result>,
  late: (item: Item) => Result
): Promise<Result[]> {
  const results: Result[] = []
  const began = performance.now()
  let next = 0
  async function lane(): Promise<void> {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at] as Item
      results[at] = performance.now() - began > begin ? late(item) : await work(item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, lane))
  return results
}
