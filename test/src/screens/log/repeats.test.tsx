import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { LOG_WARNING, type LogEntry } from '../../../../contract/log.ts'
import { collapseRepeats } from '../../../../src/screens/log/list.tsx'

const test = suite('log repeats')

let lastId = 1000
/** An entry; entries are newest first. */
const entry = (text: string, more: Partial<LogEntry> = {}): LogEntry => ({
  id: --lastId,
  time: lastId * 1000,
  level: LOG_WARNING,
  event: 'caller-refused',
  detail: text,
  text,
  ...more
})

test('entries in a row that differ only in time and port become one, with their number and first time', () => {
  const entries = [
    entry('Connection rejected: SRT, 10.0.0.3:51234: wrong key'),
    entry('Connection rejected: SRT, 10.0.0.3:51301: wrong key'),
    entry('Connection rejected: SRT, 10.0.0.3:40022: wrong key')
  ]
  const [only, ...others] = collapseRepeats(entries)
  assert.deepEqual(others, [])
  assert.deepEqual([only?.id, only?.repeats, only?.since], [entries[0]?.id, 3, entries[2]?.time])
})

test('rejected connections of several callers that alternate become one entry for each of them', () => {
  const rejected = (address: string) => entry(`Connection rejected: SRT, ${address}:5000: wrong key`)
  const collapsed = collapseRepeats([
    rejected('10.0.0.3'),
    rejected('10.0.0.4'),
    entry('Channel News started', { event: 'channel-started' }),
    rejected('10.0.0.3'),
    rejected('10.0.0.4'),
    rejected('10.0.0.3'),
    entry('Channel News started', { event: 'channel-started' })
  ])
  assert.deepEqual(
    collapsed.map(({ event, repeats }) => [event, repeats]),
    [
      ['caller-refused', 3],
      ['caller-refused', 2],
      ['channel-started', 2]
    ]
  )
})

test('another address, level, user or entry in between is kept apart, and the entries are not changed', () => {
  const started = { event: 'channel-started' }
  const entries = [
    entry('a 10.0.0.3:1'),
    entry('a 10.0.0.4:1'),
    entry('a 10.0.0.4:1', { level: 1 }),
    entry('b'),
    entry('c', started),
    entry('d', started),
    entry('c', started),
    entry('b', { user: 'Ann' }),
    entry('b', { user: 'Bob' }),
    entry('b', { user: 'Bob', code: 31 })
  ]
  const before = structuredClone(entries)
  const collapsed = collapseRepeats(entries)
  assert.equal(collapsed.length, entries.length)
  assert.ok(collapsed.every(({ repeats }) => repeats === 1))
  assert.deepEqual(entries, before)
  assert.deepEqual(collapseRepeats([]), [])
})

test.run()
