/** Bytes of packets that are put together from several sources. The memory is reused, because new memory makes garbage collection frequent. */
export class PacketBuffer {
  #memory: Buffer = Buffer.alloc(0)
  #length = 0

  get length(): number {
    return this.#length
  }

  clear(): void {
    this.#length = 0
  }

  /** Copies packets to the end. */
  append(packets: Buffer): void {
    const length = this.#length + packets.length
    if (length > this.#memory.length) {
      const larger = Buffer.allocUnsafeSlow(2 * length)
      this.#memory.copy(larger, 0, 0, this.#length)
      this.#memory = larger
    }
    packets.copy(this.#memory, this.#length)
    this.#length = length
  }

  /** All packets, valid until the next change. */
  bytes(): Buffer {
    return this.#memory.subarray(0, this.#length)
  }
}
