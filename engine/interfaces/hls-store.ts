// The interface between HLS outputs, which store segments, and the web server, which serves them.

/** Segments and players of one HLS output. */
export interface HlsStore {
  /** Whether a player at this IP address may fetch. */
  isAllowed(address: string): boolean
  /** Whether a player at this address is active. Such an address is not blocked when others behind it try wrong keys. */
  isPlaying(address: string): boolean
  /** The newest playlist; undefined until there is a segment. */
  playlist(): string | undefined
  /** The bytes of a segment, or of an initialization segment. */
  segment(name: string): Buffer | undefined
  /** Counts bytes of segments that were sent to a player at this address. */
  recordFetch(address: string, bytes: number): void
}

/** Stores by stream key. */
export type HlsStores = Map<string, HlsStore>
