import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { PreviewSubscriptions } from '../../../hub/preview/subscriptions.ts'
import { until } from '../../kit/until.ts'

const test = suite('preview subscriptions')

test('a subscription that fails is retried until it succeeds', async () => {
  const calls: string[] = []
  const received: string[] = []
  let isAvailable = false
  const subscriptions = new PreviewSubscriptions(
    (id, onImage) => {
      calls.push(id)
      if (!isAvailable) return undefined
      onImage(new Uint8Array(1))
      return () => calls.push(`end ${id}`)
    },
    Date.now,
    500,
    1
  )
  const listener = (id: string) => void received.push(id)
  subscriptions.add('A', listener)
  await until(() => calls.length > 3, 'three retries')
  isAvailable = true
  await until(() => received.length > 0, 'an image')
  assert.deepEqual(received, ['A'])
  subscriptions.remove('A', listener)
  assert.equal(calls.at(-1), 'end A')
})

test('a subscription is not retried after its last listener is removed', () => {
  mock.timers.enable({ apis: ['setTimeout'] })
  let calls = 0
  const subscriptions = new PreviewSubscriptions(() => void calls++ as undefined, Date.now, 500, 1)
  const listener = () => {}
  subscriptions.add('A', listener)
  for (let retry = 0; retry < 2; retry++) mock.timers.tick(1)
  assert.equal(calls, 3)
  subscriptions.remove('A', listener)
  mock.timers.tick(60_000)
  mock.timers.reset()
  assert.equal(calls, 3)
})

test('an image that arrives during the subscription reaches the listener', () => {
  const received: string[] = []
  const subscriptions = new PreviewSubscriptions(
    (_id, onImage) => {
      onImage(new Uint8Array(Buffer.from('at once')))
      return () => {}
    },
    Date.now,
    500
  )
  subscriptions.add('A', (id, { jpeg }) => received.push(`${id} ${Buffer.from(jpeg)}`))
  assert.deepEqual(received, ['A at once'])
})

test('images that arrive after the last listener was removed are dropped', () => {
  const received: string[] = []
  let send = (_jpeg: Uint8Array) => {}
  const subscriptions = new PreviewSubscriptions(
    (_id, onImage) => {
      send = onImage
      return () => {}
    },
    Date.now,
    500
  )
  const listener = (id: string) => void received.push(id)
  subscriptions.add('A', listener)
  const sendLate = send
  subscriptions.remove('A', listener)
  sendLate(new Uint8Array(1))
  subscriptions.add('A', listener)
  sendLate(new Uint8Array(1))
  assert.deepEqual(received, [])
})

test.run()
