// The stream that inputs provide and outputs subscribe to.

/** A subscriber of a stream. */
export interface Tap {
  /**
   * Whole MPEG-TS packets.
   * @param starts offsets in `data` of packets at which a decoder can start
   * @param tables the newest PAT and PMT as packets
   */
  media(data: Buffer, starts: readonly number[], tables: Buffer): void
  /** The stream ended. Later data belongs to another stream. */
  end(): void
}

/** The source of an output: one input, or the output of an input switch. */
export interface Stream {
  /** The subscribers. */
  readonly taps: Set<Tap>
  kbps(): number
  /** When media last arrived, in milliseconds of `EngineContext.now`; undefined if none did. */
  lastMediaAt(): number | undefined
  /** Whether media arrived in the last 3 seconds. */
  isActive(): boolean
}
