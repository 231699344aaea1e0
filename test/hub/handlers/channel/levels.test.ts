import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW, DEVICE_VIEW } from '../../../../contract/access/permissions.ts'
import { INVALID_ARG, NOT_PERMITTED, SUCCESS } from '../../../../contract/codes.ts'
import { CHANNEL_LEVELS_MAX } from '../../../../contract/limits.ts'
import { addChannel, channelLevels, enableChannel } from '../../../../contract/stream/channel.ts'
import { setChannelSecurity } from '../../../../contract/stream/channel-security.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'

const test = suite('channel levels')
hubForEach(test)

test('the levels of several running channels are read with one call, and only theirs are measured', async () => {
  const names = ['Hall', 'Foyer', 'Stopped']
  const ids: number[] = []
  for (const name of names) ids.push((await admin.send(addChannel, { name })).id)
  const [hall = 0, foyer = 0, stopped = 0] = ids
  for (const id of [hall, foyer]) await admin.send(enableChannel, { id, enable: true })
  const measured: number[] = []
  hub.parts.engine.audioLevel = (id) => {
    measured.push(id)
    return id === hall ? { backupId: undefined, levels: [-21.5, -23] } : undefined
  }
  const { list } = await admin.send(channelLevels, { ids: [hall, foyer, stopped, 999_999, hall].join() })
  assert.deepEqual(list, [{ id: hall, level: [-21.5, -23] }, { id: foyer }])
  assert.deepEqual(measured, [hall, foyer])
})

test('the level of a channel that the caller has no access to is left out, and not measured', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  await admin.send(enableChannel, { id, enable: true })
  const viewer = await addUser(hub, 'vera', CHANNEL_VIEW)
  assert.deepEqual((await viewer.send(channelLevels, { ids: String(id) })).list, [{ id }])
  await admin.send(setChannelSecurity, { id, security: { 'is-inherit': 0, 'group-mask': 0, 'usr-mask': 0 } })
  let isMeasured = false
  hub.parts.engine.audioLevel = () => {
    isMeasured = true
    return undefined
  }
  assert.deepEqual((await viewer.send(channelLevels, { ids: String(id) })).list, [])
  assert.equal(isMeasured, false)
})

test('levels need the permission to view channels, and ids that are numbers and not too many', async () => {
  const viewer = await addUser(hub, 'vera', CHANNEL_VIEW)
  const many = (count: number) => Array.from({ length: count }, (_, index) => index).join()
  assert.equal((await viewer.send(channelLevels, { ids: many(CHANNEL_LEVELS_MAX) })).result, SUCCESS)
  for (const ids of [many(CHANNEL_LEVELS_MAX + 1), '', '1,', 'a', '1;2'])
    assert.equal((await viewer.send(channelLevels, { ids })).result, INVALID_ARG, ids)
  const other = await addUser(hub, 'otto', DEVICE_VIEW)
  assert.equal((await other.send(channelLevels, { ids: '1' })).result, NOT_PERMITTED)
})

test.run()
