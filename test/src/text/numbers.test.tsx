import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { ago, dateTime, duration, timeOfDay } from '../../../src/text/dates.ts'
import { setLanguage } from '../../../src/text/language.ts'
import {
  alignedBitRate,
  bitRate,
  bytes,
  degrees,
  megabits,
  megabytes,
  number,
  percent
} from '../../../src/text/numbers.ts'

const test = suite('numbers and dates')

test.before.each(() => setLanguage('en'))

test('bit rates have at most three significant digits and a suitable unit', () => {
  assert.deepEqual([0, 7, 850, 4200, 42_190, 421_900, 1_500_000].map(bitRate), [
    '0 kbps',
    '7 kbps',
    '850 kbps',
    '4.2 Mbps',
    '42.2 Mbps',
    '422 Mbps',
    '1.5 Gbps'
  ])
  assert.deepEqual([850, 2190, 2200, 42_000].map(alignedBitRate), ['850 kbps', '2.19 Mbps', '2.20 Mbps', '42.0 Mbps'])
  assert.deepEqual([0, 0.25, 12.34, 2500].map(megabits), ['0 Mbps', '0.25 Mbps', '12.3 Mbps', '2.5 Gbps'])
})

test('bytes are counted in steps of 1024', () => {
  assert.deepEqual([0, 1023, 1024, 1536, 5 * 1024 ** 3].map(bytes), ['0 B', '1,023 B', '1 KB', '1.5 KB', '5 GB'])
  assert.equal(megabytes(8192), '8 GB')
})

test('numbers, percentages and degrees', () => {
  assert.equal(number(1234.56), '1,235')
  assert.equal(number(1234.56, 1), '1,234.6')
  assert.equal(number(2, 2), '2')
  assert.equal(percent(33.6), '34 %')
  assert.equal(degrees(54.4), '54 °C')
})

test('a duration has its two largest units', () => {
  assert.deepEqual(
    [-5, 0, 59.9, 60, 725, 11_520, 86_400, 90_061].map((seconds) => duration(seconds)),
    ['0 s', '0 s', '59 s', '1 min', '12 min 5 s', '3 h 12 min', '1 d', '1 d 1 h']
  )
  assert.equal(ago(12), '12 s ago')
})

test('durations in Chinese', () => {
  setLanguage('zh')
  assert.equal(duration(11_520), '3 小时 12 分')
  assert.equal(ago(12), '12 秒前')
})

test('times have seconds and use 24 hours', () => {
  const timestamp = new Date(2026, 10, 21, 23, 5, 9).getTime()
  assert.equal(timeOfDay(timestamp), '23:05:09')
  assert.equal(dateTime(timestamp), 'Nov 21, 2026, 23:05:09')
  setLanguage('zh')
  assert.match(dateTime(timestamp), /2026年11月21日.*23:05:09/)
})

test.run()
