import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addView, listViews } from '../../../contract/access/saved-view.ts'
import { addChannel } from '../../../contract/stream/channel.ts'
import { linkTo, ROUTES } from '../../../src/paths.ts'
import { navigate } from '../../../src/state/location.ts'
import { closeConsole, openConsole } from '../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../kit/console/hub-for-each.ts'
import {
  click,
  fill,
  findByRole,
  nameOf,
  queryAllByRole,
  waitForFieldMessage,
  waitForNone,
  waitForText
} from '../../kit/console/page.ts'
import { rowNames } from '../../kit/console/table-rows.ts'
import { until } from '../../kit/until.ts'

const test = suite('saved views in the console')

hubForEach(test)

const viewsAtHub = async () =>
  (await other.send(listViews, {})).list.map(({ list, name, query }) => [list, name, query])
const choose = async (item: string | RegExp) => {
  await click(await findByRole('button', 'Views'))
  await click(await findByRole('menuitem', item))
}
const menuItems = async () => {
  await click(await findByRole('button', 'Views'))
  const names = queryAllByRole('menuitem').map(nameOf)
  await click(await findByRole('button', 'Views'))
  return names
}

async function saveAs(name: string): Promise<void> {
  await choose('Save view')
  const dialog = await findByRole('dialog', 'Save view')
  await fill(await findByRole('textbox', 'Name', dialog), name)
  await click(await findByRole('button', 'Save', dialog))
}

test('filters, order and density of the channels are saved, and opened in another browser', async () => {
  await openConsole(hub, { at: linkTo('channels', { state: 'stopped', key: 'a&b' }) })
  await click(await findByRole('button', 'Compact rows'))
  await saveAs('Quiet')
  await waitForText('Quiet saved')
  assert.deepEqual(await viewsAtHub(), [['channels', 'Quiet', 'key=a%26b&state=stopped&view=compact']])
  await closeConsole()
  localStorage.clear()
  const console = await openConsole(hub, { at: ROUTES.channels })
  assert.deepEqual(await menuItems(), ['Quiet', 'Save view'])
  await choose('Quiet')
  assert.equal(console.currentPath(), `${ROUTES.channels}?key=a%26b&state=stopped&view=compact`)
  assert.equal((await findByRole('button', 'Compact rows')).getAttribute('aria-pressed'), 'true')
})

test('the order of the channels is in the address', async () => {
  for (const name of ['News', 'Sport']) await other.send(addChannel, { name })
  const console = await openConsole(hub, { at: ROUTES.channels })
  await findByRole('row', /News/)
  assert.deepEqual(rowNames(), ['News', 'Sport'])
  await click(await findByRole('button', 'Name'))
  assert.equal(console.currentPath(), `${ROUTES.channels}?sort=name&order=descending`)
  assert.deepEqual(rowNames(), ['Sport', 'News'])
  navigate(ROUTES.channels)
  await until(() => rowNames().join() === 'News,Sport', 'the default order')
})

test('the view that is open is replaced, renamed and deleted, and a deletion is undone', async () => {
  await other.send(addView, { list: 'channels', name: 'Quiet', query: 'state=stopped&view=list' })
  await openConsole(hub, { at: ROUTES.channels })
  await choose('Quiet')
  assert.deepEqual(await menuItems(), ['Quiet', 'Save view', 'Rename Quiet', 'Delete Quiet'])
  navigate(linkTo('channels', { state: 'down', view: 'list' }))
  await choose('Replace Quiet with the present view')
  await until(async () => (await viewsAtHub()).join() === 'channels,Quiet,state=down&view=list', 'it is replaced')
  await choose('Rename Quiet')
  const dialog = await findByRole('dialog', 'Rename Quiet')
  await fill(await findByRole('textbox', 'Name', dialog), 'Trouble')
  await click(await findByRole('button', 'Save', dialog))
  await waitForText('Trouble saved')
  await choose('Delete Trouble')
  await waitForText('Trouble deleted')
  assert.deepEqual(await viewsAtHub(), [])
  await click((await until(() => queryAllByRole('button', 'Undo').at(-1), 'the last undo')) as HTMLElement)
  await until(async () => (await viewsAtHub()).join() === 'channels,Trouble,state=down&view=list', 'it is back')
})

test('a name that is in use is refused at the field', async () => {
  await other.send(addView, { list: 'devices', name: 'Quiet', query: 'view=list' })
  await openConsole(hub, { at: ROUTES.channels })
  await saveAs('quiet')
  const dialog = await findByRole('dialog', 'Save view')
  await waitForFieldMessage(await findByRole('textbox', 'Name', dialog), 'The name already exists')
})

test('the lists of devices share their views, and a view leads to its list', async () => {
  const console = await openConsole(hub, { at: linkTo('favoriteDevices', { state: 'online' }) })
  await saveAs('Stage')
  await waitForText('Stage saved')
  navigate(ROUTES.allDevices)
  await findByRole('heading', 'All')
  await choose('Stage')
  assert.equal(console.currentPath(), `${ROUTES.favoriteDevices}?state=online&view=list`)
  navigate(ROUTES.channels)
  await findByRole('heading', 'Channels')
  assert.deepEqual(await menuItems(), ['Save view'])
  navigate(ROUTES.pendingDevices)
  await findByRole('heading', 'Pending approval')
  await waitForNone('button', 'Views')
})

test('a hub with documented calls only offers no views', async () => {
  await openConsole(hub, { at: ROUTES.channels, hasDocumentedCallsOnly: true })
  await waitForText('Pages and functions that this hub does not support are hidden.')
  await waitForNone('button', 'Views')
})

test.run()
