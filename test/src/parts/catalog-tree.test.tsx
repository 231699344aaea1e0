// Device groups in the menu, tested with a real hub.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addCatalog, type Catalog, listCatalogs, setCatalog } from '../../../contract/catalog.ts'
import { acceptDevices, getGlobalDevice, listDevices } from '../../../contract/device/device.ts'
import { DEVICE_GROUP_VIEW, DEVICE_VIEW } from '../../../contract/permissions.ts'
import { linkTo, ROUTES } from '../../../src/paths.ts'
import { closeConsole, openConsole } from '../../kit/console.ts'
import { register } from '../../kit/device.ts'
import { addUser } from '../../kit/hub.ts'
import { hub, hubForEach, other } from '../../kit/hub-for-each.ts'
import { all, click, drawn, fill, nameOf, none, one, press, says, saysOf, words } from '../../kit/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('catalog tree')

hubForEach(test)

async function addGroup(name: string, parent = 0): Promise<number> {
  return (await other.send(addCatalog, { 'parent-id': parent, name })).id
}
async function acceptDevicesUpTo(count: number): Promise<string[]> {
  const serials = register(hub, count)
  await other.send(acceptDevices, { sn: serials })
  return serials
}
async function findGroup(name: string): Promise<Catalog | undefined> {
  return (await other.send(listCatalogs, {})).list.find((one) => one.name === name)
}
const devicesIn = async (id: number) =>
  (await other.send(listDevices, { catalog: id, sort: 'name', order: 'ascending' })).list.map(({ name }) => name)

const treeItems = () => [...document.querySelectorAll<HTMLElement>('.menu [role=treeitem]')]
/** The text of a tree item, without its children. */
const lineText = (item: Element) => words(item.firstElementChild ?? item)
const treeLines = () => treeItems().map(lineText)
async function findTreeItem(name: string): Promise<HTMLElement> {
  const find = () => treeItems().find((one) => lineText(one).startsWith(name))
  await until(() => find() !== undefined, `the group ${name}`).catch((error: Error) => {
    throw new Error(`${error.message}; there are ${treeLines()}`)
  })
  return find() as HTMLElement
}
const waitForLines = (wanted: readonly string[]) =>
  until(() => treeLines().join() === wanted.join(), `groups ${wanted}`).catch((error: Error) => {
    throw new Error(`${error.message}; there are ${treeLines()}`)
  })
async function menuItemOf(group: string, entry: string): Promise<HTMLElement> {
  await click(await one('button', `Actions: ${group}`))
  return one('menuitem', entry)
}

test('the tree shows groups with the number of devices in and below each, kept up to date', async () => {
  const [first = '', second = ''] = await acceptDevicesUpTo(3)
  const campus = await addGroup('Campus')
  const hall = await addGroup('Hall', campus)
  await addGroup('Annex')
  await openConsole(hub)
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
  const console = await openConsole(hub)
  const group = await findTreeItem('Hall')
  group.focus()
  await press(group, 'Enter')
  await one('row', 'Hall 1')
  assert.equal(all('row').length, 1)
  assert.equal(console.place(), `/devices/group-${hall}`)
  await one('heading', 'Hall')
  assert.equal((await findTreeItem('Hall')).getAttribute('aria-selected'), 'true')
  await click((await findTreeItem('No group')).querySelector('.cut') as HTMLElement)
  await one('row', 'Hall 2')
  await one('heading', 'No group')
})

test('groups are added at the top and below others; a duplicate name is refused at the field', async () => {
  const console = await openConsole(hub)
  await click(await menuItemOf('Device Groups', 'Add group'))
  let dialog = await one('dialog', 'Add group')
  let name = await one('textbox', 'Name', dialog)
  await fill(name, ' Hall')
  await click(await one('button', 'Save', dialog))
  await until(() => name.getAttribute('aria-invalid') === 'true', 'the error')
  await fill(name, 'Hall')
  await click(await one('button', 'Save', dialog))
  await waitForLines(['Hall 0', 'No group'])
  await click(await menuItemOf('Hall', 'Add group'))
  dialog = await one('dialog', 'Add group in Hall')
  name = await one('textbox', 'Name', dialog)
  await fill(name, 'Hall')
  console.hush()
  await click(await one('button', 'Save', dialog))
  await saysOf(name, 'The name already exists')
  await fill(name, 'Balcony')
  await click(await one('button', 'Save', dialog))
  await waitForLines(['Hall 0', 'Balcony 0', 'No group'])
  assert.equal((await findGroup('Balcony'))?.['parent-id'], (await findGroup('Hall'))?.id)
})

test('below level 5 no group can be added, and the tooltip says why', async () => {
  let parent = 0
  for (let level = 1; level <= 5; level++) parent = await addGroup(`Level ${level}`, parent)
  await openConsole(hub)
  assert.equal((await menuItemOf('Level 4', 'Add group')).getAttribute('aria-disabled'), null)
  await click(await one('button', 'Actions: Level 4'))
  const add5 = await menuItemOf('Level 5', 'Add group')
  assert.equal(add5.getAttribute('aria-disabled'), 'true')
  assert.equal(add5.dataset.tip, '5 levels at most')
  await click(add5)
  assert.equal(all('dialog').length, 0)
})

test('the keyboard opens the menu of the focused group', async () => {
  await addGroup('Hall')
  await openConsole(hub)
  const group = await findTreeItem('Hall')
  group.focus()
  await press(group, 'ContextMenu')
  await click(await one('menuitem', 'Rename'))
  const dialog = await one('dialog', 'Rename Hall')
  await fill(await one('textbox', 'Name', dialog), 'Great Hall')
  await click(await one('button', 'Save', dialog))
  await waitForLines(['Great Hall 0', 'No group'])
  assert.ok(await findGroup('Great Hall'))
})

test('the contents of a deleted group move up, as announced; the open page moves to the parent group', async () => {
  const [first = ''] = await acceptDevicesUpTo(1)
  const campus = await addGroup('Campus')
  const hall = await addGroup('Hall', campus)
  await addGroup('Balcony', hall)
  await other.send(setCatalog, { id: hall, devices: [first] })
  const console = await openConsole(hub, { at: linkTo('groupDevices', { catalog: String(hall) }) })
  await click(await menuItemOf('Hall', 'Delete'))
  const question = await one('dialog', 'Delete Hall?')
  await says('Its contents move up one level.', question)
  await click(await one('button', 'Delete Hall', question))
  await waitForLines(['Campus 1', 'Balcony 0', 'No group'])
  assert.deepEqual(await devicesIn(campus), ['Hall 1'])
  assert.equal(console.place(), `/devices/group-${campus}`)
})

test('a group deleted by another user is reported as deleted', async () => {
  const hall = await addGroup('Hall')
  await openConsole(hub, { at: linkTo('groupDevices', { catalog: String(hall) }) })
  await one('heading', 'Hall')
  hub.context.store.catalogs.remove(hub.context.store.catalogs.byId(hall) as never)
  hub.context.permissionsChanged()
  await says('This group no longer exists')
})

test('one device or all selected ones are dropped on a group', async () => {
  await acceptDevicesUpTo(4)
  const hall = await addGroup('Hall')
  await openConsole(hub, { at: ROUTES.allDevices })
  const drag = async (name: string) => {
    const grip = (await one('row', name)).querySelector('th')
    grip?.dispatchEvent(new Event('dragstart', { bubbles: true }))
    await drawn()
    const group = await findTreeItem('Hall')
    const over = new Event('dragover', { bubbles: true, cancelable: true })
    group.dispatchEvent(over)
    assert.ok(over.defaultPrevented)
    group.dispatchEvent(new Event('drop', { bubbles: true, cancelable: true }))
    grip?.dispatchEvent(new Event('dragend', { bubbles: true }))
  }
  await drag('Hall 4')
  await waitForLines(['Hall 1', 'No group'])
  await click(await one('checkbox', 'Select Hall 1'))
  await click(await one('checkbox', 'Select Hall 2'))
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
  await openConsole(hub)
  await click(await menuItemOf('Hall', 'Security'))
  const dialog = await one('dialog', 'Visibility of Hall')
  await says('From its group', dialog)
  await click(await one('checkbox', 'Inherit', dialog))
  const every = await one<HTMLInputElement>('checkbox', 'All, including future groups', dialog)
  assert.ok(every.checked)
  await click(every)
  for (const box of all('checkbox', undefined, dialog) as HTMLInputElement[]) if (box.checked) await click(box)
  await click(await one('button', 'Save', dialog))
  await none('dialog')
  const hall = await findGroup('Hall')
  assert.deepEqual([hall?.['is-inherit'], hall?.['group-mask'], hall?.['usr-mask']], [0, 0, 0])
  assert.deepEqual((await viewer.send(listCatalogs, {})).list, [])
  await click(await menuItemOf('Hall', 'Security'))
  await click(await one('checkbox', 'viewer', await one('dialog', 'Visibility of Hall')))
  await click(await one('button', 'Save', await one('dialog', 'Visibility of Hall')))
  await none('dialog')
  assert.deepEqual(
    (await viewer.send(listCatalogs, {})).list.map(({ name }) => name),
    ['Hall']
  )
})

test('the global default cannot inherit', async () => {
  await openConsole(hub)
  await click(await menuItemOf('Device Groups', 'Default security'))
  const dialog = await one('dialog', 'Default security')
  await one('checkbox', 'All, including future groups', dialog)
  assert.deepEqual(all('checkbox', 'Inherit', dialog).map(nameOf), [])
  await click(await one('checkbox', 'All, including future groups', dialog))
  await click(await one('checkbox', 'Viewer', dialog))
  await click(await one('button', 'Save', dialog))
  await none('dialog')
  const { security } = await other.send(getGlobalDevice, {})
  assert.equal(security['group-mask'], 2)
})

test('a user who may only view groups sees the tree without actions; other users see no tree', async () => {
  await addGroup('Hall')
  await addUser(hub, 'viewer', DEVICE_VIEW | DEVICE_GROUP_VIEW)
  await addUser(hub, 'other', DEVICE_VIEW)
  await openConsole(hub, { user: 'viewer', at: ROUTES.allDevices })
  await waitForLines(['Hall 0', 'No group'])
  assert.equal(all('button', /^Actions: (Hall|Device Groups)/).length, 0)
  await closeConsole()
  const requests: string[] = []
  const console = await openConsole(hub, { user: 'other' })
  console.instead = (path) => {
    requests.push(path)
    return undefined
  }
  await click(document.querySelector(`.menu [href='#${ROUTES.allDevices}']`) as HTMLElement)
  await says('No devices')
  assert.deepEqual(treeLines(), [])
  assert.ok(!requests.some((path) => path.includes('/catalog/')), 'and nothing is asked that would be refused')
})

test.run()
