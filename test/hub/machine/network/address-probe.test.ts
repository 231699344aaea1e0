import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { findIpv6Holder, parseArpTable, parseNeighbour } from '../../../../hub/machine/network/address-probe.ts'

const test = suite('address probe')

const TABLE = `IP address       HW type     Flags       HW address            Mask     Device
192.168.1.1      0x1         0x2         02:00:00:00:00:01     *        eth0
192.168.1.10     0x1         0x0         00:00:00:00:00:00     *        eth0
192.168.1.100    0x1         0x6         02:00:00:00:00:64     *        eth0`

test('a machine that has answered holds its address; one that was asked in vain does not', () => {
  assert.equal(parseArpTable(TABLE, '192.168.1.1'), '02:00:00:00:00:01')
  assert.equal(parseArpTable(TABLE, '192.168.1.10'), undefined)
  assert.equal(parseArpTable(TABLE, '192.168.1.100'), '02:00:00:00:00:64')
  assert.equal(parseArpTable(TABLE, '192.168.1.2'), undefined)
})

test('an IPv6 neighbour that has answered holds its address; one that was asked in vain does not', async () => {
  assert.equal(parseNeighbour('fe80::1 lladdr 02:00:00:00:00:01 router STALE'), '02:00:00:00:00:01')
  assert.equal(parseNeighbour('fe80::1 dev eth0 lladdr 02:00:00:00:00:01 REACHABLE\n'), '02:00:00:00:00:01')
  for (const line of ['', 'fe80::1 dev eth0 FAILED', 'fe80::1 INCOMPLETE', 'fe80::1 lladdr 02:00:00:00:00:01 FAILED'])
    assert.equal(parseNeighbour(line), undefined)
  await assert.rejects(findIpv6Holder('2001:db8::1', '/nonexistent/ip'), /ENOENT/)
})

test.run()
