// Work that comes in a flood: a share of it at a time, so that whoever waits for something else gets a turn in between.

/** Milliseconds of work in one go. */
const SHARE = 8

/** Takes pieces of work and does them soon, in the order in which they came. A piece must not throw. */
export function createBitByBit(share = SHARE): (work: () => void) => void {
  let waiting: (() => void)[] = []
  let next = 0

  function go(): void {
    const end = performance.now() + share
    while (next < waiting.length && performance.now() < end) waiting[next++]?.()
    if (next < waiting.length) return void setImmediate(go)
    waiting = []
    next = 0
  }

  return (work) => {
    waiting.push(work)
    if (waiting.length === 1) setImmediate(go)
  }
}
