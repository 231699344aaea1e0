// Between the outputs that keep segments of HLS and the web server that hands them out.

/** What the web server hands out under one key. */
export interface HlsShelf {
  /** The newest playlist for a player at an address; undefined until there is a segment. */
  playlist(address: string): string | undefined
  segment(name: string): Buffer | undefined
}

/** By key. */
export type HlsShelves = Map<string, HlsShelf>
