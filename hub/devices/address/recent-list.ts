// A list of a device that all who ask for it within a few seconds share.

/** Milliseconds for which a list is used again. */
const AGE = 5000

export class RecentList<Item> {
  readonly #read: () => Promise<Item[]>
  #known: Item[] | undefined
  #last: { list: Promise<Item[]>; at: number } | undefined

  constructor(read: () => Promise<Item[]>) {
    this.#read = read
  }

  /** The list, read again if it is older than 5 s. @throws as the function that reads it; that is not kept */
  get(): Promise<Item[]> {
    const now = performance.now()
    if (this.#last && now - this.#last.at < AGE) return this.#last.list
    const list = this.#read()
    const last = { list, at: now }
    this.#last = last
    list.then(
      (items) => {
        this.#known = items
      },
      () => {
        if (this.#last === last) this.#last = undefined
      }
    )
    return list
  }

  /** The list that was read last, however long ago; read now if it never was. @throws as `get` */
  async known(): Promise<Item[]> {
    return this.#known ?? this.get()
  }
}
