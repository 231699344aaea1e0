import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { endAll } from '../media.ts'
import { openPortCycles } from './port-cycles.ts'

const test = suite('port cycles')
test.after(endAll)

/** Cycles of each protocol; `make bench ONLY=cycles` has a thousand. */
const CYCLES = 60
const WARM = 24
/** Kilobytes by which a program may seem to grow although it does not. */
const ROOM = 4096

test('publishers and players over SRT and RTMP come and go, some refused, and leave nothing behind', async () => {
  const cycles = await openPortCycles()
  try {
    await Promise.all([cycles.srt(WARM), cycles.rtmp(WARM)])
    const before = await cycles.held()
    await Promise.all([cycles.srt(CYCLES), cycles.rtmp(CYCLES)])
    const after = await cycles.held()
    for (const at of ['srt', 'nginx', 'hub'] as const) {
      const what = `${at}: ${JSON.stringify([before[at], after[at]])}`
      // nginx keeps a connection to the hub for a while.
      assert.ok(after[at].descriptors <= before[at].descriptors + 1, what)
      assert.ok(after[at].threads <= before[at].threads, what)
      assert.ok(at === 'hub' || after[at].kilobytes <= before[at].kilobytes + ROOM, what)
    }
  } finally {
    await cycles.close()
  }
})

test.run()
