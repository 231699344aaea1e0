import assert from 'node:assert/strict'
import { suite } from 'uvu'
import type { HubPeer } from '../../../engine/connection/peers.ts'
import { HubConnection } from '../../../engine/server/hub-connection.ts'

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

test.run()
