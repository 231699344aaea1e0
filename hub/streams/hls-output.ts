// An output that players fetch as HLS from the hub's web server: it only keeps segments, the web server hands them out.
import type { HlsOutput } from '../../contract/source.ts'
import { createHlsSegments } from './hls-segments.ts'
import type { HlsShelf, HlsShelves } from './hls-shelf.ts'
import type { OpenCarrier } from './hub-output.ts'

/** Players of the last segments: a playlist is fetched once a segment. */
const ABSENT = 3

export function hlsOutput(config: HlsOutput, shelves: HlsShelves): OpenCarrier {
  return async ({ carried }) => {
    const { key = '' } = config
    const now = () => performance.now()
    if (shelves.has(key)) throw new Error('the key is in use')
    const segments = createHlsSegments(config, now, Math.floor(Date.now() / 1000))
    /** When each player last asked. */
    const players = new Map<string, number>()
    function forget(): void {
      const since = now() - ABSENT * 1000 * segments.target()
      for (const [address, at] of players) if (at < since) players.delete(address)
    }
    const shelf: HlsShelf = {
      playlist(address) {
        forget()
        // Named anew, so that the map is in the order of their asking.
        players.delete(address)
        players.set(address, now())
        return segments.playlist()
      },
      segment: segments.segment
    }
    shelves.set(key, shelf)
    return {
      media(data, starts, tables) {
        segments.media(data, starts, tables)
        carried(data.length)
      },
      over: segments.over,
      clients() {
        forget()
        return players.size
      },
      dropped: () => 0,
      async close() {
        if (shelves.get(key) === shelf) shelves.delete(key)
      }
    }
  }
}
