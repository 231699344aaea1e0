// The setting that lets a backup begin with the media that was held.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { listLog } from '../../../../contract/log.ts'
import { addChannel, queryChannel, setChannel } from '../../../../contract/stream/channel.ts'
import { wantedChannel } from '../../../../hub/channels/wanted.ts'
import { collectTables } from '../../../../hub/export/collect.ts'
import { admin, hub, hubForEach } from '../../../kit/hub/hub-for-each.ts'

const test = suite('held media of backups')
hubForEach(test)

test('it is off at first, and is stored, logged, exported and given to the engine', async () => {
  const { id } = await admin.send(addChannel, { name: 'Hall' })
  const isOn = async () => (await admin.send(queryChannel, { id })).channel.config['hold-both']
  assert.equal(await isOn(), false)
  assert.equal(wantedChannel(hub.parts.store, id)?.['hold-both'], false)
  await admin.send(setChannel, { id, name: 'Hall', config: { 'hold-both': true } })
  assert.equal(await isOn(), true)
  assert.equal(wantedChannel(hub.parts.store, id)?.['hold-both'], true)
  assert.equal(collectTables(hub.parts.store).channel[0]?.hold_both, 'true')
  const { list } = await admin.send(listLog, { type: 'operation' })
  assert.deepEqual(
    list.map(({ text }) => text),
    ['Edit channel: Hall – holding of backup media', 'Add channel: Hall']
  )
})

test.run()
