import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { channelForEach, fetchChannel, openChannelPage } from '../../../kit/console/channel-page.ts'
import { hub } from '../../../kit/console/hub-for-each.ts'
import { click, findByRole, waitForNone, waitForText } from '../../../kit/console/page.ts'

const test = suite('recording on the page of a channel')
channelForEach(test)

test('the page shows that the channel is recorded, and stops the recording', async () => {
  await openChannelPage()
  await findByRole('button', 'Start recording')
  const { id } = await fetchChannel()
  hub.parts.store.database.transaction(() => hub.parts.recordings.begin(id, 'Admin'))
  await hub.parts.applyChannel(id)
  await waitForText(/no data \d/)
  await click(await findByRole('button', 'Stop recording'))
  await waitForNone('button', 'Stop recording')
  assert.equal((await fetchChannel()).recording, undefined)
})

test.run()
