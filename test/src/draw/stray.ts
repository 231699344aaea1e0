/**
 * Gathers what is thrown in microtasks, which is how drawing tells the page of it.
 * @returns what was thrown so far, and how to end it
 */
export function gatherStray(): { thrown: unknown[]; end: () => void } {
  const { queueMicrotask } = globalThis
  const thrown: unknown[] = []
  globalThis.queueMicrotask = (act) =>
    queueMicrotask(() => {
      try {
        act()
      } catch (error) {
        thrown.push(error)
      }
    })
  return { thrown, end: () => void Object.assign(globalThis, { queueMicrotask }) }
}
