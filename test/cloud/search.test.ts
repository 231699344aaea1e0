import assert from 'node:assert/strict'
import { SEARCH_TIMEOUT } from '../../cloud/handlers/search.ts'
import { addToken, NEVER_EXPIRES } from '../../contract/access/token.ts'
import { renameHub, searchHubs } from '../../contract/cloud/calls.ts'
import { acceptDevices } from '../../contract/device/device.ts'
import { addChannel } from '../../contract/stream/channel.ts'
import { startDigestHub } from '../kit/cloud/digest-hub.ts'
import { withOpenedHub } from '../kit/cloud/opened-hub.ts'
import { registerDevices } from '../kit/hub/register-devices.ts'
import { suite } from '../kit/runner/suite.ts'
import { until } from '../kit/until.ts'
import { within } from '../kit/within.ts'

const test = suite('search over all hubs')

test('hubs, channels and devices are found, and the answer names the hubs that have not answered', () =>
  withOpenedHub(async ({ cloud, user, admin, hub, sn, port }) => {
    const [device = ''] = registerDevices(hub, 2)
    await admin.send(acceptDevices, { sn: [device] })
    await admin.send(addChannel, { name: 'Studio talk' })
    await user.send(renameHub, { sn, name: 'Studio North' })
    // It is connected, and knows no relayed request.
    const other = await startDigestHub(user, port, 'HUB-OTHER')
    try {
      const search = (key: string) => user.send(searchHubs, { key })
      await until(async () => (await search('studio')).channels.length === 1, 'the channel is in the digest')
      const found = await search('studio')
      assert.deepEqual(found.hubs, [{ sn, name: 'Studio North', online: true }])
      assert.deepEqual(
        found.channels.map(({ name, hub: of }) => [name, of]),
        [['Studio talk', sn]]
      )
      const { devices, unanswered } = await search(device)
      assert.deepEqual(
        devices.map((each) => [each.sn, each.hub, each['hub-name']]),
        [[device, sn, 'Studio North']]
      )
      assert.deepEqual(unanswered, [{ hub: 'HUB-OTHER', 'hub-name': 'Hub HUB-OTHER' }])
      const { token } = await user.send(addToken, { 'expired-time': NEVER_EXPIRES, scopes: ['read'] })
      const program = cloud.client('127.0.0.1', { authorization: `Bearer ${token}` })
      const asProgram = await program.send(searchHubs, { key: 'studio' })
      assert.deepEqual([asProgram.hubs.length, asProgram.devices.length, asProgram.unanswered.length], [1, 0, 2])
    } finally {
      other.stop()
    }
  }))

test('a hub that does not answer delays the search by a limited time', () =>
  withOpenedHub(async ({ user, admin, hub, port }) => {
    const [sn = ''] = registerDevices(hub, 1)
    await admin.send(acceptDevices, { sn: [sn] })
    const silent = await startDigestHub(user, port, 'HUB-SILENT', { isSilent: true })
    try {
      await within(SEARCH_TIMEOUT * 2, 'the search', async () => {
        const { devices, unanswered } = await user.send(searchHubs, { key: sn })
        assert.deepEqual([devices.length, unanswered.map((each) => each.hub)], [1, ['HUB-SILENT']])
      })
    } finally {
      silent.stop()
    }
  }))

test.run()
