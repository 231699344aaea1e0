// How many devices of a process dial at the same time. Boxes have a processor each; light devices share one, and where thousands
// dialled at once none would come to answer what it is asked.

/** Attempts under way at a time. */
const AT_ONCE = 40

let dialling = 0
const waiting: (() => void)[] = []

/**
 * Waits for a turn to dial.
 * @param go called when it has come, with what ends the turn, any number of times
 * @returns what gives up waiting
 */
export function takeTurn(go: (end: () => void) => void): () => void {
  const begin = () => {
    let over = false
    dialling++
    go(() => {
      if (over) return
      over = true
      dialling--
      waiting.shift()?.()
    })
  }
  if (dialling < AT_ONCE) {
    begin()
    return () => {}
  }
  waiting.push(begin)
  return () => {
    const at = waiting.indexOf(begin)
    if (at >= 0) waiting.splice(at, 1)
  }
}
