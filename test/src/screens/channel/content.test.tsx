import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { channelForEach, fetchChannel, openChannelPage } from '../../../kit/console/channel-page.ts'
import { click, fill, findByRole, waitForFieldMessage, waitForNone } from '../../../kit/console/page.ts'

const test = suite('content checks of a channel')
channelForEach(test)

test('times of checks are set in the settings of the channel, and an empty one turns its check off', async () => {
  await openChannelPage(undefined, 'settings')
  const black = await findByRole('textbox', 'Degraded if black for (s)')
  assert.equal((black as HTMLInputElement).value, '10')
  await fill(black, '0')
  await click(await findByRole('button', 'Save'))
  await waitForFieldMessage(black, 'Must be between 1 and 3600')
  await fill(black, '5')
  await fill(await findByRole('textbox', 'Degraded if frozen for (s)'), '')
  await click(await findByRole('button', 'Save'))
  await waitForNone('button', 'Save')
  const { content } = (await fetchChannel()).config
  assert.deepEqual(content?.black, { enable: true, 'after-s': 5, failover: false })
  assert.deepEqual(content?.frozen, { enable: false, 'after-s': 60, failover: false })
  assert.equal(content?.silent['after-s'], 15)
})

test.run()
