// Resources after starting and stopping a channel, and after clients connect to and disconnect from the shared ports,
// 1,000 times each: all resources must be released, and memory must not grow. CYCLES=100 runs 100 cycles.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { cleanUpMedia } from '../test/kit/engine/media.ts'
import { openPortCycles } from '../test/kit/engine/port-cycles.ts'
import { runCycles } from '../test/kit/engine/start-stop-cycles.ts'
import type { ProcessUsage } from '../test/kit/system-processes.ts'
import type { Measurement, Suite } from './measurement.ts'

const CYCLES = Number(process.env.CYCLES ?? 1000)
/** Warm-up cycles before the first memory measurement, in which caches and compiled code grow. */
const WARM_UP_CYCLES = 50
/** Measurement tolerance of the heap in megabytes. */
const HEAP_LIMIT = 3
/** The same for the port programs, whose resident memory Linux reports in pages. */
const PROGRAM_LIMIT = 4
/** Warm-up clients of a port: as many as are ever connected at once. */
const WARM_UP_CLIENTS = 200
/** Tolerated descriptors, because nginx keeps a connection to the hub open for a while. */
const KEPT_DESCRIPTORS = 1
/** Limit for a cycle in milliseconds: half of them carry data first, which takes ffmpeg a second. */
const CYCLE_LIMIT = 5000

/**
 * Connects and disconnects publishers and players at a shared port. Measures the growth of its program and of the hub.
 */
async function measurePorts(protocol: string, kind: 'srt' | 'rtmp', program: 'srt' | 'nginx'): Promise<Measurement[]> {
  const cycles = await openPortCycles()
  try {
    await cycles[kind](Math.min(WARM_UP_CLIENTS, CYCLES))
    const before = await cycles.measureUsage()
    const began = performance.now()
    await cycles[kind](CYCLES)
    const milliseconds = (performance.now() - began) / CYCLES
    const after = await cycles.measureUsage()
    const more = (what: string, part: 'hub' | typeof program, key: keyof ProcessUsage, limit: number): Measurement => ({
      name: `${protocol}: ${what}`,
      unit: key === 'kilobytes' ? 'MB' : '',
      referenceName: 'limit',
      reference: limit,
      ours: (after[part][key] - before[part][key]) / (key === 'kilobytes' ? 1024 : 1)
    })
    return [
      {
        name: `${protocol}: connect and disconnect`,
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
      const growth = (what: string, key: keyof typeof after, limit = 0): Measurement => ({
        name: `more ${what} after ${CYCLES} cycles`,
        unit: key === 'heap' ? 'MB' : '',
        referenceName: 'limit',
        ours: after[key] - before[key],
        reference: limit
      })
      return [
        { name: 'a cycle', unit: 'ms', referenceName: 'limit', ours: milliseconds, reference: CYCLE_LIMIT },
        growth('processes', 'processes'),
        growth('descriptors', 'descriptors'),
        growth('listening sockets', 'listening'),
        growth('files', 'files'),
        growth('timers, sockets and pipes', 'resources'),
        growth('heap', 'heap', HEAP_LIMIT),
        ...(await measurePorts('SRT', 'srt', 'srt')),
        ...(await measurePorts('RTMP', 'rtmp', 'nginx'))
      ]
    } finally {
      await cleanUpMedia()
    }
  }
}
