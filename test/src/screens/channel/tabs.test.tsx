// The tabs on the page of a channel: their addresses, and who sees them.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW } from '../../../../contract/access/permissions.ts'
import { ALL_GROUPS } from '../../../../contract/access/visibility.ts'
import { setChannelSecurity } from '../../../../contract/stream/channel-security.ts'
import {
  channelForEach,
  channelId,
  fetchChannel,
  findCard,
  openChannelPage,
  pagePath
} from '../../../kit/console/channel-page.ts'
import { closeConsole, openConsole } from '../../../kit/console/console.ts'
import { hub, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  findByRole,
  nameOf,
  queryAllByRole,
  visibleText,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { until } from '../../../kit/until.ts'

const test = suite('tabs of a channel')
channelForEach(test)

const tabsOf = async () => queryAllByRole('link', undefined, await findByRole('navigation', 'Pages of the channel'))
const currentTab = async () => (await tabsOf()).find((tab) => tab.getAttribute('aria-current'))?.textContent

test('the address without a tab is the path, and each other tab has an address of its own', async () => {
  const console = await openChannelPage()
  await findCard('Outputs')
  assert.equal(await currentTab(), 'Path')
  assert.equal(queryAllByRole('article', 'Timeline').length, 0)
  await click(await findByRole('link', 'History'))
  await findCard('Timeline')
  await waitForNone('article', 'Outputs')
  assert.equal(console.currentPath(), pagePath('history'))
  assert.equal(await currentTab(), 'History')
  // What is wrong and what to do about it stays in sight.
  await findByRole('button', 'Start')
  await click(await findByRole('link', 'Path'))
  await findCard('Outputs')
  assert.equal(console.currentPath(), pagePath())
})

for (const query of ['kinds=state', 'from=2026-03-01T11:00:00.000Z', 'leg=7'])
  test(`an address from before there were tabs opens the history: ${query}`, async () => {
    const console = await openConsole(hub, { at: `${pagePath()}?${query}` })
    await findCard('Timeline')
    assert.match(console.currentPath(), /tab=history/)
    assert.equal(await currentTab(), 'History')
  })

test('who sees the channel is set on its page, which then shows what the hub has stored', async () => {
  await addUser(hub, 'viewer', CHANNEL_VIEW)
  await openChannelPage(undefined, 'access')
  const card = await findCard('Access to News')
  await waitForText('Inherited from the default: Everyone', card)
  await click(await findByRole('checkbox', 'Inherit', card))
  await click(await findByRole('checkbox', 'Everyone, including new groups', card))
  await click(await findByRole('checkbox', 'User', card))
  await waitForText('Not saved: Access to News')
  await click(await findByRole('button', 'Save'))
  await until(async () => (await fetchChannel())['is-inherit'] === 0, 'the access of its own')
  assert.equal((await fetchChannel())['group-mask'], 2)
  assert.equal((await findByRole<HTMLInputElement>('checkbox', 'User')).checked, true)
  const security = { 'is-inherit': 0, 'group-mask': ALL_GROUPS, 'usr-mask': 0 }
  await other.send(setChannelSecurity, { id: channelId, security })
  await until(
    () => (queryAllByRole('checkbox', 'Everyone, including new groups')[0] as HTMLInputElement | undefined)?.checked,
    'what another administrator has set'
  )
})

test('the access is no tab of a user who may not set it, and a link to it says why', async () => {
  await addUser(hub, 'viewer', CHANNEL_VIEW)
  await openChannelPage('viewer')
  assert.deepEqual((await tabsOf()).map(nameOf), ['Path', 'Schedule', 'History', 'Settings'])
  await closeConsole()
  await openConsole(hub, { at: pagePath('access'), user: 'viewer' })
  await waitForText('Admin account permission required')
  assert.ok(!visibleText().includes('Access to News'))
})

test.run()
