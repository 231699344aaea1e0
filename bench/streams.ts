// Streams: processor time for each pair of protocols, many channels at once, and jitter under load of the hub.
import type { Suite } from './measurement.ts'
import { measureDense } from './streams/dense.ts'
import { measurePairs } from './streams/pairs.ts'

export const suite: Suite = {
  title: 'streams',
  async run() {
    return [...(await measurePairs()), ...(await measureDense())]
  }
}
