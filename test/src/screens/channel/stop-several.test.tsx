import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { enableChannel } from '../../../../contract/stream/channel.ts'
import {
  addNamedChannel,
  listedChannels,
  openChannelList,
  startLiveChannel
} from '../../../kit/console/channel-list.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { click, findByRole, waitForNone, waitForText } from '../../../kit/console/page.ts'
import { findRow } from '../../../kit/console/table-rows.ts'
import { CARRYING_LEG, setObservedChannel } from '../../../kit/hub/observed-channel.ts'

const test = suite('stopping several channels')
hubForEach(test)

test('one question names all channels on air that are stopped together', async () => {
  const { id, output } = await startLiveChannel()
  setObservedChannel(hub, id, CARRYING_LEG, { [output]: CARRYING_LEG })
  const second = await addNamedChannel('Sport')
  await other.send(enableChannel, { id: second, enable: true })
  setObservedChannel(hub, second, CARRYING_LEG)
  await openChannelList()
  await findRow('Sport')
  await click(await findByRole('checkbox', 'Select all'))
  const stop = async () => click(await findByRole('button', 'Stop 2 items', await findByRole('toolbar', 'Actions')))
  await stop()
  const question = await findByRole('dialog', 'Channels are interrupted')
  await waitForText(/News goes off air. Outputs: .*Sport goes off air./, question)
  await click(await findByRole('button', 'Proceed anyway', question))
  await waitForNone('toolbar')
  assert.deepEqual(
    (await listedChannels()).map(({ config }) => config.enable),
    [false, false]
  )
})

test.run()
