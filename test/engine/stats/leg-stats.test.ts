import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { TRANSPORT_ERRORS } from '../../../contract/stream/transport.ts'
import { LegStats } from '../../../engine/stats/leg-stats.ts'
import { TransportTotals } from '../../../engine/stats/transport-totals.ts'

const test = suite('leg statistics')

/**
 * Adds seconds of 1 Mbit/s with every tenth packet lost, starting at second `from`. @returns the time of the end in ms
 */
function carry(stats: LegStats, seconds: number, from = 100): number {
  const timeOf = (second: number) => (from + second) * 1000
  stats.setBaseline({ bytes: 0 }, timeOf(0))
  for (let second = 1; second <= seconds; second++)
    stats.measure(
      { bytes: second * 125_000, packets: second * 95, lost: second * 10, recovered: second * 9, rtt: 20 + second },
      timeOf(second)
    )
  return timeOf(seconds)
}

test('the average, peak and totals are those of the measurements', () => {
  const stats = new LegStats()
  carry(stats, 10)
  const { since, ...report } = stats.report(1001)
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

test('a counter that the protocol does not have is absent, not 0', () => {
  const stats = new LegStats()
  stats.setBaseline({ bytes: 0 }, 0)
  stats.measure({ bytes: 1000, gaps: 0 }, 1000)
  assert.deepEqual(Object.keys(stats.report(8)).sort(), [
    'bytes',
    'kbps',
    'kbps-avg',
    'kbps-peak',
    'since',
    'ts-cc-errors',
    'ts-cc-errors-total'
  ])
  assert.deepEqual(stats.fields(), ['kbps', 'ts-cc-errors'])
})

test('errors of a transport stream are added up from the baseline and over relays', () => {
  const stats = new LegStats()
  const errors = (...counts: number[]) =>
    TRANSPORT_ERRORS.map((_, index) => ({ count: counts[index] ?? 0, at: 1000 * (counts[index] ?? 0) }))
  stats.setBaseline({ bytes: 0, transport: { errors: errors(5, 0, 2) } }, 0)
  stats.measure({ bytes: 1000, transport: { errors: errors(5, 1, 4), pcrJitterMs: 12.34 } }, 1000)
  const sync = { count: 1, at: 1000 }
  assert.deepEqual(stats.report(8).transport, {
    errors: { 'sync-byte': sync, pat: { count: 2, at: 4000 } },
    'pcr-jitter-ms': 12.3
  })
  const { columns } = stats.history({ span: 60, fields: ['ts-errors', 'pcr-jitter-ms'] }, 1000)
  assert.deepEqual([columns['ts-errors']?.at(-1), columns['pcr-jitter-ms']?.at(-1)], [3, 12.3])
  stats.reset()
  assert.deepEqual(stats.report(8).transport?.errors, {})
  stats.measure({ bytes: 1000, transport: { errors: errors(5, 1, 5) } }, 2000)
  assert.deepEqual(stats.report(8).transport, { errors: { pat: { count: 1, at: 5000 } } })
  stats.measure({ bytes: 2000 }, 3000)
  assert.equal(stats.report(8).transport, undefined)

  const totals = new TransportTotals()
  totals.add({ errors: errors(3), pcrJitterMs: 1 })
  // Another relay, which has not reported yet.
  totals.setBaseline()
  assert.equal(totals.add({ errors: [] }), 0)
  assert.equal(totals.add({ errors: errors(2, 7) }), 9)
  assert.deepEqual(
    totals
      .counts()
      .errors.slice(0, 2)
      .map(({ count }) => count),
    [5, 7]
  )
})

test('seconds without data do not lower the average, and the highest second is the peak', () => {
  const stats = new LegStats()
  const end = carry(stats, 10)
  for (let second = 1; second <= 50; second++) stats.measure({ bytes: 1_250_000 }, end + second * 1000)
  stats.measure({ bytes: 1_250_000 + 500_000 }, end + 51_000)
  const report = stats.report(0)
  assert.equal(report['kbps-peak'], 4000)
  assert.equal(report['kbps-avg'], Math.round((1_750_000 * 8) / 11_000))
})

test('reset clears the totals and the peak, but not the past hour', () => {
  const stats = new LegStats()
  const end = carry(stats, 10)
  stats.reset()
  const report = stats.report(1000)
  assert.deepEqual(
    [report.bytes, report.packets, report['pkt-loss-total'], report['kbps-avg'], report['kbps-peak']],
    [0, 0, 0, 0, 0]
  )
  const { columns } = stats.history({ span: 60, fields: ['kbps'] }, end)
  assert.equal(columns.kbps?.filter((value) => value === 1000).length, 10)
})

test('a new baseline continues the totals with the counters of another leg', () => {
  const stats = new LegStats()
  const end = carry(stats, 10)
  stats.setBaseline({ bytes: 9e9, lost: 7 }, end + 5000)
  stats.measure({ bytes: 9e9 + 125_000, lost: 8 }, end + 6000)
  const report = stats.report(1000)
  assert.equal(report.bytes, 1_375_000)
  assert.equal(report['pkt-loss-total'], 101)
})

test('the history has one value per second, oldest first, and null where nothing was measured', () => {
  const stats = new LegStats()
  const end = carry(stats, 10)
  const { start, step, columns } = stats.history({ span: 60, fields: ['kbps', 'rtt-ms', 'pkt-drop'] }, end)
  assert.equal(step, 1000)
  assert.deepEqual(columns.kbps, [...Array(50).fill(null), ...Array(10).fill(1000)])
  assert.deepEqual(
    columns['rtt-ms']?.slice(-10),
    Array.from({ length: 10 }, (_, index) => 21 + index)
  )
  assert.deepEqual(columns['pkt-drop'], Array(60).fill(null))
  assert.ok(Math.abs(start + 60_000 - Date.now()) < 1100, `${start + 60_000 - Date.now()}`)
})

test('the seconds of a point are combined: rates as mean, counts as sum, or both as maximum', () => {
  const stats = new LegStats()
  stats.setBaseline({ bytes: 0, lost: 0 }, 1_000_000)
  let bytes = 0
  for (let second = 1; second <= 3600; second++) {
    bytes += second % 2 ? 125_000 : 250_000
    stats.measure({ bytes, lost: second * 3 }, 1_000_000 + second * 1000)
  }
  const query = { span: 3600, fields: ['kbps', 'pkt-loss'] as const, points: 300 }
  const { step, columns } = stats.history(query, 4_600_000)
  assert.equal(step, 12_000)
  assert.equal(columns.kbps?.length, 300)
  assert.deepEqual(new Set(columns.kbps?.slice(1, -1)), new Set([1500]))
  assert.deepEqual(new Set(columns['pkt-loss']?.slice(1, -1)), new Set([36]))
  const highest = stats.history({ ...query, aggregate: 'max' }, 4_600_000).columns
  assert.deepEqual(new Set(highest.kbps), new Set([2000]))
  assert.deepEqual(new Set(highest['pkt-loss']), new Set([3]))
  assert.ok(JSON.stringify(columns).length < 4000)
})

test('combined values stay the same as they get older', () => {
  const stats = new LegStats()
  const end = carry(stats, 300)
  const query = { span: 240, fields: ['rtt-ms'] as const, points: 60 }
  const before = stats.history(query, end).columns['rtt-ms'] ?? []
  const later = stats.history(query, end + 4000).columns['rtt-ms'] ?? []
  assert.deepEqual(later.slice(0, -2), before.slice(1, -1))
})

test('a late measurement is spread over its seconds, and a long pause has no values', () => {
  const stats = new LegStats()
  stats.setBaseline({ bytes: 0 }, 0)
  stats.measure({ bytes: 125_000 }, 1000)
  stats.measure({ bytes: 500_000 }, 4000)
  stats.measure({ bytes: 500_000 }, 24_000)
  const { columns } = stats.history({ span: 60, fields: ['kbps'] }, 24_000)
  assert.deepEqual(columns.kbps?.slice(-24), [1000, 1000, 1000, 1000, ...Array(19).fill(null), 0])
})

test('rows returns each stored second with its time', () => {
  const stats = new LegStats()
  const end = carry(stats, 5)
  const rows = [...stats.rows(['kbps', 'pkt-loss', 'pkt-drop'], end)]
  assert.deepEqual(
    rows.map(({ values }) => values),
    Array(5).fill([1000, 10, Number.NaN])
  )
  assert.deepEqual(
    rows.slice(1).map(({ time }, index) => Math.round((time - (rows[index]?.time ?? 0)) / 100)),
    [10, 10, 10, 10]
  )
})

test.run()
