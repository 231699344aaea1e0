import assert from 'node:assert/strict'
import { hostname } from 'node:os'
import { suite } from 'uvu'
import { SYSTEM_CONFIG_VIEW } from '../../../../contract/access/permissions.ts'
import { INVALID_ARG } from '../../../../contract/codes.ts'
import { listLog } from '../../../../contract/log.ts'
import { hostNameFor, setDeviceName } from '../../../../contract/machine/name.ts'
import { getSettings } from '../../../../contract/settings.ts'
import { systemStatus } from '../../../../contract/system.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'

const test = suite('name of the hub')
hubForEach(test)

const info = async () => (await admin.send(systemStatus, {})).status.system.info

test('until a user names the hub it has the host name of its machine; in view mode the host name stays', async () => {
  assert.deepEqual([(await info())['device-name'], (await info())['host-name']], [hostname(), hostname()])
  const response = await admin.send(setDeviceName, { name: 'Studio 1' })
  assert.deepEqual([response.result, response['ext-need-reboot']], [0, false])
  assert.deepEqual([(await info())['device-name'], (await info())['host-name']], ['Studio 1', hostname()])
  const { name } = (await admin.send(getSettings, {})).settings
  assert.deepEqual([name?.['device-name'], name?.['host-name'], name?.access.machine], ['Studio 1', hostname(), 'view'])
  assert.ok(name?.access.reason)
  const [entry] = (await admin.send(listLog, { type: 'operation' })).list
  assert.equal(entry?.text, 'Name the hub: Studio 1')
})

test('the certificate of the hub is checked after the change, because the host name may be new', async () => {
  const { certificates } = hub.parts
  let checks = 0
  certificates.check = async () => {
    checks++
  }
  await admin.send(setDeviceName, { name: 'Studio 1' })
  assert.equal(checks, 1)
})

test('an invalid name is refused and changes nothing', async () => {
  for (const name of ['', ' a', 'a.b', '演播室', '_', 'x'.repeat(65)]) {
    const { result, field } = await admin.send(setDeviceName, { name })
    assert.deepEqual([result, field], [INVALID_ARG, 'name'], name)
  }
  assert.equal((await info())['device-name'], hostname())
})

test('only users with permission to view the system configuration read the name of the hub', async () => {
  const nameFor = async (permission: number) => {
    const { status } = await addSignedInUser(hub, `user ${permission}`, permission).send(systemStatus, {})
    return status.system.info['device-name']
  }
  assert.equal(await nameFor(0), undefined)
  assert.equal(await nameFor(SYSTEM_CONFIG_VIEW), hostname())
})

test('a host name is one label of lower case letters, digits and hyphens', () => {
  for (const [name, expected] of [
    ['Studio 1', 'studio-1'],
    ['Rack_4 - B', 'rack-4-b'],
    ['-a-', 'a'],
    [`${'x'.repeat(62)} y`, 'x'.repeat(62)],
    ['x'.repeat(64), 'x'.repeat(63)]
  ] as const)
    assert.equal(hostNameFor(name), expected)
})

test.run()
