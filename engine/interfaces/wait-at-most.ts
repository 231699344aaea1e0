/** Milliseconds that a change waits for the engine. The change is made in any case. */
export const CHANGE_WAIT = 500
/** Milliseconds between two looks at a condition. */
const CHECK_INTERVAL = 20

/** Waits until a promise is settled, but not longer than a time in milliseconds. Never rejects. */
export async function waitAtMost(promise: Promise<unknown>, time: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, time)
  })
  await Promise.race([promise.catch(() => {}), timeout])
  clearTimeout(timer)
}

/** Waits for a condition, but not longer than a time in milliseconds. */
export async function waitFor(condition: () => boolean, time: number): Promise<void> {
  for (const end = performance.now() + time; !condition() && performance.now() < end; )
    await new Promise((resolve) => setTimeout(resolve, CHECK_INTERVAL))
}
