import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { signalText } from '../../../src/parts/device/device-facts.tsx'

const test = suite('signal text')

test('signals of all device families have one notation', () => {
  const cases: [reported: string, shown: string][] = [
    ['1920x1080p60', '1920x1080p60'],
    ['1920x1080p, 60.00 Hz', '1920x1080p60'],
    ['1920x1080i, 59.94 Hz', '1920x1080i59.94'],
    ['no-signal', 'No signal'],
    ['something else, 60.00 Hz', 'something else, 60.00 Hz']
  ]
  for (const [reported, shown] of cases) assert.equal(signalText(reported), shown)
})

test.run()
