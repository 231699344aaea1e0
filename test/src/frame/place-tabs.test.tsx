// The lists of the place Channels as tabs, and the links from lists to the trash.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { CHANNEL_EDIT, CHANNEL_VIEW, INPUT_OUTPUT_VIEW, NDI_VIEW } from '../../../contract/access/permissions.ts'
import { linkTo, ROUTES } from '../../../src/paths.ts'
import { navigate } from '../../../src/state/location.ts'
import { closeConsole, openConsole } from '../../kit/console/console.ts'
import { hub, hubForEach } from '../../kit/console/hub-for-each.ts'
import { click, findByRole, nameOf, queryAllByRole, waitForNone, waitForText } from '../../kit/console/page.ts'
import { addUser } from '../../kit/hub/hub.ts'
import { until } from '../../kit/until.ts'

const test = suite('tabs of lists')

hubForEach(test)

const LISTS = [
  ['Channels', ROUTES.channels],
  ['Inputs', ROUTES.inputs],
  ['Outputs', ROUTES.outputs],
  ['Destinations', ROUTES.destinations],
  ['NDI sources', ROUTES.ndiSources]
] as const

const findTabs = () => findByRole('navigation', 'Channels')
const tabNames = async () => queryAllByRole('link', undefined, await findTabs()).map(nameOf)

test('each list is a tab of the others, and keeps its address', async () => {
  const console = await openConsole(hub, { at: ROUTES.channels })
  for (const [name, path] of LISTS) {
    await click(await findByRole('link', name, await findTabs()))
    await findByRole('heading', name)
    assert.equal(console.currentPath(), path)
    assert.deepEqual(
      await tabNames(),
      LISTS.map(([each]) => each)
    )
    assert.equal((await findByRole('link', name, await findTabs())).getAttribute('aria-current'), 'page')
  }
  navigate(linkTo('channelCalendar'))
  await findByRole('heading', 'Calendar')
  await waitForNone('navigation', 'Channels')
})

test('a user sees the tabs of the lists that he may open, and no single tab', async () => {
  await addUser(hub, 'ports', INPUT_OUTPUT_VIEW | NDI_VIEW)
  await addUser(hub, 'channels', CHANNEL_VIEW)
  await openConsole(hub, { user: 'ports', at: ROUTES.inputs })
  assert.deepEqual(await tabNames(), ['Inputs', 'Outputs', 'Destinations', 'NDI sources'])
  await closeConsole()
  await openConsole(hub, { user: 'channels', at: ROUTES.channels })
  await waitForText('No channels yet')
  await waitForNone('navigation', 'Channels')
})

test('a small screen has the row of pages in place of the tabs', async () => {
  document.documentElement.style.setProperty('--size', 'xs')
  try {
    await openConsole(hub, { at: ROUTES.inputs })
    const row = await findByRole('navigation', 'Pages of Channels')
    assert.ok(queryAllByRole('link', undefined, row).map(nameOf).includes('Destinations'))
    await waitForNone('navigation', 'Channels')
  } finally {
    document.documentElement.style.removeProperty('--size')
    dispatchEvent(new Event('resize'))
  }
})

test('every list of what a deletion moves to the trash leads to it, for users who may restore', async () => {
  const console = await openConsole(hub)
  for (const [route, kind] of [
    ['channels', 'channel'],
    ['inputs', 'input'],
    ['outputs', 'output'],
    ['destinations', 'preset']
  ] as const) {
    navigate(linkTo(route))
    const target = `#${linkTo('trash', { kind })}`
    const links = () => queryAllByRole('link', 'Trash').map((link) => link.getAttribute('href'))
    await until(() => links().includes(target), `the list ${route} leads to the trash`)
  }
  await click(await findByRole('link', 'Devices'))
  await click(await findByRole('button', 'Actions: Device groups'))
  await click(await findByRole('menuitem', 'Trash'))
  await findByRole('heading', 'Trash')
  assert.equal(console.currentPath(), linkTo('trash', { kind: 'catalog' }))
})

test('a search without a result leads to the trash, but not a user who may not restore', async () => {
  await addUser(hub, 'viewer', CHANNEL_VIEW)
  await addUser(hub, 'editor', CHANNEL_VIEW | CHANNEL_EDIT)
  for (const [user, count] of [
    ['viewer', 0],
    ['editor', 2]
  ] as const) {
    await openConsole(hub, { user, at: linkTo('channels', { key: 'nowhere' }) })
    await waitForText('Nothing found')
    assert.equal(queryAllByRole('link', 'Trash').filter((link) => link.closest('main')).length, count, user)
    await closeConsole()
  }
})

test.run()
