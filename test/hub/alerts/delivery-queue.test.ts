// The queue of messages: order, retries, limits, and faults of the storage.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DeliveryQueue, WAITING_MAX } from '../../../hub/alerts/delivery-queue.ts'
import { type AlertMessage, SendError } from '../../../hub/alerts/sender.ts'
import { createSenders } from '../../../hub/alerts/senders.ts'
import { openStore } from '../../../hub/store/store.ts'
import { NOON } from '../../kit/hub/alerts/alert-bench.ts'
import { until } from '../../kit/until.ts'

const test = suite('delivery queue')

type Respond = (message: AlertMessage) => string | Promise<string>

/** A queue with a destination whose other end a test plays, and a clock that it moves. */
function createQueue(respond: Respond) {
  const store = openStore(':memory:')
  const clock = { now: NOON }
  const received: string[] = []
  const send = async (message: AlertMessage) => {
    received.push(message.id)
    return respond(message)
  }
  const queue = new DeliveryQueue({
    store,
    senders: { ...createSenders(store), webhook: { send } },
    now: () => clock.now
  })
  const id = store.alertDestinations.add({
    ...{ name: 'Desk', type: 'webhook', enable: true, language: 'en' },
    ...{ config: {}, secrets: {} }
  })
  const add = (...ids: readonly string[]) => {
    const destination = store.alertDestinations.byId(id) ?? assert.fail()
    const message = { state: 'problem', title: 'Hall' } as AlertMessage
    store.database.transaction(() =>
      queue.add(ids.map((each) => ({ destination, rule: 'All', message: { ...message, id: each } })))
    )
    queue.wake()
  }
  /** State, number of attempts and answer of each message, the oldest first. */
  const log = () =>
    store.alertDeliveries
      .page(undefined, 0, 10_000)
      .list.toReversed()
      .map(({ state, attempts, answer }) => [state, attempts, JSON.parse(answer)])
  const events = () => store.database.all<{ event: string }>('SELECT event FROM event_log').map(({ event }) => event)
  return { store, clock, received, queue, id, add, log, events }
}

/** Sets the clock to the next attempt, and waits for it. @returns after how many milliseconds it was due */
async function runNext({ clock, queue, store, id }: ReturnType<typeof createQueue>): Promise<number> {
  const waiting = () => store.alertDeliveries.heads().find((head) => head.destination_id === id)
  const { next = 0, id: message, attempts = 0 } = waiting() ?? {}
  const wait = next - clock.now
  clock.now = next
  queue.wake()
  await until(() => {
    const head = waiting()
    return head?.id !== message || head?.attempts !== attempts
  }, 'the attempt is stored')
  return wait
}

test('a message is tried again, less and less often, until it arrives; those after it wait for it', async () => {
  let isAway = true
  const bench = createQueue(() => {
    if (isAway) throw new SendError(['away', '离线'])
    return '200 OK'
  })
  bench.queue.start()
  bench.add('a', 'b')
  await until(() => bench.log()[0]?.[1] === 1, 'the first attempt is stored')
  const waits: number[] = []
  for (let count = 0; count < 9; count++) waits.push(await runNext(bench))
  assert.deepEqual(
    waits,
    [5, 10, 20, 40, 80, 160, 320, 600, 600].map((seconds) => seconds * 1000)
  )
  assert.deepEqual(new Set(bench.received), new Set(['a']))
  isAway = false
  await runNext(bench)
  await until(() => bench.log()[1]?.[0] === 'sent', 'both arrive')
  assert.deepEqual(bench.received.slice(-2), ['a', 'b'])
  assert.deepEqual(bench.log(), [
    ['sent', 11, '200 OK'],
    ['sent', 1, '200 OK']
  ])
  assert.deepEqual(bench.events(), ['alert-failed', 'alert-delivered'])
  await bench.queue.close()
})

test('a refusal is final, and a message is given up after three days', async () => {
  let isFinal = true
  const bench = createQueue(() => {
    throw new SendError(['no', '否'], { isFinal })
  })
  bench.queue.start()
  bench.add('a')
  await until(() => bench.log()[0]?.[0] === 'failed', 'it is given up')
  assert.deepEqual(bench.log(), [['failed', 1, ['no', '否']]])
  isFinal = false
  bench.add('b')
  await until(() => bench.log()[1]?.[1] === 1, 'it was tried')
  assert.equal(bench.log()[1]?.[0], 'waiting')
  bench.clock.now += 3 * 86_400_000 + 1
  bench.queue.wake()
  await until(() => bench.log()[1]?.[0] === 'failed', 'it is given up')
  await bench.queue.close()
})

test('a destination that is switched off keeps its messages; one that is full loses the oldest', async () => {
  const bench = createQueue(() => 'ok')
  const { store, id } = bench
  const stored = store.alertDestinations.byId(id) ?? assert.fail()
  store.alertDestinations.set(id, { ...stored, secrets: {}, enable: false })
  bench.queue.start()
  bench.add(...Array.from({ length: WAITING_MAX + 2 }, (_, index) => `m${index}`))
  assert.deepEqual(
    bench
      .log()
      .slice(0, 3)
      .map(([state]) => state),
    ['failed', 'failed', 'waiting']
  )
  assert.equal(store.alertDeliveries.countWaiting(id), WAITING_MAX)
  assert.deepEqual(bench.received, [])
  store.alertDestinations.set(id, { ...stored, secrets: {}, enable: true })
  bench.queue.wake()
  await until(() => store.alertDeliveries.countWaiting(id) === 0, 'all arrive')
  assert.equal(bench.received[0], 'm2')
  assert.equal(new Set(bench.received).size, WAITING_MAX)
  await bench.queue.close()
})

test('a message that is being sent when the hub ends is sent again by the next run, with its id', async () => {
  const bench = createQueue(() => new Promise(() => {}))
  bench.queue.start()
  bench.add('a')
  await until(() => bench.received.length === 1, 'it is being sent')
  await bench.queue.close()
  assert.deepEqual(bench.log(), [['waiting', 0, '']])
  const { store } = bench
  const sent: string[] = []
  const send = async ({ id }: AlertMessage) => {
    sent.push(id)
    return 'ok'
  }
  const next = new DeliveryQueue({ store, senders: { ...createSenders(store), webhook: { send } } })
  next.start()
  await until(() => bench.log()[0]?.[0] === 'sent', 'it arrives')
  assert.deepEqual(sent, ['a'])
  await next.close()
})

test('a message that cannot be stored is sent from memory, and tried again', async () => {
  let isAway = true
  const bench = createQueue(() => {
    if (isAway) throw new SendError(['away', '离线'])
    return 'ok'
  })
  bench.queue.start()
  const { store, id } = bench
  const destination = store.alertDestinations.byId(id) ?? assert.fail()
  Object.defineProperty(store.database, 'storageFault', { get: () => 'failed', configurable: true })
  bench.queue.addUnstored([{ destination, rule: 'All', message: { id: 'a', title: 'Disk' } as AlertMessage }])
  bench.queue.wake()
  await until(() => bench.received.length === 1, 'it is tried')
  isAway = false
  await until(() => {
    bench.clock.now += 5000
    bench.queue.wake()
    return bench.received.length === 2
  }, 'it arrives')
  assert.deepEqual([bench.received, bench.log()], [['a', 'a'], []])
  await bench.queue.close()
})

test.run()
