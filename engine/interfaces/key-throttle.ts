/** Blocks addresses that try many different wrong stream keys, across all protocols. */
export interface KeyThrottle {
  /**
   * Whether the address is blocked.
   * @param subject as in `recordWrongKey`
   */
  isBlocked(address: string, subject?: string): boolean
  /**
   * Counts a key that does not exist. Ignored while the address is blocked.
   * @param hash result of `hashKey`
   * @param subject the kind of secret if it is not a stream key, such as the login of one output; counted and blocked separately
   */
  recordWrongKey(address: string, hash: string, subject?: string): void
  /** Addresses that are blocked for wrong keys, each with the remaining milliseconds. */
  listBlocked(): { address: string; wait: number }[]
  /**
   * Subscribes to new blocks.
   * @returns a function that ends the subscription
   */
  onBlock(listener: (address: string, wait: number) => void): () => void
}
