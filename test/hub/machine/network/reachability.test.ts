import assert from 'node:assert/strict'
import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { suite } from 'uvu'
import {
  askNameServer,
  askTimeServer,
  type CheckTarget,
  ReachabilityChecks
} from '../../../../hub/machine/network/reachability.ts'
import { until } from '../../../kit/until.ts'

const test = suite('what the machine reaches')

const sockets: Socket[] = []
test.after.each(() => {
  for (const socket of sockets.splice(0)) socket.close()
})

/** Starts a server that answers each datagram. @returns its port */
async function answerWith(reply: (request: Buffer) => Buffer): Promise<number> {
  const socket = createSocket('udp4')
  sockets.push(socket)
  socket.on('message', (request, { port, address }) => socket.send(reply(request), port, address))
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return socket.address().port
}

test('a name server answers if it sends the response to the query, also a refusal', async () => {
  const refusing = await answerWith((query) =>
    Buffer.concat([query.subarray(0, 2), Buffer.from([0x81, 0x85]), query.subarray(4)])
  )
  assert.equal(await askNameServer('127.0.0.1', refusing), true)
  const echoing = await answerWith((query) => query)
  assert.equal(await askNameServer('127.0.0.1', echoing), false)
  assert.equal(await askNameServer('127.0.0.1', 1), false)
  // The kernel does not connect to it, as if there was no route.
  assert.equal(await askNameServer('255.255.255.255', 53), false)
})

test('a time server answers if it sends a response to this request', async () => {
  const right = await answerWith((request) => {
    const reply = Buffer.alloc(48)
    reply[0] = 0x24
    request.copy(reply, 24, 40, 48)
    return reply
  })
  assert.equal(await askTimeServer('127.0.0.1', right), true)
  const other = await answerWith(() => Buffer.alloc(48, 0x24))
  assert.equal(await askTimeServer('127.0.0.1', other), false)
  assert.equal(await askTimeServer('no-such-host.invalid'), false)
})

test('a gateway is asked in each of six rounds, and a server until it answers', async () => {
  const targets: CheckTarget[] = [
    { kind: 'gateway', address: '192.0.2.1' },
    { kind: 'dns', address: '9.9.9.9' },
    { kind: 'time', address: 'ntp.example' }
  ]
  const asked: string[] = []
  const answering = (address: string, from: number) => async () => {
    asked.push(address)
    return asked.filter((each) => each === address).length >= from
  }
  let changes = 0
  const checks = new ReachabilityChecks({
    findTargets: async () => targets,
    onChange: () => changes++,
    interval: 1,
    // The kernel knows the gateway from before the change, and finds out later that it is gone.
    ask: {
      gateway: async (address) => !(await answering(address, 2)()),
      dns: answering('9.9.9.9', 1),
      time: answering('ntp.example', 3)
    }
  })
  checks.start()
  checks.start()
  await until(() => asked.filter((address) => address === '192.0.2.1').length === 6, 'all rounds')
  await until(() => checks.results().every(({ state }) => state !== 'asking'), 'all results')
  assert.deepEqual(
    checks.results().map(({ state }) => state),
    ['silent', 'answers', 'answers']
  )
  assert.deepEqual(
    ['9.9.9.9', 'ntp.example'].map((address) => asked.filter((each) => each === address).length),
    [1, 3]
  )
  assert.equal(changes, 5)
  checks.stop()
  assert.deepEqual(checks.results(), [])
})

test('a gateway that the machine has no program to ask for stays unknown', async () => {
  let asked = 0
  const refuse = () => {
    asked++
    return Promise.reject(new Error('spawn ip ENOENT'))
  }
  const checks = new ReachabilityChecks({
    findTargets: async () => [{ kind: 'gateway', address: 'fe80::1%eth0' }],
    onChange() {},
    interval: 1,
    ask: { gateway: refuse, dns: refuse, time: refuse }
  })
  checks.start()
  await until(() => asked === 6, 'all rounds')
  assert.deepEqual(checks.results(), [{ kind: 'gateway', address: 'fe80::1%eth0', state: 'asking' }])
  checks.stop()
})

test.run()
