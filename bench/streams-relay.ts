// The stream engine in a process of its own, so that what it takes can be told from what sends and receives. It is told its channels over
// the parent's channel, and says how they are when it is asked.

import { createEngine } from '../engine/engine.ts'
import type { WantedChannel } from '../engine/interfaces/channel.ts'
import { NO_DEVICES } from '../test/kit/engine/no-devices.ts'

export type RelayRequest = { apply: WantedChannel[] } | { ask: 'dropped' }
/** Packets that were not sent, or not in time: by SRT and by queues that were full. */
export interface RelayReport {
  dropped: number
}

const engine = createEngine(NO_DEVICES)
let channels: WantedChannel[] = []

process.on('message', (order: RelayRequest) => {
  if ('apply' in order) {
    channels = order.apply
    for (const channel of channels) engine.apply(channel)
    return
  }
  let dropped = 0
  for (const { id, outputs } of channels) {
    for (const leg of [undefined, ...outputs.map((output) => output.id)])
      dropped += engine.legStats(id, leg)?.report(0)['pkt-drop-total'] ?? 0
    for (const output of engine.observe(id).outputs.values()) dropped += Math.ceil((output.droppedBytes ?? 0) / 1316)
  }
  process.send?.({ dropped } satisfies RelayReport)
})
process.on('disconnect', async () => {
  await engine.close()
  process.exit()
})
