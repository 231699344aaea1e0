// The device groups in the menu, over a real hub.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { addCatalog, type Catalog, listCatalogs, setCatalog } from '../../../contract/catalog.ts'
import { acceptDevices, getGlobalDevice, listDevices } from '../../../contract/device/device.ts'
import { DEVICE_GROUP_VIEW, DEVICE_VIEW } from '../../../contract/permissions.ts'
import { link, PLACES } from '../../../src/paths.ts'
import { closeConsole, openConsole } from '../../kit/console.ts'
import { register } from '../../kit/device.ts'
import { addUser } from '../../kit/hub.ts'
import { hub, hubForEach, other } from '../../kit/hub-for-each.ts'
import { all, click, drawn, fill, nameOf, none, one, press, says, saysOf, words } from '../../kit/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('groups')

hubForEach(test)

async function add(name: string, parent = 0): Promise<number> {
  return (await other.send(addCatalog, { 'parent-id': parent, name })).id
}
async function accepted(count: number): Promise<string[]> {
  const serials = register(hub, count)
  await other.send(acceptDevices, { sn: serials })
  return serials
}
async function catalog(name: string): Promise<Catalog | undefined> {
  return (await other.send(listCatalogs, {})).list.find((one) => one.name === name)
}
const inGroup = async (id: number) =>
  (await other.send(listDevices, { catalog: id, sort: 'name', order: 'ascending' })).list.map(({ name }) => name)

const items = () => [...document.querySelectorAll<HTMLElement>('.menu [role=treeitem]')]
/** A line of the tree, without what is below it. */
const line = (item: Element) => words(item.firstElementChild ?? item)
const lines = () => items().map(line)
async function item(name: string): Promise<HTMLElement> {
  const there = () => items().find((one) => line(one).startsWith(name))
  await until(() => there() !== undefined, `the group ${name}`).catch((error: Error) => {
    throw new Error(`${error.message}; there are ${lines()}`)
  })
  return there() as HTMLElement
}
const shows = (wanted: readonly string[]) =>
  until(() => lines().join() === wanted.join(), `groups ${wanted}`).catch((error: Error) => {
    throw new Error(`${error.message}; there are ${lines()}`)
  })
async function inMenu(group: string, entry: string): Promise<HTMLElement> {
  await click(await one('button', `Actions: ${group}`))
  return one('menuitem', entry)
}

test('groups are a tree with the devices in each and below, kept up to date', async () => {
  const [first = '', second = ''] = await accepted(3)
  const campus = await add('Campus')
  const hall = await add('Hall', campus)
  await add('Annex')
  await openConsole(hub)
  await shows(['Annex 0', 'Campus 0', 'Hall 0', 'No group'])
  await other.send(setCatalog, { id: hall, devices: [first, second] })
  await shows(['Annex 0', 'Campus 2', 'Hall 2', 'No group'])
  await add('Balcony', hall)
  await shows(['Annex 0', 'Campus 2', 'Hall 2', 'Balcony 0', 'No group'])
})

test('a group leads to its devices, which are what the page is about', async () => {
  const [first = ''] = await accepted(2)
  const hall = await add('Hall')
  await other.send(setCatalog, { id: hall, devices: [first] })
  const console = await openConsole(hub)
  const group = await item('Hall')
  group.focus()
  await press(group, 'Enter')
  await one('row', 'Hall 1')
  assert.equal(all('row').length, 1)
  assert.equal(console.place(), `/devices/group-${hall}`)
  await one('heading', 'Hall')
  assert.equal((await item('Hall')).getAttribute('aria-selected'), 'true')
  await click((await item('No group')).querySelector('.cut') as HTMLElement)
  await one('row', 'Hall 2')
  await one('heading', 'No group')
})

test('groups are added at the top and below others, and a name that is taken is refused at its field', async () => {
  const console = await openConsole(hub)
  await click(await inMenu('Device Groups', 'Add group'))
  let dialog = await one('dialog', 'Add group')
  let name = await one('textbox', 'Name', dialog)
  await fill(name, ' Hall')
  await click(await one('button', 'Save', dialog))
  await until(() => name.getAttribute('aria-invalid') === 'true', 'the fault')
  await fill(name, 'Hall')
  await click(await one('button', 'Save', dialog))
  await shows(['Hall 0', 'No group'])
  await click(await inMenu('Hall', 'Add group'))
  dialog = await one('dialog', 'Add group in Hall')
  name = await one('textbox', 'Name', dialog)
  await fill(name, 'Hall')
  console.hush()
  await click(await one('button', 'Save', dialog))
  await saysOf(name, 'The name already exists')
  await fill(name, 'Balcony')
  await click(await one('button', 'Save', dialog))
  await shows(['Hall 0', 'Balcony 0', 'No group'])
  assert.equal((await catalog('Balcony'))?.['parent-id'], (await catalog('Hall'))?.id)
})

test('below level 5 none can be added, and it says why', async () => {
  let parent = 0
  for (let level = 1; level <= 5; level++) parent = await add(`Level ${level}`, parent)
  await openConsole(hub)
  assert.equal((await inMenu('Level 4', 'Add group')).getAttribute('aria-disabled'), null)
  await click(await one('button', 'Actions: Level 4'))
  const add5 = await inMenu('Level 5', 'Add group')
  assert.equal(add5.getAttribute('aria-disabled'), 'true')
  assert.equal(add5.dataset.tip, '5 levels at most')
  await click(add5)
  assert.equal(all('dialog').length, 0)
})

test('the keyboard opens the menu of the line it is on', async () => {
  await add('Hall')
  await openConsole(hub)
  const group = await item('Hall')
  group.focus()
  await press(group, 'ContextMenu')
  await click(await one('menuitem', 'Rename'))
  const dialog = await one('dialog', 'Rename Hall')
  await fill(await one('textbox', 'Name', dialog), 'Great Hall')
  await click(await one('button', 'Save', dialog))
  await shows(['Great Hall 0', 'No group'])
  assert.ok(await catalog('Great Hall'))
})

test('what is in a group that is deleted goes up, as was said; who looked at it does so too', async () => {
  const [first = ''] = await accepted(1)
  const campus = await add('Campus')
  const hall = await add('Hall', campus)
  await add('Balcony', hall)
  await other.send(setCatalog, { id: hall, devices: [first] })
  const console = await openConsole(hub, { at: link('groupDevices', { catalog: String(hall) }) })
  await click(await inMenu('Hall', 'Delete'))
  const question = await one('dialog', 'Delete Hall?')
  await says('What is in it moves up a level.', question)
  await click(await one('button', 'Delete Hall', question))
  await shows(['Campus 1', 'Balcony 0', 'No group'])
  assert.deepEqual(await inGroup(campus), ['Hall 1'])
  assert.equal(console.place(), `/devices/group-${campus}`)
})

test('a group that somebody else deleted is said to be no more', async () => {
  const hall = await add('Hall')
  await openConsole(hub, { at: link('groupDevices', { catalog: String(hall) }) })
  await one('heading', 'Hall')
  hub.hub.store.catalogs.remove(hub.hub.store.catalogs.byId(hall) as never)
  hub.hub.rightsChanged()
  await says('This group is no more')
})

test('devices are dropped on a group, one or all that are chosen', async () => {
  await accepted(4)
  const hall = await add('Hall')
  await openConsole(hub, { at: PLACES.allDevices })
  const drag = async (name: string) => {
    const grip = (await one('row', name)).querySelector('th')
    grip?.dispatchEvent(new Event('dragstart', { bubbles: true }))
    await drawn()
    const group = await item('Hall')
    const over = new Event('dragover', { bubbles: true, cancelable: true })
    group.dispatchEvent(over)
    assert.ok(over.defaultPrevented)
    group.dispatchEvent(new Event('drop', { bubbles: true, cancelable: true }))
    grip?.dispatchEvent(new Event('dragend', { bubbles: true }))
  }
  await drag('Hall 4')
  await shows(['Hall 1', 'No group'])
  await click(await one('checkbox', 'Select Hall 1'))
  await click(await one('checkbox', 'Select Hall 2'))
  await drag('Hall 2')
  await shows(['Hall 3', 'No group'])
  assert.deepEqual(await inGroup(hall), ['Hall 1', 'Hall 2', 'Hall 4'])
  const quiet = new Event('dragover', { bubbles: true, cancelable: true })
  ;(await item('Hall')).dispatchEvent(quiet)
  assert.ok(!quiet.defaultPrevented, 'nothing is dragged any more')
})

test('who sees a group is chosen by user groups and users, or inherited', async () => {
  const viewer = await addUser(hub, 'viewer', DEVICE_VIEW | DEVICE_GROUP_VIEW)
  await add('Hall')
  await openConsole(hub)
  await click(await inMenu('Hall', 'Security'))
  const dialog = await one('dialog', 'Who sees Hall')
  await says('From its group', dialog)
  await click(await one('checkbox', 'Inherit', dialog))
  const every = await one<HTMLInputElement>('checkbox', 'All, also those to come', dialog)
  assert.ok(every.checked)
  await click(every)
  for (const box of all('checkbox', undefined, dialog) as HTMLInputElement[]) if (box.checked) await click(box)
  await click(await one('button', 'Save', dialog))
  await none('dialog')
  const hall = await catalog('Hall')
  assert.deepEqual([hall?.['is-inherit'], hall?.['group-mask'], hall?.['usr-mask']], [0, 0, 0])
  assert.deepEqual((await viewer.send(listCatalogs, {})).list, [])
  await click(await inMenu('Hall', 'Security'))
  await click(await one('checkbox', 'viewer', await one('dialog', 'Who sees Hall')))
  await click(await one('button', 'Save', await one('dialog', 'Who sees Hall')))
  await none('dialog')
  assert.deepEqual(
    (await viewer.send(listCatalogs, {})).list.map(({ name }) => name),
    ['Hall']
  )
})

test('the global default has nothing to inherit from', async () => {
  await openConsole(hub)
  await click(await inMenu('Device Groups', 'Default security'))
  const dialog = await one('dialog', 'Default security')
  await one('checkbox', 'All, also those to come', dialog)
  assert.deepEqual(all('checkbox', 'Inherit', dialog).map(nameOf), [])
  await click(await one('checkbox', 'All, also those to come', dialog))
  await click(await one('checkbox', 'Viewer', dialog))
  await click(await one('button', 'Save', dialog))
  await none('dialog')
  const { security } = await other.send(getGlobalDevice, {})
  assert.equal(security['group-mask'], 2)
})

test('who may only look at groups sees the tree without actions; who may not sees none', async () => {
  await add('Hall')
  await addUser(hub, 'viewer', DEVICE_VIEW | DEVICE_GROUP_VIEW)
  await addUser(hub, 'other', DEVICE_VIEW)
  await openConsole(hub, { user: 'viewer', at: PLACES.allDevices })
  await shows(['Hall 0', 'No group'])
  assert.equal(all('button', /^Actions: (Hall|Device Groups)/).length, 0)
  await closeConsole()
  const asked: string[] = []
  const console = await openConsole(hub, { user: 'other' })
  console.instead = (path) => {
    asked.push(path)
    return undefined
  }
  await click(document.querySelector(`.menu [href='#${PLACES.allDevices}']`) as HTMLElement)
  await says('No devices')
  assert.deepEqual(lines(), [])
  assert.ok(!asked.some((path) => path.includes('/catalog/')), 'and nothing is asked that would be refused')
})

test.run()
