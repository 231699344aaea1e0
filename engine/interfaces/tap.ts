// A subscription of a stream in JavaScript.

/** A subscriber of a stream in JavaScript. */
export interface Tap {
  /**
   * Whole MPEG-TS packets. `data` is valid only during the call.
   * @param starts offsets in `data` of packets at which a decoder can start
   * @param tables the newest PAT and PMT as packets
   */
  media(data: Buffer, starts: readonly number[], tables: Buffer): void
  /** The stream ended. Later data belongs to another stream. */
  end(): void
}
