import assert from 'node:assert/strict'
import { networkInterfaces } from 'node:os'
import { suite } from 'uvu'
import { BAD_ADDRESS, NO_RESPONSE } from '../../../../contract/codes.ts'
import { placeOf } from '../../../../hub/devices/address/address-policy.ts'

const test = suite('places')
const OPEN = { loopback: false, ownPorts: () => [3000] }
const ALONE = { loopback: true, ownPorts: () => [3000] }

test('private and public addresses are where devices are', async () => {
  for (const address of ['10.0.0.7', '172.16.3.4', '192.168.77.20', '203.0.113.9', '1.2.3.4'])
    assert.equal(await placeOf(address, 80, OPEN), address)
})

test('link-local ones, those of a network and those of many are refused', async () => {
  for (const address of [
    '169.254.169.254',
    '169.254.0.1',
    '0.0.0.0',
    '0.1.2.3',
    '224.0.0.251',
    '240.0.0.1',
    '255.255.255.255'
  ])
    for (const grounds of [OPEN, ALONE])
      await assert.rejects(placeOf(address, 80, grounds), { code: BAD_ADDRESS }, address)
})

test('this machine is refused by every name, but for a hub that nobody else reaches, and then its own ports are', async () => {
  const own = Object.values(networkInterfaces())
    .flatMap((each) => each ?? [])
    .filter(({ family }) => family === 'IPv4')
    .map(({ address }) => address)
  for (const address of ['127.0.0.1', '127.9.9.9', 'localhost', ...own]) {
    await assert.rejects(placeOf(address, 80, OPEN), { code: BAD_ADDRESS }, address)
    assert.match(await placeOf(address, 80, ALONE), /^\d+\.\d+\.\d+\.\d+$/)
    await assert.rejects(placeOf(address, 3000, ALONE), { code: BAD_ADDRESS }, address)
  }
})

test('a name that nobody knows is said', async () => {
  await assert.rejects(placeOf('nothing.invalid', 80, OPEN), { code: NO_RESPONSE })
})

test.run()
