// What starting and stopping a channel leaves behind, over 1,000 times: nothing may be left, and memory must not grow. CYCLES=100 does
// it a hundred times.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { cycle } from '../test/hub/streams/cycles.ts'
import { endAll } from '../test/hub/streams/media.ts'
import type { Measurement, Suite } from './measurement.ts'

const CYCLES = Number(process.env.CYCLES ?? 1000)
/** Cycles before memory is looked at for the first time: until then caches and compiled code grow. */
const WARM = 50
/** Megabytes by which memory may seem to grow although it does not. */
const HEAP = 3
/** Milliseconds that a cycle may take: half of them carry first, which ffmpeg takes a second for. */
const PACE = 5000

export const suite: Suite = {
  title: 'cycles',
  async run() {
    setFlagsFromString('--expose-gc')
    globalThis.gc = runInNewContext('gc')
    try {
      const { before, after, milliseconds } = await cycle(CYCLES, Math.min(WARM, CYCLES))
      const left = (what: string, of: keyof typeof after, limit = 0): Measurement => ({
        ...{ what: `${what} more after ${CYCLES} cycles`, unit: of === 'heap' ? 'MB' : '', floor: 'limit' },
        ...{ ours: after[of] - before[of], theirs: limit }
      })
      return [
        { what: 'a cycle', unit: 'ms', floor: 'limit', ours: milliseconds, theirs: PACE },
        left('processes', 'processes'),
        left('descriptors', 'descriptors'),
        left('sockets that wait', 'listening'),
        left('files', 'files'),
        left('timers, sockets and pipes', 'resources'),
        left('heap', 'heap', HEAP)
      ]
    } finally {
      await endAll()
    }
  }
}
