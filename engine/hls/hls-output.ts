// An output that players fetch as HLS. It only stores segments; the web server serves them.
import type { HlsOutput } from '../../contract/stream/source.ts'
import type { ClientIds, Deadlines, HlsStore, HlsStores, Processes } from '../interfaces/leg-parts.ts'
import type { OpenCarrier } from '../legs/carrier.ts'
import { Subscription } from '../legs/subscription.ts'
import { HlsPlayers } from './hls-players.ts'
import { createHlsRecorder } from './recorder.ts'
import { hlsStartAt, SegmentStore } from './segment-store.ts'

/** Milliseconds of the stream that are stored at once. */
const BATCH = 200

export function createHlsOutput(
  config: HlsOutput,
  { hlsStores, launcher, nextClientId, now, timeouts }: Processes & Deadlines & ClientIds & { hlsStores: HlsStores }
): OpenCarrier {
  return async ({ onBytes, onChange, inputKbps, allowList }) => {
    const { key = '' } = config
    if (hlsStores.has(key)) throw new Error('The stream key is already used by another HLS output')
    const segments = new SegmentStore(config, hlsStartAt(config, Date.now()))
    const recorder = createHlsRecorder(config, { launcher, now, timeouts, onChange, kbps: inputKbps }, segments)
    const players = new HlsPlayers({
      targetDuration: () => segments.targetDuration(),
      nextClientId,
      now,
      onChange
    })
    const store: HlsStore = {
      isAllowed: (address) => allowList().allows(address) && players.isAllowed(address),
      isPlaying: (address) => players.isPlaying(address),
      playlist: () => segments.playlist(),
      segment: (name) => segments.segment(name),
      recordFetch: (address, bytes) => players.recordFetch(address, bytes)
    }
    hlsStores.set(key, store)
    const subscription = Subscription.ofTap(
      {
        media(data, starts, tables) {
          recorder.media(data, starts, tables)
          if (!recorder.problem()) onBytes(data.length)
        },
        end: () => recorder.end()
      },
      { batch: BATCH }
    )
    return {
      attach: (stream) => subscription.attach(stream),
      playerCount: () => players.list(now()).length,
      players: (time) => players.list(time),
      disconnect: (player) => players.disconnect(player),
      recheckAddresses: () => players.removeUnless((address) => allowList().allows(address)),
      tick: () => recorder.tick(),
      problem: () => recorder.problem(),
      droppedBytes: () => recorder.droppedBytes(),
      async close() {
        subscription.cancel()
        if (hlsStores.get(key) === store) hlsStores.delete(key)
        await recorder.close()
      }
    }
  }
}
