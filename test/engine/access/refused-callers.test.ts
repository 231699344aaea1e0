import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CONNECTION_STATE } from '../../../contract/stream/protocols.ts'
import { maskSecret, observeWaiting, RefusedCallers, refusedStreamId } from '../../../engine/access/refused-callers.ts'

const test = suite('refused callers')

function createCallers() {
  let now = 1000
  const callers = new RefusedCallers(() => now)
  return { callers, pass: (ms: number) => (now += ms) }
}

test('a refused caller is an alarm for 10 s, is shown for 10 min, and is forgotten when a caller is accepted', () => {
  const { callers, pass } = createCallers()
  assert.equal(callers.last(), undefined)
  assert.equal(callers.record('wrong-passphrase', '10.0.0.7'), true)
  const { reason, connState, refusal } = observeWaiting(callers.last())
  assert.deepEqual(
    [reason, connState, refusal?.address],
    ['wrong-passphrase', CONNECTION_STATE.notAuthorized, '10.0.0.7']
  )
  assert.ok(Math.abs(Date.now() - (refusal?.at ?? 0)) < 10_000)
  pass(10_000)
  assert.equal(observeWaiting(callers.last()).connState, CONNECTION_STATE.waiting)
  assert.equal(observeWaiting(callers.last()).reason, 'wrong-passphrase')
  pass(590_000)
  assert.deepEqual(observeWaiting(callers.last()).refusal, undefined)
  callers.record('wrong-passphrase', '10.0.0.7')
  callers.clear()
  assert.equal(callers.last(), undefined)
})

test('a caller who knows neither stream ID nor key is no alarm', () => {
  for (const reason of ['stream-id-refused other', 'stream-id-absent', 'key-refused WR…'] as const) {
    const { callers } = createCallers()
    callers.record(reason, '10.0.0.7')
    const shown = observeWaiting(callers.last())
    assert.deepEqual([shown.reason, shown.connState], [reason, CONNECTION_STATE.waiting])
  }
})

test('a stranger who calls 10 000 times in 10 s changes what is shown 10 times, and twice with the same call', () => {
  const { callers, pass } = createCallers()
  let changes = 0
  for (let n = 0; n < 10_000; n++) {
    if (callers.record(`stream-id-refused ${n}`, '10.0.0.7')) changes++
    pass(1)
  }
  assert.equal(changes, 10)
  pass(60_000)
  changes = 0
  for (let n = 0; n < 10_000; n++) {
    if (callers.record('wrong-passphrase', '10.0.0.7')) changes++
    pass(1)
  }
  assert.equal(changes, 2)
  assert.equal(callers.last()?.isAlarm, true)
})

test('of a secret its owner recognizes two characters, of a short one none', () => {
  assert.equal(maskSecret('WRONG-KEY'), 'WR…')
  assert.equal(maskSecret('secret7'), '…')
  assert.equal(refusedStreamId('PUSH-KEY-1', true), 'stream-id-refused PU…')
})

test('a stream ID is shown without control characters and shortened, and a missing one is said', () => {
  assert.equal(refusedStreamId('other', false), 'stream-id-refused other')
  assert.equal(refusedStreamId('a\u0007\u202eb', false), 'stream-id-refused a??b')
  assert.equal(refusedStreamId('x'.repeat(64), false), `stream-id-refused ${'x'.repeat(48)}…`)
  assert.equal(refusedStreamId('', false), 'stream-id-absent')
})

test.run()
