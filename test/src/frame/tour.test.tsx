// The tour of a new user.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_VIEW } from '../../../contract/access/permissions.ts'
import { CACHE_PREFIX } from '../../../contract/limits.ts'
import { linkTo } from '../../../src/paths.ts'
import { openConsole } from '../../kit/console/console.ts'
import { hub, hubForEach } from '../../kit/console/hub-for-each.ts'
import { click, findByRole, queryAllByRole, waitForNone, waitForText } from '../../kit/console/page.ts'
import { addUser } from '../../kit/hub/hub.ts'
import { addStartedChannel, FAILED, IDLE } from '../../kit/hub/started-channel.ts'
import { until } from '../../kit/until.ts'

const test = suite('tour')
hubForEach(test)

// The browser of the test is idle at once.
const idle = { requestIdleCallback: (run: () => void) => run() }
test.before(() => {
  for (const place of [window, globalThis]) Object.assign(place, idle)
})
test.after(() => {
  for (const place of [window, globalThis]) Reflect.deleteProperty(place, 'requestIdleCallback')
})

const tour = () => findByRole('dialog', /^Tour/)
const next = async () => click(await findByRole('button', 'Next', await tour()))

test('a new user sees five steps, each with the first thing to do, once', async () => {
  await openConsole(hub, { isNew: true })
  const actions: string[] = []
  for (const [index, place] of ['Live', 'Channels', 'Devices', 'Events', 'Settings'].entries()) {
    const dialog = await findByRole('dialog', `Tour ${index + 1}/5: ${place}`)
    await until(() => document.activeElement === dialog, 'the focus is on the step')
    actions.push((await findByRole('link', /./, dialog)).textContent ?? '')
    if (index < 4) await next()
  }
  assert.deepEqual(actions, ['Open: Live', 'Add channel', 'Add a device', 'Open: Events', 'Name the hub'])
  await click(await findByRole('button', 'Leave the tour', await tour()))
  await waitForNone('dialog', /^Tour/)
  assert.equal(localStorage.getItem(`${CACHE_PREFIX}tour-Admin`), '1')
})

test('Escape leaves it, the focus returns, and the link in the footer shows it again', async () => {
  await openConsole(hub)
  const link = await findByRole('link', 'Tour')
  link.focus()
  await click(link)
  const dialog = await tour()
  assert.equal(document.activeElement, dialog)
  dialog.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  await waitForNone('dialog', /^Tour/)
  assert.equal(document.activeElement, link)
  assert.equal(location.hash, '#/dashboard')
})

test('the first thing is done while the tour stays', async () => {
  await openConsole(hub, { at: linkTo('dashboard', { tour: '1' }) })
  await tour()
  await next()
  await click(await findByRole('link', 'Add channel', await tour()))
  const dialog = await findByRole('dialog', 'Add channel')
  await click(await findByRole('button', 'Cancel', dialog))
  await waitForNone('dialog', 'Add channel')
  await findByRole('dialog', /^Tour 2/)
})

test('a user sees the places that are allowed, and opens those in which nothing may be added', async () => {
  await addUser(hub, 'viewer', CHANNEL_VIEW)
  await openConsole(hub, { at: linkTo('dashboard', { tour: '1' }), user: 'viewer' })
  await next()
  await findByRole('link', 'Open: Channels', await tour())
  assert.equal(queryAllByRole('link', 'Add channel', await tour()).length, 0)
})

test('while a channel is down the tour does not begin', async () => {
  await addStartedChannel(hub, 'News', FAILED, [IDLE, IDLE])
  await openConsole(hub, { isNew: true })
  await waitForText('1 Problems')
  await waitForNone('dialog', /^Tour/)
  assert.equal(localStorage.getItem(`${CACHE_PREFIX}tour-Admin`), null, 'it begins at another start')
})

test.run()
