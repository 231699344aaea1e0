// Waits for a condition instead of a fixed time.

/** Resolves when `condition` holds. Rejects after `limit` milliseconds. @param what describes the condition in the error message */
export async function until(condition: () => boolean, what: string, limit = 5000): Promise<void> {
  const end = performance.now() + limit
  while (!condition()) {
    if (performance.now() > end) throw new Error(`Not within ${limit} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
