// An output that players fetch as HLS from the hub's web server: it only keeps segments, the web server hands them out.
import type { HlsOutput } from '../../contract/stream/source.ts'
import type { Surroundings } from '../interfaces/engine-context.ts'
import type { OpenCarrier } from '../outputs/in-process-output.ts'
import { createHlsPlayers } from './hls-players.ts'
import type { HlsShelf } from './hls-store.ts'
import { createHlsSegments } from './segments.ts'

export function hlsOutput(
  config: HlsOutput,
  { shelves, clientId, now }: Pick<Surroundings, 'shelves' | 'clientId' | 'now'>
): OpenCarrier {
  return async ({ carried, changed, allowed }) => {
    const { key = '' } = config
    if (shelves.has(key)) throw new Error('the key is in use')
    const segments = createHlsSegments(config, now, Math.floor(Date.now() / 1000))
    const players = createHlsPlayers({ target: segments.target, clientId, now, changed })
    const shelf: HlsShelf = {
      admits: (address) => allowed().has(address) && players.admits(address),
      serves: players.has,
      playlist: segments.playlist,
      segment: segments.segment,
      fetched: players.fetched
    }
    shelves.set(key, shelf)
    return {
      media(data, starts, tables) {
        segments.media(data, starts, tables)
        carried(data.length)
      },
      over: segments.over,
      clients: () => players.takers(now()).length,
      takers: players.takers,
      drop: players.drop,
      recheck: () => players.keep(allowed().has),
      dropped: () => 0,
      async close() {
        if (shelves.get(key) === shelf) shelves.delete(key)
      }
    }
  }
}
