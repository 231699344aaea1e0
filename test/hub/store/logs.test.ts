import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import { LOG_ERROR, LOG_INFO, LOG_WARNING, type LogFilter } from '../../../contract/log.ts'
import { openDatabase } from '../../../hub/database/database.ts'
import type { ResolvedLogFilter } from '../../../hub/store/log-filter.ts'
import { Logs, PRESENCE_RATE, REFUSED_DEVICE_RATE } from '../../../hub/store/logs.ts'
import { openStore } from '../../../hub/store/store.ts'
import { ANONYMOUS_RATE } from '../../../web-server/anonymous-rate.ts'

const test = suite('logs')

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)

const ALL = { 'max-lines': 100_000, 'max-days': 3650 }

/** Logs in an in-memory database, with a manual clock. */
function openLogs(retention = ALL) {
  const database = openDatabase(':memory:')
  const clock = { now: START, monotonic: 0, retention }
  const log = new Logs(database, () => clock.retention, { now: () => clock.now, monotonic: () => clock.monotonic })
  const operation = (fields: Partial<Parameters<typeof log.addOperation>[0]> = {}) =>
    log.addOperation({ time: clock.now, user: 'Ann', ip: '10.0.0.1', event: '/x', detail: '', code: 0, ...fields })
  const event = (kind: 'system' | 'device', fields: Partial<Parameters<typeof log.addEvent>[1]> = {}) =>
    log.addEvent(kind, { time: clock.now, level: LOG_INFO, event: 'hub-started', detail: '', sn: '', ...fields })
  const listDetails = (filter: ResolvedLogFilter) => log.list(filter, 0, 1000).list.map(({ detail }) => detail)
  const total = (type: LogFilter['type']) => log.list({ type }, 0, 0).total
  return { clock, database, log, operation, event, found: listDetails, total }
}

test('the system log keeps its newest lines, up to about the configured number', () => {
  const { database, log, event } = openLogs({ 'max-lines': 1000, 'max-days': 3650 })
  database.transaction(() => {
    for (let n = 1; n <= 2500; n++) event('system', { detail: String(n) })
  })
  const { total, list } = log.list({ type: 'system' }, 0, 1)
  assert.ok(total >= 1000 && total <= 1010, String(total))
  assert.equal(list[0]?.detail, '2500')
})

test('the operation log keeps the lines of 90 days however few are configured, and then its newest lines', () => {
  const { clock, database, operation, found, total } = openLogs({ 'max-lines': 1000, 'max-days': 3650 })
  database.transaction(() => {
    for (let n = 1; n <= 2500; n++) operation({ detail: String(n) })
  })
  for (const days of [1, 88]) {
    clock.monotonic += days * DAY
    operation({ detail: `${days} days later` })
  }
  assert.equal(total('operation'), 2502)
  clock.monotonic += 2 * DAY
  for (let n = 0; n < 3; n++) operation({ detail: 'last' })
  assert.equal(total('operation'), 1002, 'two are younger than those that a full log displaces')
  assert.ok(found({ type: 'operation', key: '2500' }).includes('2500'))
})

test('the operation log has at most a million lines, however young they are', () => {
  const { database, operation, total } = openLogs()
  database.run(`INSERT INTO operation_log (time, user, ip, event, detail, code)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1001500)
    SELECT ${START}, 'Ann', '', '/x', i, 0 FROM n`)
  operation({ detail: 'new' })
  assert.equal(total('operation'), 1_000_000)
})

test('device lines and system lines do not displace each other', () => {
  const { database, event, total } = openLogs({ 'max-lines': 1000, 'max-days': 3650 })
  database.transaction(() => {
    event('system')
    for (let n = 0; n < 3000; n++) event('device', { sn: 'A' })
  })
  assert.equal(total('system'), 1)
  assert.ok(total('device') <= 1010)
})

test('lines older than the configured days are removed when a later line is written', () => {
  const { clock, operation, event, total } = openLogs({ 'max-lines': 1000, 'max-days': 90 })
  operation()
  event('device', { sn: 'A' })
  for (const days of [1, 88]) {
    clock.monotonic += days * DAY
    operation()
    event('device', { sn: 'A' })
  }
  assert.deepEqual([total('operation'), total('device')], [3, 3])
  clock.monotonic += 2 * DAY
  operation()
  event('device', { sn: 'A' })
  assert.deepEqual([total('operation'), total('device')], [2, 3], 'the first line is removed')
})

test('a smaller limit applies at once, in steps that delay no write for long', () => {
  const { clock, database, event, total } = openLogs()
  database.transaction(() => {
    for (let n = 0; n < 5500; n++) event('system')
  })
  clock.retention = { 'max-lines': 1000, 'max-days': 3650 }
  event('system')
  assert.equal(total('system'), 3501)
  for (let n = 0; n < 4; n++) event('system')
  assert.ok(total('system') <= 1005, String(total('system')))
})

test('anonymous lines of one address are limited, the last one is marked, and other lines are not affected', () => {
  const { clock, operation, log } = openLogs()
  const refuse = (ip: string) => operation({ user: '', ip, event: '/channel/add', code: 37, anonymous: true })
  const tries = Array.from({ length: 500 }, () => refuse('10.9.9.9'))
  assert.equal(tries.filter(Boolean).length, ANONYMOUS_RATE.each)
  const [last, before] = log.list({ type: 'operation' }, 0, 2).list
  assert.deepEqual([last?.detail, before?.detail], ['#more', ''])
  assert.ok(refuse('10.9.9.8'), 'another address')
  assert.ok(operation({ ip: '10.9.9.9' }), 'a signed-in user at the same address')
  clock.now += 60_000
  assert.ok(refuse('10.9.9.9'), 'a minute later')
})

test('anonymous lines of invented addresses are limited in total', () => {
  const { operation } = openLogs()
  const tries = Array.from({ length: 2000 }, (_, n) =>
    operation({ user: '', ip: `10.0.${n}`, code: 37, anonymous: true })
  )
  assert.equal(tries.filter(Boolean).length, ANONYMOUS_RATE.all)
})

test('anonymous lines take a tenth of the log at most, of the default number at least, and displace no other lines', () => {
  const { clock, database, operation, log } = openLogs({ 'max-lines': 1000, 'max-days': 3650 })
  database.transaction(() => {
    for (let n = 0; n < 800; n++) operation({ detail: 'regular' })
    for (let n = 0; n < 12_000; n++) {
      if (n % 50 === 0) clock.now += 60_000
      operation({ user: 'root', code: 39, anonymous: true, detail: 'refused' })
    }
  })
  assert.equal(log.list({ type: 'operation', key: 'regular' }, 0, 0).total, 800)
  const refused = log.list({ type: 'operation', key: 'refused' }, 0, 0).total
  assert.ok(refused >= 10_000 && refused <= 11_000, String(refused))
})

test('lines of panels take a quarter of the log at most, and the rest of the log keeps its hash chain', () => {
  const { database, operation, log } = openLogs({ 'max-lines': 1000, 'max-days': 3650 })
  database.transaction(() => {
    for (let n = 0; n < 700; n++) operation({ detail: 'regular' })
    for (let n = 0; n < 28_000; n++)
      operation({ user: 'Videohub 10.0.0.7', detail: 'taken', objects: ['matrix:1'], panel: true })
    operation({ detail: 'regular' })
  })
  assert.equal(log.list({ type: 'operation', key: 'regular' }, 0, 0).total, 701)
  const taken = log.list({ type: 'operation', key: 'taken' }, 0, 0).total
  assert.ok(taken >= 25_000 && taken <= 26_000, String(taken))
  assert.deepEqual(log.checkChain(), { lines: 701, clearings: [] })
})

test('lines about a refused device are limited per serial number and minute, its other lines are not', () => {
  const { event } = openLogs()
  const tries = Array.from({ length: 100 }, () => event('device', { sn: 'A', event: 'device-refused' }))
  assert.equal(tries.filter(Boolean).length, REFUSED_DEVICE_RATE.each)
  assert.ok(event('device', { sn: 'B', event: 'device-refused' }))
  assert.ok(event('device', { sn: 'A', event: 'device-online' }))
})

test('the log limits lines about one device that repeatedly connects and disconnects, but not lines about many devices that disconnect at once', () => {
  const { event } = openLogs()
  const flapping = Array.from({ length: 100 }, (_, turn) =>
    event('device', { sn: 'A', event: turn % 2 === 0 ? 'device-online' : 'device-offline' })
  )
  assert.equal(flapping.filter(Boolean).length, PRESENCE_RATE.each)
  const fleet = Array.from({ length: 2000 }, (_, n) => event('device', { sn: `B${n}`, event: 'device-offline' }))
  assert.ok(fleet.every(Boolean))
  assert.ok(event('device', { sn: 'A', event: 'signal-lost' }))
})

test('refused devices take a tenth of the device log at most', () => {
  const { clock, database, event, log } = openLogs({ 'max-lines': 1000, 'max-days': 3650 })
  database.transaction(() => {
    for (let n = 0; n < 800; n++) event('device', { sn: 'A', detail: 'regular' })
    for (let n = 0; n < 3000; n++) {
      if (n % 100 === 0) clock.now += 60_000
      event('device', { sn: `X${n}`, event: 'device-refused', detail: 'refused' })
    }
  })
  assert.equal(log.list({ type: 'device', key: 'regular' }, 0, 0).total, 800)
  assert.ok(log.list({ type: 'device', key: 'refused' }, 0, 0).total <= 110)
})

test('a line of the operation log is an error when its code is one', () => {
  const { operation, log } = openLogs()
  for (const code of [0, 31]) operation({ code })
  assert.deepEqual(
    log.list({ type: 'operation' }, 0, 9).list.map(({ level }) => level),
    [LOG_ERROR, LOG_INFO]
  )
})

test('a line matches if it matches all filters', () => {
  const { operation, event, found } = openLogs()
  operation({ time: START + 100, user: 'Ann', detail: 'a', code: 0 })
  operation({ time: START + 200, user: 'Ann', detail: 'b', code: 31 })
  operation({ time: START + 300, user: 'ann', detail: 'c', code: 0 })
  event('system', { level: LOG_WARNING, detail: 'd' })
  event('device', { level: LOG_WARNING, detail: 'e', sn: 'A1' })
  event('device', { detail: 'f', sn: 'A12' })
  const cases: [LogFilter, string[]][] = [
    [{ type: 'operation' }, ['c', 'b', 'a']],
    [{ type: 'operation', from: START + 200 }, ['c', 'b']],
    [{ type: 'operation', to: START + 200 }, ['a']],
    [{ type: 'operation', from: START + 100, to: START + 300 }, ['b', 'a']],
    [{ type: 'operation', user: 'Ann' }, ['b', 'a']],
    [{ type: 'operation', outcome: 'ok' }, ['c', 'a']],
    [{ type: 'operation', outcome: 'failed' }, ['b']],
    [{ type: 'operation', user: 'Ann', outcome: 'ok', to: START + 100 }, []],
    [{ type: 'operation', level: LOG_INFO }, ['c', 'a']],
    [{ type: 'operation', level: LOG_WARNING }, []],
    [{ type: 'operation', level: LOG_ERROR }, ['b']],
    [{ type: 'system', level: LOG_WARNING }, ['d']],
    [{ type: 'system', level: LOG_ERROR }, []],
    [{ type: 'device' }, ['f', 'e']],
    [{ type: 'device', level: LOG_WARNING }, ['e']],
    [{ type: 'device', sn: 'A1' }, ['e']]
  ]
  for (const [filter, expected] of cases) assert.deepEqual(found(filter), expected, JSON.stringify(filter))
})

test('a text is found in detail, user and address, ignoring case, without wildcards', () => {
  const { operation, found } = openLogs()
  for (const detail of ['Hall 1', '100% [ok]', 'a_b\\c', 'ÜBERTRAGUNG', 'Эфир 5', '演播室', "O'Neil; --", 'x*y?z'])
    operation({ detail })
  operation({ user: 'Zoë', ip: '192.168.7.7', detail: 'last' })
  const cases: [string, string[]][] = [
    ['hALL', ['Hall 1']],
    ['100%', ['100% [ok]']],
    ['%', ['100% [ok]']],
    ['_', ['a_b\\c']],
    ['B\\C', ['a_b\\c']],
    ['übertr', ['ÜBERTRAGUNG']],
    ['ЭФИР 5', ['Эфир 5']],
    ['播', ['演播室']],
    ["o'neil; --", ["O'Neil; --"]],
    ['x*y?z', ['x*y?z']],
    ['*', ['x*y?z']],
    ['ü*', []],
    ['[', ['100% [ok]']],
    ['ZOË', ['last']],
    ['168.7', ['last']],
    ['nowhere', []]
  ]
  for (const [key, expected] of cases) assert.deepEqual(found({ type: 'operation', key }), expected, key)
})

test('a text search also matches the given events', () => {
  const { operation, event, found } = openLogs()
  operation({ event: '/channel/add', detail: 'a' })
  operation({ event: '/channel/del', detail: 'b' })
  event('system', { event: 'hub-started', detail: 'c' })
  event('system', { event: 'low-memory', detail: 'd' })
  assert.deepEqual(found({ type: 'operation', key: 'b', events: ['/channel/add'] }), ['b', 'a'])
  assert.deepEqual(
    found({ type: 'operation', events: ['/channel/add'] }),
    ['b', 'a'],
    'without a text the events are ignored'
  )
  assert.deepEqual(found({ type: 'system', key: 'memory', events: ['low-memory', 'hub-stopped'] }), ['d'])
})

test('lines about devices and device groups that the user has no access to are left out', () => {
  const { operation, event, log } = openLogs()
  event('device', { sn: 'A', detail: 'a' })
  event('device', { sn: 'B', detail: 'b' })
  operation({ user: 'Ann', detail: 'a', objects: ['device:A'] })
  operation({ user: 'Ann', detail: 'b', objects: ['device:B'] })
  operation({ user: 'Ann', detail: 'ab', objects: ['device:A', 'device:B'] })
  operation({ user: 'Bob', detail: 'own', objects: ['device:B'] })
  operation({ user: 'Ann', detail: 'c', objects: ['channel:100001'] })
  operation({ user: 'Ann', detail: 'group 1', objects: ['catalog:30001'] })
  operation({ user: 'Ann', detail: 'group 10', objects: ['catalog:300010'] })
  const visibility = {
    user: 'Bob',
    serials: ['A'],
    catalogs: [30001],
    channels: { byDefault: true, exceptions: [] },
    sources: { byDefault: true, exceptions: [] }
  }
  const visibleDetails = (type: LogFilter['type']) =>
    log.list({ type }, 0, 9, visibility).list.map(({ detail }) => detail)
  assert.deepEqual(visibleDetails('device'), ['a'])
  assert.deepEqual(visibleDetails('operation'), ['group 1', 'c', 'own', 'a'])
  assert.deepEqual(
    log.reader.chunk({ type: 'device' }, visibility).map(({ detail }) => detail),
    ['a'],
    'also in an export'
  )
})

test('changedBy finds the last successful change of exactly this object', () => {
  const { clock, operation, log } = openLogs()
  operation({ user: 'Ann', event: '/channel/del', objects: ['channel:100001', 'channel:100002'] })
  clock.now++
  operation({ user: 'Bob', event: '/channel/set', objects: ['channel:100001'], code: 16 })
  operation({ user: 'Bob', event: '/channel/set', objects: ['channel:1000011'] })
  assert.deepEqual({ ...log.changedBy('channel:100001') }, { name: 'Ann', time: START, event: '/channel/del' })
  assert.deepEqual({ ...log.changedBy('channel:100002') }, { name: 'Ann', time: START, event: '/channel/del' })
  assert.equal(log.changedBy('channel:10000'), undefined)
})

test('clearing a log does not clear the others', () => {
  const { operation, event, log, total } = openLogs()
  const fill = () => {
    operation()
    event('system')
    event('device', { sn: 'A' })
    event('device', { sn: 'B' })
  }
  const totals = () => [total('operation'), total('system'), total('device')]
  fill()
  log.clear('device', 'A')
  assert.deepEqual(totals(), [1, 1, 1])
  log.clear('device')
  assert.deepEqual(totals(), [1, 1, 0])
  log.clear('system')
  log.clear('operation')
  assert.deepEqual(totals(), [0, 0, 0])
  fill()
  assert.deepEqual(totals(), [1, 1, 2])
})

test('in a log of 100,000 lines any page takes less than 50 ms, and a search less than 150 ms', () => {
  const data = mkdtempSync(join(tmpdir(), 'logs-'))
  const store = openStore(data)
  store.database.run(`INSERT INTO operation_log (time, user, ip, event, detail, code, objects)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
    SELECT ${START} + i * 1000, 'user' || (i % 30), '10.0.' || (i % 256) || '.' || (i % 200), '/channel/set',
      'Channel ' || i || ' in hall ' || (i % 900), (i % 7 = 0) * 31, ' channel:' || (100000 + i % 900) || ' ' FROM n`)
  store.database.run(`INSERT INTO event_log (time, level, kind, event, detail, sn)
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000)
    SELECT ${START} + i * 1000, 1 + i % 3, 'device', 'device-online', 'Device ' || (i % 900), 'B' || (i % 900) FROM n`)
  const computing = () => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  /** Milliseconds of computing, the best of three runs, because the machine has other work. */
  const measure = (work: () => void) =>
    Math.min(
      ...[1, 2, 3].map(() => {
        const from = computing()
        work()
        return computing() - from
      })
    )
  const pages: [LogFilter, number][] = [
    [{ type: 'operation' }, 0],
    [{ type: 'operation' }, 50_000],
    [{ type: 'operation' }, 99_900],
    [{ type: 'device' }, 99_900],
    [{ type: 'operation', from: START + 5e7, to: START + 6e7 }, 9900]
  ]
  for (const [filter, start] of pages) {
    const ms = measure(() => assert.equal(store.logs.list(filter, start, 100).list.length, 100))
    assert.ok(ms < 50, `${JSON.stringify(filter)} from ${start}: ${ms} ms`)
  }
  const searches: ResolvedLogFilter[] = [
    { type: 'operation', key: 'HALL 77' },
    { type: 'operation', key: 'nowhere at all' },
    { type: 'operation', key: 'nirgendwö' },
    { type: 'operation', user: 'user7', outcome: 'failed' },
    { type: 'device', key: 'B77', events: ['device-offline'] }
  ]
  for (const filter of searches) {
    const ms = measure(() => store.logs.list(filter, 0, 100))
    assert.ok(ms < 150, `${JSON.stringify(filter)}: ${ms} ms`)
  }
  const lookup = measure(() => store.logs.changedBy('channel:7'))
  assert.ok(lookup < 50, `changedBy for an object without changes: ${lookup} ms`)
  store.close()
  rmSync(data, { recursive: true })
})

test("each line marks the topic 'log' as changed", () => {
  const store = openStore(':memory:')
  const { log } = store.changes.revs()
  store.logEvent({ event: 'hub-started' })
  assert.ok(store.changes.revs().log > log)
  store.close()
})

test.run()
