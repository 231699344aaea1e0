// Device groups in the menu, tested with a real hub.

import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_GROUP_VIEW, DEVICE_VIEW } from '../../../contract/access/permissions.ts'
import { addCatalog, type Catalog, listCatalogs, setCatalog } from '../../../contract/catalog.ts'
import { acceptDevices, getGlobalDevice, listDevices } from '../../../contract/device/device.ts'
import { linkTo, ROUTES } from '../../../src/paths.ts'
import { closeConsole, openConsole } from '../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../kit/console/hub-for-each.ts'
import { openFromMenu } from '../../kit/console/menu.ts'
import {
  click,
  fill,
  findByRole,
  findFormDialog,
  nameOf,
  press,
  queryAllByRole,
  visibleText,
  waitForFieldMessage,
  waitForNone,
  waitForRender,
  waitForText
} from '../../kit/console/page.ts'
import { addUser } from '../../kit/hub/hub.ts'
import { registerDevices } from '../../kit/hub/register-devices.ts'
import { until } from '../../kit/until.ts'

const test = suite('catalog tree')

hubForEach(test)

async function addGroup(name: string, parent = 0): Promise<number> {
  return (await other.send(addCatalog, { 'parent-id': parent, name })).id
}
async function acceptDevicesUpTo(count: number): Promise<string[]> {
  const serials = registerDevices(hub, count)
  await other.send(acceptDevices, { sn: serials })
  return serials
}
async function findGroup(name: string): Promise<Catalog | undefined> {
  return (await other.send(listCatalogs, {})).list.find((catalog) => catalog.name === name)
}
const devicesIn = async (id: number) =>
  (await other.send(listDevices, { catalog: id, sort: 'name', order: 'ascending' })).list.map(({ name }) => name)

const treeItems = () => [...document.querySelectorAll<HTMLElement>('.menu [role=treeitem]')]
/** The text of a tree item, without its children. */
const lineText = (item: Element) => visibleText(item.firstElementChild ?? item)
const treeLines = () => treeItems().map(lineText)
async function findTreeItem(name: string): Promise<HTMLElement> {
  const find = () => treeItems().find((item) => lineText(item).startsWith(name))
  await until(() => find() !== undefined, `the group ${name}`).catch((error: Error) => {
    throw new Error(`${error.message}; there are ${treeLines()}`)
  })
  return find() as HTMLElement
}
const waitForLines = (expected: readonly string[]) =>
  until(() => treeLines().join() === expected.join(), `groups ${expected}`).catch((error: Error) => {
    throw new Error(`${error.message}; there are ${treeLines()}`)
  })
async function menuItemOf(group: string, entry: string): Promise<HTMLElement> {
  await click(await findByRole('button', `Actions: ${group}`))
  return findByRole('menuitem', entry)
}

test('the tree shows groups with the number of devices in and below each, kept up to date', async () => {
  const [first = '', second = ''] = await acceptDevicesUpTo(3)
  const campus = await addGroup('Campus')
  const hall = await addGroup('Hall', campus)
  await addGroup('Annex')
  await openConsole(hub, { at: ROUTES.allDevices })
  await waitForLines(['Annex 0', 'Campus 0', 'Hall 0', 'No group'])
  await other.send(setCatalog, { id: hall, devices: [first, second] })
  await waitForLines(['Annex 0', 'Campus 2', 'Hall 2', 'No group'])
  await addGroup('Balcony', hall)
  await waitForLines(['Annex 0', 'Campus 2', 'Hall 2', 'Balcony 0', 'No group'])
})

test('a group links to its devices, and the page has its name', async () => {
  const [first = ''] = await acceptDevicesUpTo(2)
  const hall = await addGroup('Hall')
  await other.send(setCatalog, { id: hall, devices: [first] })
  const console = await openConsole(hub, { at: ROUTES.allDevices })
  const group = await findTreeItem('Hall')
  group.focus()
  await press(group, 'Enter')
  await findByRole('row', 'Hall 1')
  assert.equal(queryAllByRole('row').length, 1)
  assert.equal(console.currentPath(), `/devices/group-${hall}`)
  await findByRole('heading', 'Hall')
  assert.equal((await findTreeItem('Hall')).getAttribute('aria-selected'), 'true')
  await click((await findTreeItem('No group')).querySelector('.cut') as HTMLElement)
  await findByRole('row', 'Hall 2')
  await findByRole('heading', 'No group')
})

test('groups are added at the top and below others; a duplicate name is refused at the field', async () => {
  const console = await openConsole(hub, { at: ROUTES.allDevices })
  await click(await menuItemOf('Device groups', 'Add group'))
  let dialog = await findByRole('dialog', 'Add group')
  let name = await findByRole('textbox', 'Name', dialog)
  await fill(name, ' Hall')
  await click(await findByRole('button', 'Save', dialog))
  await until(() => name.getAttribute('aria-invalid') === 'true', 'the error')
  await fill(name, 'Hall')
  await click(await findByRole('button', 'Save', dialog))
  await waitForLines(['Hall 0', 'No group'])
  await click(await menuItemOf('Hall', 'Add group'))
  dialog = await findByRole('dialog', 'Add group in Hall')
  name = await findByRole('textbox', 'Name', dialog)
  await fill(name, 'Hall')
  console.muteFeed()
  await click(await findByRole('button', 'Save', dialog))
  await waitForFieldMessage(name, 'The name already exists')
  await fill(name, 'Balcony')
  await click(await findByRole('button', 'Save', dialog))
  await waitForLines(['Hall 0', 'Balcony 0', 'No group'])
  assert.equal((await findGroup('Balcony'))?.['parent-id'], (await findGroup('Hall'))?.id)
})

test('below level 5 no group can be added, and the tooltip shows the reason', async () => {
  let parent = 0
  for (let level = 1; level <= 5; level++) parent = await addGroup(`Level ${level}`, parent)
  await openConsole(hub, { at: ROUTES.allDevices })
  assert.equal((await menuItemOf('Level 4', 'Add group')).getAttribute('aria-disabled'), null)
  await click(await findByRole('button', 'Actions: Level 4'))
  const add5 = await menuItemOf('Level 5', 'Add group')
  assert.equal(add5.getAttribute('aria-disabled'), 'true')
  assert.equal(add5.dataset.tip, '5 levels at most')
  await click(add5)
  assert.equal(queryAllByRole('dialog').length, 0)
})

test('the keyboard opens the menu of the focused group', async () => {
  await addGroup('Hall')
  await openConsole(hub, { at: ROUTES.allDevices })
  const group = await findTreeItem('Hall')
  group.focus()
  await press(group, 'ContextMenu')
  await click(await findByRole('menuitem', 'Rename'))
  const dialog = await findByRole('dialog', 'Rename Hall')
  await fill(await findByRole('textbox', 'Name', dialog), 'Great Hall')
  await click(await findByRole('button', 'Save', dialog))
  await waitForLines(['Great Hall 0', 'No group'])
  assert.ok(await findGroup('Great Hall'))
})

test('the contents of a deleted group move up, and the open page to the parent group; Undo moves all back', async () => {
  const [first = ''] = await acceptDevicesUpTo(1)
  const campus = await addGroup('Campus')
  const hall = await addGroup('Hall', campus)
  await addGroup('Balcony', hall)
  await other.send(setCatalog, { id: hall, devices: [first] })
  const console = await openConsole(hub, { at: linkTo('groupDevices', { catalog: String(hall) }) })
  await click(await menuItemOf('Hall', 'Delete'))
  await waitForLines(['Campus 1', 'Balcony 0', 'No group'])
  assert.deepEqual(await devicesIn(campus), ['Hall 1'])
  assert.equal(console.currentPath(), `/devices/group-${campus}`)
  await click(await findByRole('button', 'Undo'))
  await until(async () => (await devicesIn(hall)).length === 1, 'the device is in its group again')
})

test('a group deleted by another user is reported as deleted', async () => {
  const hall = await addGroup('Hall')
  await openConsole(hub, { at: linkTo('groupDevices', { catalog: String(hall) }) })
  await findByRole('heading', 'Hall')
  hub.parts.store.catalogs.remove(hub.parts.store.catalogs.byId(hall) as never)
  hub.parts.permissionsChanged()
  await waitForText('This configuration has been deleted by another user.')
})

test('one device or all selected ones are dropped on a group', async () => {
  await acceptDevicesUpTo(4)
  const hall = await addGroup('Hall')
  await openConsole(hub, { at: ROUTES.allDevices })
  const drag = async (name: string) => {
    const grip = (await findByRole('row', name)).querySelector('th')
    grip?.dispatchEvent(new Event('dragstart', { bubbles: true }))
    await waitForRender()
    const group = await findTreeItem('Hall')
    const over = new Event('dragover', { bubbles: true, cancelable: true })
    group.dispatchEvent(over)
    assert.ok(over.defaultPrevented)
    group.dispatchEvent(new Event('drop', { bubbles: true, cancelable: true }))
    grip?.dispatchEvent(new Event('dragend', { bubbles: true }))
  }
  await drag('Hall 4')
  await waitForLines(['Hall 1', 'No group'])
  await click(await findByRole('checkbox', 'Select Hall 1'))
  await click(await findByRole('checkbox', 'Select Hall 2'))
  await drag('Hall 2')
  await waitForLines(['Hall 3', 'No group'])
  assert.deepEqual(await devicesIn(hall), ['Hall 1', 'Hall 2', 'Hall 4'])
  const quiet = new Event('dragover', { bubbles: true, cancelable: true })
  ;(await findTreeItem('Hall')).dispatchEvent(quiet)
  assert.ok(!quiet.defaultPrevented, 'nothing is dragged any more')
})

test('the visibility of a group is granted to user groups and users, or inherited', async () => {
  const viewer = await addUser(hub, 'viewer', DEVICE_VIEW | DEVICE_GROUP_VIEW)
  await addGroup('Hall')
  await openConsole(hub, { at: ROUTES.allDevices })
  await click(await menuItemOf('Hall', 'Access'))
  const dialog = await findFormDialog('Access to Hall')
  await waitForText('Inherited from the default: Everyone', dialog)
  await click(await findByRole('checkbox', 'Inherit', dialog))
  const every = await findByRole<HTMLInputElement>('checkbox', 'Everyone, including new groups', dialog)
  assert.ok(every.checked)
  await click(every)
  for (const box of queryAllByRole('checkbox', undefined, dialog) as HTMLInputElement[])
    if (box.checked) await click(box)
  await click(await findByRole('button', 'Save', dialog))
  await waitForNone('dialog')
  const hall = await findGroup('Hall')
  assert.deepEqual([hall?.['is-inherit'], hall?.['group-mask'], hall?.['usr-mask']], [0, 0, 0])
  assert.deepEqual((await viewer.send(listCatalogs, {})).list, [])
  await click(await menuItemOf('Hall', 'Access'))
  await click(await findByRole('checkbox', 'viewer', await findFormDialog('Access to Hall')))
  await click(await findByRole('button', 'Save', await findFormDialog('Access to Hall')))
  await waitForNone('dialog')
  assert.deepEqual(
    (await viewer.send(listCatalogs, {})).list.map(({ name }) => name),
    ['Hall']
  )
})

test('the global default cannot inherit', async () => {
  await openConsole(hub, { at: ROUTES.allDevices })
  await click(await menuItemOf('Device groups', 'Default access to devices'))
  const dialog = await findFormDialog('Default access to devices')
  await findByRole('checkbox', 'Everyone, including new groups', dialog)
  assert.deepEqual(queryAllByRole('checkbox', 'Inherit', dialog).map(nameOf), [])
  await click(await findByRole('checkbox', 'Everyone, including new groups', dialog))
  await click(await findByRole('checkbox', 'Viewer', dialog))
  await click(await findByRole('button', 'Save', dialog))
  await waitForNone('dialog')
  const { security } = await other.send(getGlobalDevice, {})
  assert.equal(security['group-mask'], 4)
})

test('a user who may only view groups sees the tree without actions; other users see no tree', async () => {
  await addGroup('Hall')
  await addUser(hub, 'viewer', DEVICE_VIEW | DEVICE_GROUP_VIEW)
  await addUser(hub, 'other', DEVICE_VIEW)
  await openConsole(hub, { user: 'viewer', at: ROUTES.allDevices })
  await waitForLines(['Hall 0', 'No group'])
  assert.equal(queryAllByRole('button', /^Actions: (Hall|Device groups)/).length, 0)
  await closeConsole()
  const requests: string[] = []
  const console = await openConsole(hub, { user: 'other' })
  console.intercept = (path) => {
    requests.push(path)
    return undefined
  }
  await openFromMenu('Devices', 'All')
  await waitForText('No devices')
  assert.deepEqual(treeLines(), [])
  assert.ok(!requests.some((path) => path.includes('/catalog/')), 'and nothing is asked that would be refused')
})

test.run()
