// The timelines of all channels on the page of problems.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_VIEW } from '../../../../contract/access/permissions.ts'
import { addChannel } from '../../../../contract/stream/channel.ts'
import { linkTo, ROUTES } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  click,
  findByRole,
  queryAllByRole,
  selectOption,
  visibleText,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { addSignedInUser } from '../../../kit/hub/hub.ts'
import { until } from '../../../kit/until.ts'

const test = suite('timelines of all channels')
hubForEach(test)

const lines = () => [...document.querySelectorAll('.timeline li')].map((line) => visibleText(line))

test('the timeline has the entries of all channels, follows new ones, and shows one channel by its address', async () => {
  await other.send(addChannel, { name: 'Hall' })
  const { id } = await other.send(addChannel, { name: 'Studio' })
  const console = await openConsole(hub, { at: ROUTES.problems })
  await click(await findByRole('link', 'Timeline'))
  await until(() => console.currentPath() === linkTo('problems', { tab: 'timeline' }), 'the tab')
  await waitForText(/Studio ?Channel added by/)
  await waitForText(/Hall ?Channel added by/)
  await other.send(addChannel, { name: 'Annex' })
  await waitForText(/Annex ?Channel added by/)
  assert.equal(queryAllByRole('link', 'CSV').length, 0)
  await selectOption(await findByRole('combobox', 'Channel'), 'Studio')
  await until(() => console.currentPath().includes(`channel=${id}`), 'the address')
  await until(() => lines().length === 1, 'one entry')
  // Of one channel there is a file, as on its page.
  assert.match((await findByRole('link', 'CSV')).getAttribute('href') ?? '', new RegExp(`id=${id}&`))
  await click(await findByRole('link', 'Problems', await findByRole('navigation', 'Events')))
  await findByRole('combobox', 'Type')
})

test('a user who sees no channels gets the problems alone', async () => {
  addSignedInUser(hub, 'looker', DEVICE_VIEW)
  await openConsole(hub, { user: 'looker', at: linkTo('problems', { tab: 'timeline' }) })
  await findByRole('combobox', 'Type')
  await waitForNone('link', 'Timeline')
})

test.run()
