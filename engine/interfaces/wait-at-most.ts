/** Milliseconds that a change waits for the engine. The change is made in any case. */
export const CHANGE_WAIT = 500

/** Waits until a promise is settled, but not longer than a time in milliseconds. Never rejects. */
export async function waitAtMost(promise: Promise<unknown>, time: number): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, time)
  })
  await Promise.race([promise.catch(() => {}), timeout])
  clearTimeout(timer)
}
