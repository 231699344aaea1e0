// The end of the hub: each part that has to be closed is added when it is created, and they are closed in the reverse
// order.

export class Lifetime {
  readonly #closers: (() => unknown)[] = []
  #isEnding = false

  /** Whether the hub is closing. */
  get isEnding(): boolean {
    return this.#isEnding
  }

  /** Adds a part, and returns it. */
  add<Part extends { close(): unknown }>(part: Part): Part {
    this.onEnd(() => part.close())
    return part
  }

  /** @param close is waited for if it returns a promise */
  onEnd(close: () => unknown): void {
    this.#closers.push(close)
  }

  /** Closes all parts, the last one first. */
  async end(): Promise<void> {
    this.#isEnding = true
    for (const close of this.#closers.reverse()) await close()
  }
}
