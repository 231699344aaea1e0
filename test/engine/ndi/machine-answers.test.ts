// Whether machines are in the network: asked at a port without a program, at a bounded pace. 127.0.0.0/8 stands for the
// network: its addresses answer as machines do, unless a socket of the test has the port.
import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { suite } from 'uvu'
import { MachineAnswers, type MachineWatch } from '../../../engine/ndi/machine-answers.ts'
import { freeUdpPort } from '../../kit/net/free-port.ts'
import { until } from '../../kit/until.ts'

const test = suite('answers of machines')

let port: number
let neighbours: string
let changes: number
let watch: MachineWatch
let peer: Socket | undefined
/** The address policy forbids it. */
const forbidden = '127.0.0.66'

test.before.each(async () => {
  port = await freeUdpPort()
  neighbours = ''
  changes = 0
  const machines = new MachineAnswers({
    port,
    readNeighbours: async () => neighbours,
    resolveHost: async (host) => (host === forbidden ? Promise.reject(new Error('forbidden')) : host)
  })
  watch = machines.watch(() => changes++)
})
test.after.each(async () => {
  watch.close()
  await closePeer()
})

/** Opens the port of all machines, so that none of them answers. @returns the times of the datagrams */
async function openPeer(): Promise<number[]> {
  const times: number[] = []
  peer = createSocket('udp4', () => times.push(performance.now()))
  peer.bind(port)
  await once(peer, 'listening')
  return times
}

async function closePeer(): Promise<void> {
  if (!peer) return
  const closed = once(peer, 'close')
  peer.close()
  await closed
  peer = undefined
}

const answers = (address: string, expected: boolean | undefined) =>
  until(
    () => watch.answers(address) === expected,
    () => `${address} answers: ${expected}, not ${watch.answers(address)}`
  )

test('a machine answers, does not any more, and answers again', async () => {
  assert.equal(watch.answers('127.0.0.2'), undefined)
  watch.set(['127.0.0.2'])
  await answers('127.0.0.2', true)
  await openPeer()
  await answers('127.0.0.2', false)
  await closePeer()
  await answers('127.0.0.2', true)
  assert.equal(changes, 3)
})

test('of a machine that has never answered nothing is known, unless the kernel finds none with the address', async () => {
  const times = await openPeer()
  watch.set(['127.0.0.2', '127.0.0.22'])
  neighbours = `IP address       HW type     Flags       HW address            Mask     Device
127.0.0.22       0x1         0x0         00:00:00:00:00:00     *        eth0
127.0.0.2        0x1         0x2         52:54:00:12:35:02     *        eth0
`
  await answers('127.0.0.22', false)
  assert.equal(watch.answers('127.0.0.2'), undefined)
  neighbours = ''
  await answers('127.0.0.22', undefined)
  assert.ok(times.length > 2)
})

test('a machine gets a datagram a second, and all together 64', async () => {
  const addresses = Array.from({ length: 70 }, (_, n) => `127.0.1.${n + 1}`)
  const times = await openPeer()
  watch.set(addresses)
  await until(() => times.length >= 3 * 64, 'three rounds have arrived')
  const [first = 0, , third = 0] = Array.from({ length: 3 }, (_, round) => times[round * 64])
  assert.ok(third - first > 1900, `${third - first} ms for two rounds`)
  watch.set(['127.0.0.2'])
  const before = times.length
  await until(() => times.length > before + 1, 'the other machine has got two')
  assert.ok((times.at(-1) ?? 0) - (times.at(-2) ?? 0) > 900)
})

test('an address that the policy forbids, or that is no IPv4 address, gets nothing', async () => {
  const times = await openPeer()
  watch.set([forbidden, 'localhost', '', '127.0.0.2'])
  await until(() => times.length > 1, 'the allowed machine has got two')
  assert.ok((times[1] ?? 0) - (times[0] ?? 0) > 900)
  await closePeer()
  await answers('127.0.0.2', true)
  assert.equal(watch.answers(forbidden), undefined)
})

test.run()
