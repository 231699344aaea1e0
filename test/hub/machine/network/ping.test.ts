import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { READ_ONLY } from '../../../../contract/codes.ts'
import { MachineError } from '../../../../hub/machine/machine-error.ts'
import { isForbiddenTarget, parsePing, ping } from '../../../../hub/machine/network/ping.ts'

const test = suite('ping')

test('the summary has the number of answers and their times', () => {
  const head = 'PING 192.0.2.1 (192.0.2.1) 56(84) bytes of data.\n\n--- 192.0.2.1 ping statistics ---\n'
  const answered = '4 packets transmitted, 3 received, 25% packet loss, time 3004ms\n'
  assert.deepEqual(parsePing(`${head}${answered}rtt min/avg/max/mdev = 0.031/0.045/1.060/0.011 ms\n`), {
    sent: 4,
    received: 3,
    'min-ms': 0.031,
    'average-ms': 0.045,
    'max-ms': 1.06
  })
  const silent = '4 packets transmitted, 0 received, +4 errors, 100% packet loss, time 3060ms\npipe 4\n'
  assert.deepEqual(parsePing(head + silent), { sent: 4, received: 0 })
  assert.equal(parsePing('ping: connect: Network is unreachable\n'), undefined)
})

test('groups, all machines, link-local and metadata addresses are not pinged', () => {
  for (const address of [
    ...['224.0.0.1', '239.255.255.250', '255.255.255.255', '0.0.0.0', '240.0.0.1', '169.254.169.254', '169.254.7.7'],
    ...['::', 'ff02::1', 'fe80::1', 'fd00:ec2::254', '::ffff:169.254.169.254']
  ])
    assert.equal(isForbiddenTarget(address), true, address)
  for (const address of ['127.0.0.1', '10.0.0.1', '192.168.1.1', '223.255.255.1', '8.8.8.8', '::1', '2001:db8::1'])
    assert.equal(isForbiddenTarget(address), false, address)
})

test('a machine without ping says so', async () => {
  const error = await ping('127.0.0.1', '/nowhere/ping').catch((thrown: unknown) => thrown)
  assert.ok(error instanceof MachineError)
  assert.deepEqual([error.code, error.fields.refusal], [READ_ONLY, 'ping-missing'])
})

test.run()
