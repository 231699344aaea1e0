import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { holdPeaks } from '../../../../src/parts/channel/audio-meters.tsx'

const test = suite('audio peaks')

test('a peak is held for two seconds, and replaced by a higher one at once', () => {
  let peaks = holdPeaks([], [-20, -30], 0)
  peaks = holdPeaks(peaks, [-40, -10], 1000)
  assert.deepEqual(peaks, [
    { level: -20, at: 0 },
    { level: -10, at: 1000 }
  ])
  peaks = holdPeaks(peaks, [-40, -15], 2000)
  assert.deepEqual(
    peaks.map(({ level }) => level),
    [-40, -10]
  )
})

test('another number of audio channels has as many peaks', () => {
  const peaks = holdPeaks([{ level: -3, at: 0 }], [-20, -20, -20], 100)
  assert.deepEqual(
    peaks.map(({ level }) => level),
    [-3, -20, -20]
  )
  assert.equal(holdPeaks(peaks, [-20], 200).length, 1)
})

test.run()
