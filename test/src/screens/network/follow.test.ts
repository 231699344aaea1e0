import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'
import type { NetworkChange } from '../../../../contract/machine/network.ts'
import { $followed, followChange } from '../../../../src/screens/network/follow.ts'

const test = suite('follow a change of the network')

test.before.each(() => mock.timers.enable({ apis: ['setTimeout', 'Date'] }))
test.after.each(() => mock.timers.reset())

const changeOf = (iface: string): NetworkChange => ({
  iface,
  state: 'applying',
  'seconds-left': 60,
  by: 'Admin',
  ipaddr: '',
  'over-iface': false
})

/** Lets time pass, and pending promises settle. */
async function advance(ms: number): Promise<void> {
  mock.timers.tick(ms)
  await new Promise<void>((resolve) => setImmediate(resolve))
}

test('the end of an earlier change does not hide a later one', async () => {
  followChange({ change: changeOf('eth0') }, undefined, async () => {})
  await advance(30_000)
  followChange({ change: changeOf('eth1') }, undefined, async () => {})
  await advance(40_000)
  assert.equal($followed.get()?.change.iface, 'eth1')
  await advance(30_000)
  assert.equal($followed.get(), undefined)
})

test.run()
