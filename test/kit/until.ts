// Waits for conditions instead of fixed times.

/** Resolves as soon as `condition` holds. Rejects after `limit` milliseconds. */
export async function until(condition: () => boolean, what: string, limit = 5000): Promise<void> {
  const end = performance.now() + limit
  while (!condition()) {
    if (performance.now() > end) throw new Error(`waited ${limit} ms in vain until ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
