// The age of log lines: it does not depend on the system clock. The number of lines is tested with the logs themselves.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite } from 'uvu'
import { LOG_INFO, type LogFilter } from '../../../contract/log.ts'
import { type Database, openDatabase } from '../../../hub/database/database.ts'
import { MIGRATIONS } from '../../../hub/database/migrations.ts'
import { Logs } from '../../../hub/store/logs.ts'
import { openStore } from '../../../hub/store/store.ts'

const test = suite('log retention')

const DAY = 86_400_000
const START = Date.UTC(2026, 0, 1)
const RETENTION = { 'max-lines': 100_000, 'max-days': 90 }

/** Starts the logs on a database, with manual clocks. @param now the system clock */
function openLogs(database: Database, now = START) {
  const clock = { now, monotonic: 0 }
  const log = new Logs(database, () => RETENTION, { now: () => clock.now, monotonic: () => clock.monotonic })
  const operation = (detail = '') =>
    log.addOperation({ time: clock.now, user: 'Ann', ip: '10.0.0.1', event: '/x', detail, code: 0 })
  const event = () => log.addEvent('system', { time: clock.now, level: LOG_INFO, event: 'x', detail: '', sn: '' })
  const details = () => log.list({ type: 'operation' }, 0, 1000).list.map(({ detail }) => detail)
  const total = (type: LogFilter['type']) => log.list({ type }, 0, 0).total
  return { clock, operation, event, details, total }
}

test('a system clock that jumps forward or backward removes no line, while the hub runs and after a restart', () => {
  const database = openDatabase(':memory:')
  let expected = 0
  const write = ({ operation, event, total }: ReturnType<typeof openLogs>) => {
    operation()
    event()
    expected++
    assert.deepEqual([total('operation'), total('system')], [expected, expected])
  }
  const first = openLogs(database)
  for (const jump of [0, 400 * DAY, -800 * DAY, 400 * DAY]) {
    first.clock.now += jump
    first.clock.monotonic += 2 * 3_600_000
    write(first)
  }
  // Wrong clocks after restarts: 400 days ahead, then in 1970, then 400 days ahead again.
  for (const now of [START + 400 * DAY, 0, START + 400 * DAY]) {
    write(openLogs(database, now))
  }
})

test('the age of lines goes on after restarts, where a pause of the hub counts as at most seven days', () => {
  const database = openDatabase(':memory:')
  const first = openLogs(database)
  first.operation('first')
  first.clock.monotonic += 80 * DAY
  first.clock.now += 80 * DAY
  first.operation('second')
  /** Starts the logs on a database after a pause, and writes a line. @returns the details of all lines */
  const restart = (now: number) => {
    const restarted = openLogs(database, now)
    restarted.operation('x')
    return restarted.details()
  }
  assert.ok(restart(START + 85 * DAY).includes('first'), '85 days old')
  assert.ok(restart(START + 89 * DAY).includes('first'), '89 days old')
  assert.deepEqual(restart(START + 91 * DAY), ['x', 'x', 'x', 'second'])
  assert.ok(restart(START + 1000 * DAY).includes('second'), '18 days of its age are known')
})

test('a stored retention of fewer days is raised to the minimum by the migration', () => {
  const folder = mkdtempSync(join(tmpdir(), 'headend-retention-'))
  const file = join(folder, 'headend.sqlite')
  const earlier = MIGRATIONS.findIndex((step) => step.includes('CREATE TABLE log_day'))
  for (const [stored, days] of [
    [1, 90],
    [89, 90],
    [365, 365]
  ]) {
    const connection = new DatabaseSync(file)
    for (const step of MIGRATIONS.slice(0, earlier)) connection.exec(step)
    connection.exec(`PRAGMA user_version=${earlier};
      INSERT INTO setting (name, value) VALUES ('log', '{"max-lines":5000,"max-days":${stored}}');
      INSERT INTO operation_log (time, user, ip, event, detail, code) VALUES (1, 'Ann', '', '/x', 'old', 0)`)
    connection.close()
    const store = openStore(folder)
    assert.deepEqual(store.settings.get('log'), { 'max-lines': 5000, 'max-days': days })
    store.logEvent({ event: 'hub-started' })
    assert.equal(store.logs.list({ type: 'operation' }, 0, 1).total, 1, 'lines from before age from now on')
    store.close()
    rmSync(file)
  }
  rmSync(folder, { recursive: true })
})

test.run()
