import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { createFigures, type Figures } from '../../../engine/stats/leg-stats.ts'

const test = suite('figures')

/** Seconds of 1 Mbps in which each tenth packet is lost, from `from` on. */
function carry(figures: Figures, seconds: number, from = 100): number {
  const at = (second: number) => (from + second) * 1000
  figures.begin({ bytes: 0 }, at(0))
  for (let second = 1; second <= seconds; second++)
    figures.measure(
      { bytes: second * 125_000, packets: second * 95, lost: second * 10, recovered: second * 9, rtt: 20 + second },
      at(second)
    )
  return at(seconds)
}

test('average, peak and totals are those of what was carried', () => {
  const figures = createFigures()
  carry(figures, 10)
  const { since, ...report } = figures.report(1001)
  assert.ok(Math.abs(since - Date.now()) < 1000)
  assert.deepEqual(report, {
    kbps: 1001,
    'kbps-avg': 1000,
    'kbps-peak': 1000,
    bytes: 1_250_000,
    packets: 950,
    'rtt-ms': 30,
    'pkt-loss': 10,
    'pkt-loss-total': 100,
    'pkt-recovered': 9,
    'pkt-recovered-total': 90
  })
})

test('what a protocol does not know is absent, not 0', () => {
  const figures = createFigures()
  figures.begin({ bytes: 0 }, 0)
  figures.measure({ bytes: 1000, gaps: 0 }, 1000)
  assert.deepEqual(Object.keys(figures.report(8)).sort(), [
    'bytes',
    'kbps',
    'kbps-avg',
    'kbps-peak',
    'since',
    'ts-cc-errors',
    'ts-cc-errors-total'
  ])
  assert.deepEqual(figures.fields(), ['kbps', 'ts-cc-errors'])
})

test('silence lowers no average; a higher second is the peak', () => {
  const figures = createFigures()
  const end = carry(figures, 10)
  for (let second = 1; second <= 50; second++) figures.measure({ bytes: 1_250_000 }, end + second * 1000)
  figures.measure({ bytes: 1_250_000 + 500_000 }, end + 51_000)
  const report = figures.report(0)
  assert.equal(report['kbps-peak'], 4000)
  assert.equal(report['kbps-avg'], Math.round((1_750_000 * 8) / 11_000))
})

test('a new baseline forgets totals and peak, not the hour', () => {
  const figures = createFigures()
  const end = carry(figures, 10)
  figures.reset()
  const report = figures.report(1000)
  assert.deepEqual(
    [report.bytes, report.packets, report['pkt-loss-total'], report['kbps-avg'], report['kbps-peak']],
    [0, 0, 0, 0, 0]
  )
  const { columns } = figures.history({ span: 60, fields: ['kbps'] }, end)
  assert.equal(columns.kbps?.filter((value) => value === 1000).length, 10)
})

test('another leg in its place goes on counting from where it stands', () => {
  const figures = createFigures()
  const end = carry(figures, 10)
  figures.begin({ bytes: 9e9, lost: 7 }, end + 5000)
  figures.measure({ bytes: 9e9 + 125_000, lost: 8 }, end + 6000)
  const report = figures.report(1000)
  assert.equal(report.bytes, 1_375_000)
  assert.equal(report['pkt-loss-total'], 101)
})

test('the hour has a value a second, oldest first, and null where nothing was measured', () => {
  const figures = createFigures()
  const end = carry(figures, 10)
  const { start, step, columns } = figures.history({ span: 60, fields: ['kbps', 'rtt-ms', 'pkt-drop'] }, end)
  assert.equal(step, 1000)
  assert.deepEqual(columns.kbps, [...Array(50).fill(null), ...Array(10).fill(1000)])
  assert.deepEqual(
    columns['rtt-ms']?.slice(-10),
    Array.from({ length: 10 }, (_, at) => 21 + at)
  )
  assert.deepEqual(columns['pkt-drop'], Array(60).fill(null))
  assert.ok(Math.abs(start + 60_000 - Date.now()) < 1100, `${start + 60_000 - Date.now()}`)
})

test('for a chart seconds are put together: rates as a mean, counts as a sum, or the highest of both', () => {
  const figures = createFigures()
  figures.begin({ bytes: 0, lost: 0 }, 1_000_000)
  let bytes = 0
  for (let second = 1; second <= 3600; second++) {
    bytes += second % 2 ? 125_000 : 250_000
    figures.measure({ bytes, lost: second * 3 }, 1_000_000 + second * 1000)
  }
  const asked = { span: 3600, fields: ['kbps', 'pkt-loss'] as const, points: 300 }
  const { step, columns } = figures.history(asked, 4_600_000)
  assert.equal(step, 12_000)
  assert.equal(columns.kbps?.length, 300)
  assert.deepEqual(new Set(columns.kbps?.slice(1, -1)), new Set([1500]))
  assert.deepEqual(new Set(columns['pkt-loss']?.slice(1, -1)), new Set([36]))
  const highest = figures.history({ ...asked, by: 'max' }, 4_600_000).columns
  assert.deepEqual(new Set(highest.kbps), new Set([2000]))
  assert.deepEqual(new Set(highest['pkt-loss']), new Set([3]))
  assert.ok(JSON.stringify(columns).length < 4000)
})

test('values that were put together stay the same while they grow old', () => {
  const figures = createFigures()
  const end = carry(figures, 300)
  const asked = { span: 240, fields: ['rtt-ms'] as const, points: 60 }
  const before = figures.history(asked, end).columns['rtt-ms'] ?? []
  const later = figures.history(asked, end + 4000).columns['rtt-ms'] ?? []
  assert.deepEqual(later.slice(0, -2), before.slice(1, -1))
})

test('a measurement that comes late is shown as the mean of the seconds it is of; a long pause as nothing', () => {
  const figures = createFigures()
  figures.begin({ bytes: 0 }, 0)
  figures.measure({ bytes: 125_000 }, 1000)
  figures.measure({ bytes: 500_000 }, 4000)
  figures.measure({ bytes: 500_000 }, 24_000)
  const { columns } = figures.history({ span: 60, fields: ['kbps'] }, 24_000)
  assert.deepEqual(columns.kbps?.slice(-24), [1000, 1000, 1000, 1000, ...Array(19).fill(null), 0])
})

test('each second that is kept is a row with its time', () => {
  const figures = createFigures()
  const end = carry(figures, 5)
  const rows = [...figures.rows(['kbps', 'pkt-loss', 'pkt-drop'], end)]
  assert.deepEqual(
    rows.map(({ values }) => values),
    Array(5).fill([1000, 10, Number.NaN])
  )
  assert.deepEqual(
    rows.slice(1).map(({ time }, at) => Math.round((time - (rows[at]?.time ?? 0)) / 100)),
    [10, 10, 10, 10]
  )
})

test.run()
