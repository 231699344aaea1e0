import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { LOG_ERROR, LOG_INFO } from '../../../contract/log.ts'
import { openStore } from '../../../hub/store/store.ts'

const test = suite('logs')

test('each log keeps its newest ten thousand lines or a few more, and forgets the oldest', () => {
  const store = openStore(':memory:')
  store.database.transaction(() => {
    for (let n = 1; n <= 10_250; n++) {
      store.logs.addOperation({ time: n, user: 'x', ip: '', event: '/x', detail: '', code: 0 })
      store.note({ event: 'hub-started' })
    }
  })
  for (const type of ['operation', 'system'] as const) {
    const { total, list } = store.logs.list(type, 0, 1)
    assert.ok(total >= 10_000 && total < 10_100, `${type}: ${total}`)
    assert.equal(list[0]?.id, 10_250)
  }
  store.close()
})

test('a line of the operation log is an error when its code is one', () => {
  const store = openStore(':memory:')
  for (const code of [0, 31]) store.logs.addOperation({ time: 1, user: 'x', ip: '', event: '/x', detail: '', code })
  assert.deepEqual(
    store.logs.list('operation', 0, 9).list.map(({ level }) => level),
    [LOG_ERROR, LOG_INFO]
  )
  store.close()
})

test('each line tells the listeners that there is news', () => {
  const store = openStore(':memory:')
  const { log } = store.changes.revs()
  store.note({ event: 'hub-started' })
  assert.ok(store.changes.revs().log > log)
  store.close()
})

test.run()
