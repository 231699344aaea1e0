// The segments of a recording in memory: 24 bytes for each, so that a year of a channel takes 80 MB.

export interface Segment {
  /** Milliseconds since the epoch. */
  start: number
  end: number
  bytes: number
}

export class SegmentIndex {
  readonly #starts: number[] = []
  readonly #ends: number[] = []
  readonly #bytes: number[] = []
  #total = 0

  get count(): number {
    return this.#starts.length
  }

  /** Bytes of all segments. */
  get bytes(): number {
    return this.#total
  }

  at(index: number): Segment | undefined {
    const start = this.#starts[index]
    if (start === undefined) return undefined
    return { start, end: this.#ends[index] ?? start, bytes: this.#bytes[index] ?? 0 }
  }

  get first(): Segment | undefined {
    return this.at(0)
  }

  get last(): Segment | undefined {
    return this.at(this.count - 1)
  }

  /** Adds a segment, unless it is known. */
  add({ start, end, bytes }: Segment): void {
    let index = this.#firstFrom(start)
    while (this.#starts[index] === start) {
      if (this.#ends[index] === end) return
      index++
    }
    this.#starts.splice(index, 0, start)
    this.#ends.splice(index, 0, end)
    this.#bytes.splice(index, 0, bytes)
    this.#total += bytes
  }

  /** Removes the oldest segments. */
  removeFirst(count: number): void {
    for (const bytes of this.#bytes.slice(0, count)) this.#total -= bytes
    for (const column of [this.#starts, this.#ends, this.#bytes]) column.splice(0, count)
  }

  /** Number of segments that ended before a time. */
  countUntil(time: number): number {
    let count = 0
    while ((this.#ends[count] ?? Number.POSITIVE_INFINITY) <= time) count++
    return count
  }

  /** The segments with media of a period, oldest first. */
  between(from: number, to: number): Segment[] {
    const found: Segment[] = []
    for (let index = 0; index < this.count; index++) {
      const segment = this.at(index)
      if (segment && segment.end > from && segment.start < to) found.push(segment)
    }
    return found
  }

  /** Index of the first segment that begins at a time or later. */
  #firstFrom(time: number): number {
    let low = 0
    let high = this.count
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#starts[middle] ?? 0) < time) low = middle + 1
      else high = middle
    }
    return low
  }
}
