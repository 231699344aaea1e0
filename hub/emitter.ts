// An event of a part of the hub: parts that are created later add functions that it calls, so that no part has to know
// them.

export class Emitter<Args extends readonly unknown[] = []> {
  readonly #listeners: ((...args: Args) => void)[] = []

  /** Adds a function that is called at each event, after those that were added before. */
  on(listener: (...args: Args) => void): void {
    this.#listeners.push(listener)
  }

  /** An arrow function, so that it can be passed on as a callback. */
  readonly emit = (...args: Args): void => {
    for (const listener of this.#listeners) listener(...args)
  }
}
