// The stream engine in a separate process, so that its usage can be measured without the sender and the receivers. The
// parent process sends the channels and requests reports.

import { Engine } from '../../engine/engine.ts'
import type { WantedChannel } from '../../engine/interfaces/channel.ts'
import { NO_DEVICES } from '../../test/kit/engine/no-devices.ts'

export type RelayRequest = { apply: WantedChannel[] } | { ask: 'report' }
/** Packets that SRT dropped because they were late, or that did not fit into a queue. */
export interface RelayReport {
  dropped: number
  /** Bytes that all outputs have sent. */
  sent: number
}

const engine = new Engine(NO_DEVICES)
let channels: WantedChannel[] = []

process.on('message', (request: RelayRequest) => {
  if ('apply' in request) {
    channels = request.apply
    for (const channel of channels) engine.apply(channel)
    return
  }
  let dropped = 0
  let sent = 0
  for (const { id, outputs } of channels) {
    for (const leg of [undefined, ...outputs.map((output) => output.id)])
      dropped += engine.legStats(id, leg)?.report(0)['pkt-drop-total'] ?? 0
    for (const bytes of engine.byteTotals(id).outputs.values()) sent += bytes
    for (const output of engine.observe(id).outputs.values()) dropped += Math.ceil((output.droppedBytes ?? 0) / 1316)
  }
  process.send?.({ dropped, sent } satisfies RelayReport)
})
process.on('disconnect', async () => {
  await engine.close()
  process.exit()
})
