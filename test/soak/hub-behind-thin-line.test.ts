// Measures time, which other tests beside it would change.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { measureThinLine } from '../kit/cloud/line-measurement.ts'

const test = suite('hub behind a thin line')

test('on a line of 64 kbit/s the dashboard of a hub is filled within 4 s of the sign-in at the cloud', async () => {
  const { dashboard = Number.POSITIVE_INFINITY } = await measureThinLine()
  console.log(`${dashboard.toFixed(1)} s`)
  assert.ok(dashboard < 4, `${dashboard} s`)
})

test.run()
