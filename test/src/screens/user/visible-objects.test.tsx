import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW } from '../../../../contract/access/permissions.ts'
import { addChannel, channelDashboard } from '../../../../contract/stream/channel.ts'
import { getGlobalChannel, setChannelSecurity } from '../../../../contract/stream/channel-security.ts'
import { linkTo } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { click, fill, findByRole, findFormDialog, waitForNone, waitForText } from '../../../kit/console/page.ts'
import { findRow } from '../../../kit/console/table-rows.ts'
import { addUser, type Client } from '../../../kit/hub/hub.ts'

const test = suite('what users see, in the console')
let viewer: Client
hubForEach(test)
test.before.each(async () => {
  viewer = await addUser(hub, 'vera', CHANNEL_VIEW)
  await other.send(addChannel, { name: 'News' })
  const { id } = await other.send(addChannel, { name: 'Board meeting' })
  const security = { 'is-inherit': 0, 'group-mask': 2, 'usr-mask': 0 }
  await other.send(setChannelSecurity, { id, security })
})

test('the page of a user shows what the user sees and why, and gives access to the rest', async () => {
  await openConsole(hub, { at: linkTo('users') })
  await findRow('vera')
  await click(await findByRole('link', 'vera'))
  await findByRole('heading', 'What vera sees')
  await waitForText('News Everyone · Inherited from the default')
  await click(await findByRole('button', 'Not visible (1)'))
  await waitForText('Board meeting Not included · Set here')
  await click(await findByRole('button', 'Access: Board meeting'))
  const dialog = await findFormDialog('Access to Board meeting')
  await click(await findByRole('checkbox', 'vera', dialog))
  await click(await findByRole('button', 'Save', dialog))
  await waitForNone('dialog')
  await findByRole('button', 'Not visible (0)')
  await click(await findByRole('button', 'Visible (2)'))
  await waitForText('Board meeting This user · Set here')
  assert.equal((await viewer.send(channelDashboard, {})).total, 2)
})

test('the page of a user group shows what its members see, and objects are found by name', async () => {
  const group = hub.parts.store.users.byName('vera')?.group_id ?? 0
  await openConsole(hub, { at: linkTo('userGroup', { groupId: String(group) }) })
  await findByRole('heading', /^What .* sees$/)
  await waitForText('News Everyone · Inherited from the default')
  await click(await findByRole('button', 'Devices'))
  await waitForText('has no permission to view devices')
  await click(await findByRole('button', 'Channels'))
  await waitForText('News Everyone')
  await click(await findByRole('button', 'Not visible (1)'))
  await waitForText('Board meeting')
  const [box] = document.querySelectorAll<HTMLInputElement>('.card input[type=search]')
  await fill(box as HTMLInputElement, 'zzz')
  await waitForNone('link', 'Board meeting')
})

test('the defaults of devices and channels are shown with the user groups and users, and changed', async () => {
  await openConsole(hub, { at: linkTo('users', { tab: 'access' }) })
  const card = await findByRole('article', 'Channels')
  await waitForText('Everyone', card)
  await click(await findByRole('button', 'Change', card))
  const dialog = await findFormDialog('Default access to channels')
  await click(await findByRole('checkbox', 'Everyone, including new groups', dialog))
  await click(await findByRole('checkbox', 'Viewer', dialog))
  await click(await findByRole('button', 'Save', dialog))
  await waitForNone('dialog')
  await waitForText('Default access to channels saved')
  await waitForText('Viewer', card)
  assert.equal((await other.send(getGlobalChannel, {})).security['group-mask'], 4)
})

test.run()
