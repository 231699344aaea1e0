/**
 * Tracks inputs and outputs that are stopping, so that the next user of the same origin or device can wait for them.
 */
export class Releases {
  readonly #pending = new Set<Promise<void>>()
  readonly #byKey = new Map<string, Promise<void>>()

  /**
   * @param stopping resolves when the leg has stopped
   * @param key identifies the origin or device that it uses
   */
  add(stopping: Promise<void>, key?: string): void {
    const released = stopping.finally(() => {
      this.#pending.delete(released)
      if (key !== undefined && this.#byKey.get(key) === released) this.#byKey.delete(key)
    })
    this.#pending.add(released)
    if (key !== undefined) this.#byKey.set(key, released)
  }

  /** Resolves when the last leg with this key has stopped. */
  async whenReleased(key: string): Promise<void> {
    await this.#byKey.get(key)
  }

  /** Resolves when all legs that are stopping now have stopped. */
  async whenAllReleased(): Promise<void> {
    await Promise.all(this.#pending)
  }
}
