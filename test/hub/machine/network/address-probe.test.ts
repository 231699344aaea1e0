import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { parseArpTable } from '../../../../hub/machine/network/address-probe.ts'

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

test.run()
