// Waits for a condition. No test waits for time: how long something takes depends on the machine and its other work.

/**
 * Milliseconds after which a test gives up: longer than any condition takes on a loaded machine. What the hub undoes,
 * it undoes after 60 s.
 */
export const LIMIT = 90_000
/** Longest pause between two looks at the condition, in milliseconds. */
const PAUSE_MAX = 50

// Tests replace timers and clocks.
const { setTimeout } = globalThis
const now = performance.now.bind(performance)

/**
 * Waits until a condition returns a value that counts as true.
 * @param what describes the condition in the error message; as a function it is called then, and describes also the
 * state in which it is not met
 * @returns the value, unless it is a boolean
 * @throws Error after `LIMIT` milliseconds
 */
export async function until<Value>(
  condition: () => Value | Promise<Value>,
  what: string | (() => string)
): Promise<Value extends boolean ? void : NonNullable<Value>>
export async function until(condition: () => unknown, what: string | (() => string)): Promise<unknown> {
  for (const start = now(); ; ) {
    const value = await condition()
    if (value) return value
    const elapsed = now() - start
    if (elapsed > LIMIT) throw new Error(`Not within ${LIMIT / 1000} s: ${typeof what === 'string' ? what : what()}`)
    // Looks often at first and less often later, so that waiting takes little of the processor.
    await new Promise((resolve) => setTimeout(resolve, Math.min(5 + elapsed / 20, PAUSE_MAX)))
  }
}

/** Milliseconds between two looks at an emulated machine, which each take much of its processor. */
const PAUSE_EMULATED = 3000

/**
 * Waits as `until` does, but as long as the runner's limit for a file allows: what an emulated machine does may take
 * many minutes.
 */
export async function untilEmulated<Value>(condition: () => Promise<Value | undefined | false>): Promise<Value> {
  for (;;) {
    const value = await condition()
    if (value) return value
    await new Promise((resolve) => setTimeout(resolve, PAUSE_EMULATED))
  }
}
