// Waits for a condition instead of a fixed time.

/** Resolves when `condition` holds. Rejects after `limit` milliseconds. @param what describes the condition in the error message */
export async function until(condition: () => boolean, what: string, limit = 20_000): Promise<void> {
  const end = performance.now() + limit
  while (!condition()) {
    if (performance.now() > end) throw new Error(`Not within ${limit} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

/** Waits until a condition that takes time to find out is true. @throws Error after `timeout` milliseconds */
export async function waitFor(what: string, condition: () => Promise<boolean>, timeout = 20_000): Promise<void> {
  for (const end = performance.now() + timeout; !(await condition()); ) {
    if (performance.now() > end) throw new Error(`Not within ${timeout} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}
