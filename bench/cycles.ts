// What starting and stopping a channel leaves behind, and what those who come and go at the shared ports do, over 1,000 times: nothing may be
// left, and memory must not grow. CYCLES=100 does it a hundred times.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { cleanUpMedia } from '../test/kit/engine/media.ts'
import { openPortCycles } from '../test/kit/engine/port-cycles.ts'
import { runCycles } from '../test/kit/engine/start-stop-cycles.ts'
import type { ProcessUsage } from '../test/kit/system-processes.ts'
import type { Measurement, Suite } from './measurement.ts'

const CYCLES = Number(process.env.CYCLES ?? 1000)
/** Cycles before memory is looked at for the first time: until then caches and compiled code grow. */
const WARM_UP_CYCLES = 50
/** Megabytes by which memory may seem to grow although it does not. */
const HEAP_LIMIT = 3
/** The same of the programs of the ports, which Linux tells in whole pages that were in use at some time. */
const PROGRAM_LIMIT = 4
/** Comings and goings before that: as many as are ever there at once. */
const WARM_UP_CLIENTS = 200
/** Descriptors: nginx keeps a connection to the hub for a while. */
const KEPT_DESCRIPTORS = 1
/** Milliseconds that a cycle may take: half of them carry first, which ffmpeg takes a second for. */
const CYCLE_LIMIT = 5000

/** Publishers and players that come and go at a shared port: what its program and the hub have more of then. */
async function measurePorts(protocol: string, kind: 'srt' | 'rtmp', program: 'srt' | 'nginx'): Promise<Measurement[]> {
  const cycles = await openPortCycles()
  try {
    await cycles[kind](Math.min(WARM_UP_CLIENTS, CYCLES))
    const before = await cycles.measureUsage()
    const began = performance.now()
    await cycles[kind](CYCLES)
    const milliseconds = (performance.now() - began) / CYCLES
    const after = await cycles.measureUsage()
    const more = (what: string, at: 'hub' | typeof program, of: keyof ProcessUsage, limit: number): Measurement => ({
      ...{
        name: `${protocol}: ${what}`,
        unit: of === 'kilobytes' ? 'MB' : '',
        referenceName: 'limit',
        reference: limit
      },
      ours: (after[at][of] - before[at][of]) / (of === 'kilobytes' ? 1024 : 1)
    })
    return [
      {
        name: `${protocol}: one that comes and goes`,
        unit: 'ms',
        referenceName: 'limit',
        ours: milliseconds,
        reference: CYCLE_LIMIT
      },
      more('descriptors of the port', program, 'descriptors', KEPT_DESCRIPTORS),
      more('threads of the port', program, 'threads', 0),
      more('memory of the port', program, 'kilobytes', PROGRAM_LIMIT),
      more('descriptors of the hub', 'hub', 'descriptors', KEPT_DESCRIPTORS),
      more('heap of the hub', 'hub', 'kilobytes', HEAP_LIMIT)
    ]
  } finally {
    await cycles.close()
  }
}

export const suite: Suite = {
  title: 'cycles',
  async run() {
    setFlagsFromString('--expose-gc')
    globalThis.gc = runInNewContext('gc')
    try {
      const { before, after, milliseconds } = await runCycles(CYCLES, Math.min(WARM_UP_CYCLES, CYCLES))
      const left = (what: string, of: keyof typeof after, limit = 0): Measurement => ({
        ...{ name: `${what} more after ${CYCLES} cycles`, unit: of === 'heap' ? 'MB' : '', referenceName: 'limit' },
        ...{ ours: after[of] - before[of], reference: limit }
      })
      return [
        { name: 'a cycle', unit: 'ms', referenceName: 'limit', ours: milliseconds, reference: CYCLE_LIMIT },
        left('processes', 'processes'),
        left('descriptors', 'descriptors'),
        left('sockets that wait', 'listening'),
        left('files', 'files'),
        left('timers, sockets and pipes', 'resources'),
        left('heap', 'heap', HEAP_LIMIT),
        ...(await measurePorts('SRT', 'srt', 'srt')),
        ...(await measurePorts('RTMP', 'rtmp', 'nginx'))
      ]
    } finally {
      await cleanUpMedia()
    }
  }
}
