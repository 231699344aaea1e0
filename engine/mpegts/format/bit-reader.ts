// Reads fields of video headers bit by bit, without the emulation prevention bytes (ITU-T H.264, 7.3.1; H.265, 7.3.1.1).

export class BitReader {
  readonly #bytes: Buffer
  #position = 0

  /** @param unit content of a NAL unit after its header */
  constructor(unit: Buffer) {
    const kept: number[] = []
    let zeros = 0
    for (const byte of unit) {
      const isPrevention = zeros >= 2 && byte === 3
      zeros = byte === 0 ? zeros + 1 : 0
      if (!isPrevention) kept.push(byte)
    }
    this.#bytes = Buffer.from(kept)
  }

  /** Whether all fields so far were inside of the unit. */
  get isComplete(): boolean {
    return this.#position <= 8 * this.#bytes.length
  }

  skip(bits: number): void {
    this.#position += bits
  }

  /** Unsigned number of at most 32 bits. */
  read(bits: number): number {
    let value = 0
    for (let count = 0; count < bits; count++, this.#position++) {
      const byte = this.#bytes[this.#position >> 3] ?? 0
      value = value * 2 + ((byte >> (7 - (this.#position & 7))) & 1)
    }
    return value
  }

  flag(): boolean {
    return this.read(1) === 1
  }

  /** Unsigned Exp-Golomb code. */
  unsigned(): number {
    let zeros = 0
    while (zeros < 32 && this.isComplete && !this.flag()) zeros++
    return 2 ** zeros - 1 + this.read(zeros)
  }

  /** Signed Exp-Golomb code. */
  signed(): number {
    const code = this.unsigned()
    return code % 2 === 0 ? -code / 2 : (code + 1) / 2
  }
}
