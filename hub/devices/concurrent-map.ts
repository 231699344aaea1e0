interface Concurrency {
  /** Items processed at the same time. */
  limit: number
  /** Milliseconds after which no further item is started. */
  startWithin: number
}

/**
 * Processes items concurrently, started in their order. A slow item holds up one of the concurrent lanes only.
 * @param onLate returns the result of an item that was not started in time
 * @returns results in the order of the items
 */
export async function concurrentMap<Item, Result>(
  items: readonly Item[],
  { limit, startWithin }: Concurrency,
  work: (item: Item) => Promise<Result>,
  onLate: (item: Item) => Result
): Promise<Result[]> {
  const results: Result[] = []
  const startedAt = performance.now()
  let next = 0
  async function runLane(): Promise<void> {
    for (let index = next++; index < items.length; index = next++) {
      const item = items[index] as Item
      results[index] = performance.now() - startedAt > startWithin ? onLate(item) : await work(item)
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, runLane))
  return results
}
