import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { getSession } from '../../../../contract/access/session.ts'
import { SUCCESS } from '../../../../contract/codes.ts'
import { SESSION_DAYS_MAX } from '../../../../contract/limits.ts'
import { listLog } from '../../../../contract/log.ts'
import { systemStatus } from '../../../../contract/system.ts'
import { ClockWatch } from '../../../../hub/machine/time/clock-watch.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { until } from '../../../kit/until.ts'

const test = suite('steps of the clock')
hubForEach(test)

const HOUR = 3_600_000
const DAY = 24 * HOUR
const systemNow = Date.now

test.after.each(() => {
  Date.now = systemNow
})

/** Sets the clock of this process. */
function setClock(step: number): void {
  Date.now = () => systemNow() + step
}

function watchClocks() {
  const clocks = { time: 1e12, monotonic: 5000, uptime: 9000 }
  const steps: number[] = []
  const watch = new ClockWatch({
    now: () => clocks.time,
    monotonic: () => clocks.monotonic,
    uptime: () => clocks.uptime
  })
  watch.stepped.on((step) => steps.push(step))
  const pass = (ms: number, { asleep = false, step = 0 } = {}) => {
    clocks.time += ms + step
    clocks.uptime += ms
    if (!asleep) clocks.monotonic += ms
    watch.check()
  }
  return { steps, pass, watch }
}

test('a step is noticed once, in both directions; passing time, sleep and small corrections are not steps', () => {
  const { steps, pass, watch } = watchClocks()
  pass(HOUR)
  pass(8 * HOUR, { asleep: true })
  pass(1000, { step: 900 })
  assert.deepEqual(steps, [])
  pass(1000, { step: DAY })
  pass(1000)
  pass(2 * HOUR, { asleep: true, step: -3 * DAY })
  assert.deepEqual(
    steps.map((step) => Math.round(step / 1000)),
    [86_401, -259_200]
  )
  watch.close()
})

test('a session survives a clock that is set to the next month, and has its age afterwards', async () => {
  const seen = () => hub.parts.store.database.get<{ seen: number }>('SELECT max(seen) AS seen FROM session')?.seen ?? 0
  for (const step of [40 * DAY, -40 * DAY]) {
    setClock(step)
    assert.equal((await admin.send(getSession, {})).result, SUCCESS)
    assert.ok(Math.abs(Date.now() - seen()) < 60_000)
  }
  assert.ok(40 > SESSION_DAYS_MAX)
})

test('a session that was used an hour ago does not live longer because the clock is set back', async () => {
  hub.parts.store.database.run('UPDATE session SET seen = ?', Date.now() - HOUR)
  setClock(-DAY)
  assert.notEqual((await admin.send(getSession, {})).result, SUCCESS)
})

test('times from before the clock was wrong stay: a machine that starts in 1970 does not extend its sessions', () => {
  const { database, users } = hub.parts.store
  const now = Date.now()
  database.run('UPDATE session SET created = ?, seen = ?', now, now)
  users.shiftSessions(50 * 365 * DAY, 1000)
  const row = database.get<{ created: number; seen: number }>('SELECT created, seen FROM session')
  assert.deepEqual([row?.created, row?.seen], [now, now])
})

test('the uptime of the hub stays, and the log says by how much the clock was set', async () => {
  setClock(2 * DAY)
  await admin.send(getSession, {})
  const { status } = await admin.send(systemStatus, {})
  assert.ok((status.system.status['hub-up-time'] ?? 1e9) < 600)
  const lines = async () => (await admin.send(listLog, { type: 'system' })).list.map(({ text }) => text)
  await until(async () => (await lines()).includes('Clock changed by +172800 s'), 'the line in the log')
})

test.run()
