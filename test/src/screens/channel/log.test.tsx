// The log on the page of a channel.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { channelForEach, channelId, findCard, openChannelPage } from '../../../kit/console/channel-page.ts'
import { hub } from '../../../kit/console/hub-for-each.ts'
import { visibleText, waitForText } from '../../../kit/console/page.ts'

const test = suite('channel log')
channelForEach(test)

test('the log has the lines about the channel, whatever their inputs, outputs and devices are called', async () => {
  const { store } = hub.parts
  store.logEvent({ event: 'output-down', detail: 'Foyer: #input-silent', channel: channelId })
  store.logEvent({ event: 'input-down', detail: 'Camera', channel: channelId, sn: 'A406230419001' })
  store.logEvent({ event: 'output-down', detail: 'News elsewhere', channel: channelId + 1 })
  await openChannelPage(undefined, 'history')
  const log = await findCard('Logs')
  await waitForText('Output lost: Foyer: no data from the input', log)
  await waitForText('Input lost: Camera', log)
  assert.doesNotMatch(visibleText(log), /elsewhere/)
})

test.run()
