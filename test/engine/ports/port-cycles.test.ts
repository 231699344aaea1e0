// Leak test: thousands of connections to the shared ports must not leave open descriptors, threads or memory.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { cleanUpMedia } from '../../kit/engine/media.ts'
import { openPortCycles } from '../../kit/engine/port-cycles.ts'

const test = suite('shared port cycles')
test.after(cleanUpMedia)

/** Connect and disconnect cycles of each protocol. `make bench ONLY=cycles` runs a thousand. */
const CYCLES = 60
const WARM_UP = 24
/** Growth in kilobytes that is within the noise of the measurement. */
const TOLERANCE_KB = 4096

test('SRT and RTMP clients that connect and disconnect, some of them refused, leak no descriptors, threads or memory', async () => {
  const cycles = await openPortCycles()
  try {
    await Promise.all([cycles.srt(WARM_UP), cycles.rtmp(WARM_UP)])
    const before = await cycles.measureUsage()
    await Promise.all([cycles.srt(CYCLES), cycles.rtmp(CYCLES)])
    const after = await cycles.measureUsage()
    for (const program of ['srt', 'nginx', 'hub'] as const) {
      const message = `${program}: ${JSON.stringify([before[program], after[program]])}`
      // nginx keeps a connection to the hub open for a while.
      assert.ok(after[program].descriptors <= before[program].descriptors + 1, message)
      assert.ok(after[program].threads <= before[program].threads, message)
      assert.ok(program === 'hub' || after[program].kilobytes <= before[program].kilobytes + TOLERANCE_KB, message)
    }
  } finally {
    await cycles.close()
  }
})

test.run()
