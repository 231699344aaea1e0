import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { PORT_OCCUPIED, SUCCESS } from '../../../contract/codes.ts'
import { markUnauthorized } from '../../../src/link/fetch-json.ts'
import { ROUTES } from '../../../src/paths.ts'
import { navigate } from '../../../src/state/location.ts'
import { $toasts, dismiss, notify, setExpiryPaused, undoLast } from '../../../src/state/toasts.ts'
import { closeConsole, openConsole } from '../../kit/console/console.ts'
import { findByRole, queryAllByRole, visibleText } from '../../kit/console/page.ts'
import { startHub, type TestHub } from '../../kit/hub/hub.ts'
import { until } from '../../kit/until.ts'

const test = suite('toasts')

let hub: TestHub

test.before.each(async () => {
  hub = await startHub()
  $toasts.set([])
})
test.after.each(async () => {
  mock.timers.reset()
  await closeConsole()
  await hub.close()
})

const codes = () => $toasts.get().map(({ response }) => response.result)

test('a success is shown for a while, a failure until it is dismissed', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  notify(0)
  notify(31)
  assert.deepEqual(codes(), [0, 31])
  mock.timers.tick(3999)
  assert.deepEqual(codes(), [0, 31])
  mock.timers.tick(1)
  assert.deepEqual(codes(), [31])
  mock.timers.tick(3_600_000)
  assert.deepEqual(codes(), [31])
  dismiss($toasts.get()[0]?.id ?? 0)
  assert.deepEqual(codes(), [])
})

test('a later result of the same attempt replaces its failure, not those of others and not successes', () => {
  notify(16, undefined, 'rename 1')
  notify(31, undefined, 'rename 2')
  notify(0, undefined, 'rename 2')
  notify(7, undefined, 'rename 1')
  notify(11)
  assert.deepEqual(codes(), [0, 7, 11])
  notify(22, undefined, 'rename 2')
  notify(38)
  assert.deepEqual(codes(), [7, 11, 22, 38])
})

test('a repeated result replaces its toast and is shown for the full time', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  notify(0)
  mock.timers.tick(3000)
  notify(0)
  notify({ result: PORT_OCCUPIED, port: 9001 })
  notify({ result: PORT_OCCUPIED, port: 9002 })
  assert.deepEqual(
    $toasts.get().map(({ response }) => response),
    [{ result: SUCCESS }, { result: PORT_OCCUPIED, port: 9002 }]
  )
  mock.timers.tick(3000)
  assert.deepEqual(codes(), [0, 1007])
  mock.timers.tick(1000)
  assert.deepEqual(codes(), [1007])
})

test('a success stays while expiry is paused, and then for its full time', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  notify(0)
  mock.timers.tick(3000)
  setExpiryPaused(true)
  mock.timers.tick(60_000)
  notify(0)
  mock.timers.tick(60_000)
  assert.deepEqual(codes(), [0])
  setExpiryPaused(false)
  mock.timers.tick(3999)
  assert.deepEqual(codes(), [0])
  mock.timers.tick(1)
  assert.deepEqual(codes(), [])
})

test('too many toasts push out the oldest', () => {
  for (const code of [1, 2, 3, 4, 5, 6]) notify(code)
  assert.deepEqual(codes(), [3, 4, 5, 6])
})

test('the same code with another message is another toast', async () => {
  await openConsole(hub)
  notify(-10)
  notify({ result: -10, message: 'Invalid certificate\nAsk for a new one.' })
  await until(() => queryAllByRole('alert').length === 2, 'two messages')
  const [device = '', license = ''] = queryAllByRole('alert').map((alert) => visibleText(alert))
  assert.match(device, /^Invalid request parameters/)
  assert.match(license, /^Invalid certificate/)
})

test('toasts of one user are not shown to the next', async () => {
  const console = await openConsole(hub)
  notify(1007)
  await findByRole('alert')
  markUnauthorized()
  await findByRole('button', 'Sign in')
  assert.deepEqual(codes(), [])
  navigate(ROUTES.dashboard)
  assert.match(console.currentPath(), /^\/login|^\/dashboard/)
})

test('a success that can be undone is shown for ten seconds, and is undone once', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  let count = 0
  notify(0, { text: ['Deleted', ''], undo: () => count++ })
  mock.timers.tick(9999)
  assert.deepEqual(codes(), [0])
  assert.equal(undoLast(), true)
  assert.equal(undoLast(), false)
  assert.deepEqual([count, codes()], [1, []])
  notify(0, { text: ['Deleted', ''], undo: () => count++ })
  mock.timers.tick(10_000)
  assert.deepEqual(codes(), [])
})

test('a success with further lines stays until it is dismissed', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  notify(0, { text: ['Restored', ''], lines: ['The port is in use.'] })
  mock.timers.tick(3_600_000)
  assert.deepEqual(codes(), [0])
})

test.run()
