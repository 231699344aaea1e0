// One hour of values by the second, in one typed array per field. A field's array is allocated when it is first
// written.
export const RING_SECONDS = 3600

interface RingBuffer<Field extends string> {
  /**
   * Writes the values of a second. Seconds skipped since the last write become empty.
   * @param second number that counts up from any start; earlier seconds are ignored
   */
  put(second: number, values: Partial<Record<Field, number>>): void
  /** The value of a second; NaN if there is none, or if it is older than an hour. */
  valueAt(field: Field, second: number): number
  /** Fields that were ever written, in the order of their first write. */
  fields(): Field[]
  /** The last second written; undefined before the first. */
  newest(): number | undefined
  /** The oldest second stored. */
  oldest(): number | undefined
}

export function createRingBuffer<Field extends string>(): RingBuffer<Field> {
  // 32-bit floats are precise enough for rates and exact for counts of one second.
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
    valueAt(field, second) {
      if (newest === undefined || second > newest || second <= newest - RING_SECONDS) return Number.NaN
      return columns.get(field)?.[second % RING_SECONDS] ?? Number.NaN
    },
    fields: () => [...columns.keys()],
    newest: () => newest,
    oldest: () => (first === undefined || newest === undefined ? undefined : Math.max(first, newest - RING_SECONDS + 1))
  }
}
