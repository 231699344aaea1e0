// The interval at which the images of a preview arrive. It is announced with each image, so that a console can tell a
// picture that has stopped from one that changes rarely: key frames 10 s apart, a device that encodes slowly, a slow
// connection.

/** Distances between images that are remembered. */
const DISTANCES_MAX = 5

/** Measures the interval between images. All times are in milliseconds. */
export class IntervalMeter {
  readonly #distances: number[] = []
  #lastAt: number | undefined

  /** An image has arrived. */
  add(now: number): void {
    if (this.#lastAt !== undefined) this.#distances.push(now - this.#lastAt)
    if (this.#distances.length > DISTANCES_MAX) this.#distances.shift()
    this.#lastAt = now
  }

  /**
   * The second longest of the last distances, because the longest may be an interruption; 0 while none is known. It
   * follows a source that becomes slower after two images.
   */
  interval(): number {
    const [longest = 0, second = longest] = this.#distances.toSorted((a, b) => b - a)
    return second
  }
}
