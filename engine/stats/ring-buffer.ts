// An hour of seconds in numbers: a column for each thing that was ever measured, made when it first is. Memory is bounded by that.
export const RING_SECONDS = 3600

export interface Ring<Field extends string> {
  /**
   * Writes what was measured in a second. Seconds that were left out since the last one hold nothing.
   * @param second counts up, from anywhere; one that is over is not written again
   */
  put(second: number, values: Partial<Record<Field, number>>): void
  /** What was measured in a second; NaN for nothing, and for what is more than an hour old. */
  at(field: Field, second: number): number
  /** What was ever measured, in the order in which it came up. */
  fields(): Field[]
  /** The last second that was written; undefined before the first. */
  newest(): number | undefined
  /** The first second that is still held. */
  oldest(): number | undefined
}

export function createRing<Field extends string>(): Ring<Field> {
  // Four bytes hold a rate to a millionth, and a count of one second exactly.
  const columns = new Map<Field, Float32Array>()
  let first: number | undefined
  let newest: number | undefined

  function clear(from: number, to: number): void {
    const count = Math.min(RING_SECONDS, to - from)
    for (let second = to - count; second < to; second++)
      for (const column of columns.values()) column[second % RING_SECONDS] = Number.NaN
  }

  return {
    put(second, values) {
      if (newest !== undefined && second < newest) return
      first ??= second
      if (newest === undefined || second > newest) clear(newest === undefined ? second : newest + 1, second + 1)
      newest = second
      for (const field of Object.keys(values) as Field[]) {
        const value = values[field]
        if (value === undefined) continue
        let column = columns.get(field)
        if (!column) {
          column = new Float32Array(RING_SECONDS).fill(Number.NaN)
          columns.set(field, column)
        }
        column[second % RING_SECONDS] = value
      }
    },
    at(field, second) {
      if (newest === undefined || second > newest || second <= newest - RING_SECONDS) return Number.NaN
      return columns.get(field)?.[second % RING_SECONDS] ?? Number.NaN
    },
    fields: () => [...columns.keys()],
    newest: () => newest,
    oldest: () => (first === undefined || newest === undefined ? undefined : Math.max(first, newest - RING_SECONDS + 1))
  }
}
