import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { enableChannel, setChannelInput } from '../../../../contract/stream/channel.ts'
import { CONNECTION_STATE } from '../../../../contract/stream/protocols.ts'
import {
  addRtmpInput,
  channelForEach,
  channelId,
  fetchChannel,
  findCard,
  openChannelPage,
  setObserved
} from '../../../kit/console/channel-page.ts'
import { other } from '../../../kit/console/hub-for-each.ts'
import { waitForText } from '../../../kit/console/page.ts'
import { CARRYING_LEG } from '../../../kit/hub/observed-channel.ts'

const test = suite('refused callers of a channel')
channelForEach(test)

test('an input that waits says which caller it refused, and when', async () => {
  await other.send(setChannelInput, { id: channelId, input: await addRtmpInput('Studio') })
  await other.send(enableChannel, { id: channelId, enable: true })
  const reason = 'stream-id-refused other'
  const at = new Date(2026, 10, 28, 17, 3).getTime()
  setObserved({
    ...CARRYING_LEG,
    kbps: 0,
    connState: CONNECTION_STATE.waiting,
    reason,
    refusal: { reason, address: '10.0.0.7', at }
  })
  assert.deepEqual((await fetchChannel()).input?.['refused-caller'], {
    at,
    addr: '10.0.0.7',
    why: 'a caller with the stream ID other was refused'
  })
  await openChannelPage()
  const inputs = await findCard('Inputs')
  await waitForText('A caller with the stream ID other was refused, from 10.0.0.7.', inputs)
  await waitForText(/Last caller refused at .*17:03/, inputs)
})

test.run()
