import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { HubPeer } from '../../../engine/connection/peer.ts'
import type { EngineEvent } from '../../../engine/interfaces/wire.ts'
import { EVENTS_MAX, EventBuffer, HubConnection } from '../../../engine/server/hub-connection.ts'

const test = suite('connection to the hub')

const ORDER = { port: 5000, 'stream-id': 'play/1', passphrase: 'a-long-passphrase', latency: 60 }

/** A hub that records the calls to it. */
function createPeer(): { peer: HubPeer; calls: string[] } {
  const calls: string[] = []
  const peer = {
    call: async (...[method, sn]: string[]) => void calls.push(`${method} ${sn}`),
    notify() {},
    close() {}
  }
  return { peer: peer as unknown as HubPeer, calls }
}

test('an order that is cancelled while no hub is connected is cancelled when the device is online again, once', async () => {
  const connection = new HubConnection()
  await connection.cancel('cancelPlayback', 'D1')
  await connection.cancel('cancelOrder', 'E1')
  const { peer, calls } = createPeer()
  connection.attach(peer)
  for (const sn of ['D1', 'E1', 'D2']) connection.retryCancellations(sn)
  assert.deepEqual(calls, ['cancelPlayback D1', 'cancelOrder E1'])
  await new Promise((resolve) => setImmediate(resolve))
  for (const sn of ['D1', 'E1']) connection.retryCancellations(sn)
  assert.equal(calls.length, 2)
})

test('an order that waits for the hub is not sent after it was cancelled', async () => {
  const connection = new HubConnection()
  const orders = [
    connection.orderPlayback('D1', ORDER),
    connection.orderPush('E1', { ...ORDER, 'stream-index': 0 }),
    connection.orderPlayback('D2', ORDER)
  ]
  await connection.cancel('cancelPlayback', 'D1')
  await connection.cancel('cancelOrder', 'E1')
  const { peer, calls } = createPeer()
  connection.attach(peer)
  await Promise.all(orders)
  assert.deepEqual(calls, ['orderPlayback D2'])
})

const address = (event: EngineEvent) => (event.kind === 'guessing' ? event.address : '')

test('events are sent in order and once', async () => {
  const buffer = new EventBuffer()
  for (let n = 0; n < 250; n++) buffer.add({ kind: 'guessing', address: String(n) })
  const sent: string[] = []
  const send = async (events: EngineEvent[]) => void sent.push(...events.map(address))
  await buffer.flush(send)
  await buffer.flush(send)
  assert.deepEqual(
    sent,
    Array.from({ length: 250 }, (_, n) => String(n))
  )
})

test('events that were not acknowledged are sent again, with their times', async () => {
  const buffer = new EventBuffer()
  buffer.add({ kind: 'guessing', address: 'a' })
  const lost: EngineEvent[] = []
  await buffer.flush(async (events) => {
    lost.push(...events)
    throw new Error('the hub has died')
  })
  buffer.add({ kind: 'guessing', address: 'b' })
  const sent: EngineEvent[] = []
  await buffer.flush(async (events) => void sent.push(...events))
  assert.deepEqual(sent.map(address), ['a', 'b'])
  assert.deepEqual(sent[0], lost[0])
})

test('while the hub is away the newest events are kept', async () => {
  const buffer = new EventBuffer()
  for (let n = 0; n < EVENTS_MAX + 10; n++) buffer.add({ kind: 'guessing', address: String(n) })
  const sent: string[] = []
  await buffer.flush(async (events) => void sent.push(...events.map(address)))
  assert.deepEqual([sent.length, sent[0], sent.at(-1)], [EVENTS_MAX, '10', String(EVENTS_MAX + 9)])
})

test.run()
