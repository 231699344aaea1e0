import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { channelForEach, fetchChannel, openChannelPage } from '../../../kit/console/channel-page.ts'
import { click, findByRole, waitForNone } from '../../../kit/console/page.ts'

const test = suite('held media of backups')
channelForEach(test)

test('failover without lost pictures is explained, and turned on in the settings of the channel', async () => {
  await openChannelPage(undefined, 'settings')
  const field = await findByRole('checkbox', 'Fail over without lost pictures')
  assert.match(
    document.getElementById(field.getAttribute('aria-describedby') ?? '')?.textContent ?? '',
    /It takes over at the first lost picture/
  )
  await click(field)
  await click(await findByRole('button', 'Save'))
  await waitForNone('button', 'Save')
  assert.equal((await fetchChannel()).config['hold-both'], true)
})

test.run()
