/** Who takes the stream of an input. */
export interface Tap {
  media(data: Buffer, starts: readonly number[], tables: Buffer): void
  /** The stream is over; what comes next is another one. */
  over(): void
}
