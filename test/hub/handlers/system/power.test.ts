// Restart and shutdown in view mode, and the refusals that come before the machine is asked. The rest is tested with
// logind (test/hub/machine/logind.test.ts).
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { SYSTEM_CONFIG_VIEW } from '../../../../contract/access/permissions.ts'
import { READ_ONLY } from '../../../../contract/codes.ts'
import { getPower, rebootHub, rebootSystem, shutDownSystem } from '../../../../contract/machine/power.ts'
import { addChannel, enableChannel } from '../../../../contract/stream/channel.ts'
import { SYSTEM_STATUS_BITS, systemStatus } from '../../../../contract/system.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'

const test = suite('power')
hubForEach(test)

test('a hub in view mode neither restarts nor shuts down its machine, and says how to let it', async () => {
  const { access } = await admin.send(getPower, {})
  assert.equal(access.machine, 'view')
  for (const call of [rebootSystem, rebootHub, shutDownSystem]) {
    const { result, message } = await admin.send(call, { force: true })
    assert.equal(result, READ_ONLY)
    assert.match(message ?? '', /MACHINE=manage/)
  }
  const { status } = await admin.send(systemStatus, {})
  assert.equal(status.system.status['status-code'] & SYSTEM_STATUS_BITS.rebooting, 0)
})

test('running channels are named, except those that the caller may not see', async () => {
  const { id } = await admin.send(addChannel, { name: 'Chapel' })
  await admin.send(addChannel, { name: 'Stopped' })
  await admin.send(enableChannel, { id, enable: true })
  const all = await admin.send(getPower, {})
  assert.deepEqual([all.channels, all['has-other-channels']], [['Chapel'], undefined])
  const viewer = await addUser(hub, 'viewer', SYSTEM_CONFIG_VIEW)
  hub.parts.store.database.transaction(() =>
    hub.parts.store.channelVisibility.set(id, false, { 'group-mask': 0, 'usr-mask': 0 })
  )
  const others = await viewer.send(getPower, {})
  assert.deepEqual([others.channels, others['has-other-channels']], [[], true])
})

test('the start time is that of this hub, and each operation is named as the reason why a restart is refused', async () => {
  const { 'start-time': start, busy } = await admin.send(getPower, {})
  assert.ok(Math.abs(start - Date.now()) < 60_000)
  assert.equal(busy, undefined)
  for (const [name, sentence] of [
    ['restarting', /already restarting/],
    ['shutting-down', /already shutting down/],
    ['resetting', /being reset/],
    ['importing', /being imported/]
  ] as const) {
    hub.parts.operation.begin(name)
    assert.match((await admin.send(getPower, {})).busy ?? '', sentence)
    hub.parts.operation.end()
  }
})

test.run()
