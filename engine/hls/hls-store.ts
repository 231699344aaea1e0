// Between the outputs that keep segments of HLS and the web server that hands them out.

/** What the web server hands out under one key. */
export interface HlsShelf {
  /** Whether a player at an address may come now. */
  admits(address: string): boolean
  /** Whether one at an address takes it already: what others there do is not its fault. */
  serves(address: string): boolean
  /** The newest playlist; undefined until there is a segment. */
  playlist(): string | undefined
  segment(name: string): Buffer | undefined
  /** So many bytes of segments went to a player at an address. */
  fetched(address: string, bytes: number): void
}

/** By key. */
export type HlsShelves = Map<string, HlsShelf>
