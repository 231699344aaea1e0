import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW } from '../../../../contract/access/permissions.ts'
import { ALL_GROUPS } from '../../../../contract/access/visibility.ts'
import { addCatalog, setCatalog } from '../../../../contract/catalog.ts'
import { acceptDevices, setDeviceSecurity, setGlobalDevice } from '../../../../contract/device/device.ts'
import { listLog } from '../../../../contract/log.ts'
import { addChannel } from '../../../../contract/stream/channel.ts'
import { setChannelSecurity, setGlobalChannel } from '../../../../contract/stream/channel-security.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'
import { registerDevices } from '../../../kit/hub/register-devices.ts'

const test = suite('access in the operation log')

hubForEach(test)

test('an entry names those who see an object, and not the masks', async () => {
  addSignedInUser(hub, 'vera', CHANNEL_VIEW)
  const vera = hub.parts.store.users.byName('vera')?.id ?? 0
  const { id: news } = await admin.send(addChannel, { name: 'News' })
  const { id: studio } = await admin.send(addCatalog, { 'parent-id': 0, name: 'Studio' })
  const sn = registerDevices(hub, 1)
  await admin.send(acceptDevices, { sn })
  const viewersAndVera = { 'group-mask': 4, 'usr-mask': vera }
  const everyone = { 'group-mask': ALL_GROUPS, 'usr-mask': 0 }
  const nobody = { 'group-mask': 0, 'usr-mask': 0 }
  await admin.send(setChannelSecurity, { id: news, security: { 'is-inherit': 0, ...viewersAndVera } })
  await admin.send(setChannelSecurity, { id: news, security: { 'is-inherit': 1 } })
  await admin.send(setGlobalChannel, { security: viewersAndVera })
  await admin.send(setGlobalDevice, { security: everyone })
  await admin.send(setDeviceSecurity, { sn, security: { 'is-inherit': 0, ...nobody } })
  await admin.send(setCatalog, { id: studio, security: { 'is-inherit': 0, ...everyone } })
  const { list } = await admin.send(listLog, { type: 'operation' })
  assert.deepEqual(
    list
      .slice(0, 6)
      .map(({ text }) => text)
      .reverse(),
    [
      'Set access to channels: News: Viewer, vera',
      'Set access to channels: News – inherited',
      'Set default access to channels: Viewer, vera',
      'Set device defaults – everyone',
      'Set access to devices: Hall 1 – none',
      'Edit device group: Studio – everyone'
    ]
  )
})

test.run()
