import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { FEATURE_BITS } from '../../../../contract/access/features.ts'
import { DEVICE_VIEW, NDI_EDIT, NDI_VIEW } from '../../../../contract/access/permissions.ts'
import { STATE_CHANGED } from '../../../../contract/codes.ts'
import { listMatrices, lockDestination, setMatrix, takeRoutes } from '../../../../contract/ndi/router.ts'
import { linkTo } from '../../../../src/paths.ts'
import { sendUndo } from '../../../../src/screens/ndi-router/store.ts'
import { closeConsole, openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other, replaceHub } from '../../../kit/console/hub-for-each.ts'
import { openFromMenu, readMenu } from '../../../kit/console/menu.ts'
import { addTestMatrix, matrixOf, openMatrix, reverseSources, routesOf } from '../../../kit/console/ndi-matrix.ts'
import {
  click,
  fill,
  findByRole,
  nameOf,
  press,
  queryAllByRole,
  visibleText,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { until } from '../../../kit/until.ts'

const test = suite('NDI router')

hubForEach(test, { features: FEATURE_BITS.ndiRouter })

const cell = (destination: number, source: number): HTMLElement => {
  const found = document.querySelector(`tr[data-destination="${destination}"] td[data-source="${source}"]`)
  assert.ok(found, `cell ${destination}-${source}`)
  return found as HTMLElement
}
const stateOf = (destination: number, source: number) => cell(destination, source).dataset.state
const waitForState = (destination: number, source: number, state: string | undefined) =>
  until(() => stateOf(destination, source) === state, `cell ${destination}-${source} is ${state}`)
const pressKeys = async (...keys: string[]) => {
  for (const key of keys) await press(document.activeElement as Element, key)
}

test('without a matrix the page explains the matrix and has a button that adds one', async () => {
  await openConsole(hub, { at: linkTo('ndiRouter') })
  await waitForText('No matrix')
  await click(await findByRole('button', 'Add matrix'))
  const dialog = await findByRole('dialog', 'Add matrix')
  await fill(await findByRole('textbox', 'Name', dialog), 'Main matrix')
  await fill(await findByRole('textbox', 'Base name of the destinations', dialog), 'Church')
  await click(await findByRole('button', 'Add by name', dialog))
  await fill(await findByRole('textbox', /NDI name/, dialog), 'STUDIO (CAM 1)')
  await fill(await findByRole('textbox', /^Destination 1/, dialog), 'Foyer')
  await click(await findByRole('button', 'Add matrix', dialog))
  await findByRole('row', /Foyer/)
  const [matrix] = (await other.send(listMatrices, {})).list
  assert.deepEqual([matrix?.name, matrix?.machine, matrix?.destinations.length], ['Main matrix', 'Church', 4])
  assert.deepEqual(
    matrix?.sources.map(({ name, label }) => [name, label]),
    [['STUDIO (CAM 1)', 'CAM 1']]
  )
})

test('an invalid name of a source is refused in the form', async () => {
  await openConsole(hub, { at: linkTo('ndiRouter') })
  await click(await findByRole('button', 'Add matrix'))
  const dialog = await findByRole('dialog', 'Add matrix')
  await fill(await findByRole('textbox', 'Name', dialog), 'Main matrix')
  await fill(await findByRole('textbox', 'Base name of the destinations', dialog), 'Church')
  await click(await findByRole('button', 'Add by name', dialog))
  await fill(await findByRole('textbox', /NDI name/, dialog), 'camera')
  await click(await findByRole('button', 'Add matrix', dialog))
  await waitForText('Invalid entry', dialog)
  assert.equal((await other.send(listMatrices, {})).total, 0)
})

test('the page opens the matrix that was opened last, and the choice is in the URL', async () => {
  const first = await addTestMatrix('First')
  const second = await addTestMatrix('Second')
  const page = await openMatrix(second)
  await until(() => document.title.startsWith('Second'), 'the title names the matrix')
  const choice = (await findByRole('combobox', 'Matrix')) as HTMLSelectElement
  assert.equal(choice.value, String(second))
  choice.value = String(first)
  choice.dispatchEvent(new Event('change', { bubbles: true }))
  await until(() => page.currentPath() === `/ndi-router/${first}`, 'the other matrix is open')
})

test('keys work from the page, but not while a button, a field or a dialog has the focus', async () => {
  await openMatrix(await addTestMatrix())
  await press(document.body, '2')
  await waitForText('Destination: 2')
  await press(document.activeElement as Element, 'Escape')
  const undo = await findByRole('button', 'Undo last take')
  undo.focus()
  await press(undo, '3')
  assert.ok(!visibleText().includes('Destination: 3'))
  await press(undo, '?')
  await findByRole('dialog', 'Keyboard')
})

test('with buttons a destination is chosen, and then one of its sources', async () => {
  const id = await addTestMatrix()
  const page = await openMatrix(id)
  await click(await findByRole('checkbox', 'Buttons'))
  await waitForText('Source for Foyer')
  assert.equal(document.querySelector('table'), null)
  await click(await findByRole('button', /^2 Nursery/))
  await waitForText('Source for Nursery TV')
  assert.match(page.currentPath(), /\?view=panel&destination=2$/)
  await click(await findByRole('button', /^1 CAM 1/))
  await click(await findByRole('button', 'Take 1'))
  await until(async () => (await routesOf(id))[1] === 1, 'the route is taken')
})

test('a click arms a change, and the Take button takes the armed changes', async () => {
  const id = await addTestMatrix()
  await openMatrix(id)
  await click(cell(1, 2))
  await click(cell(3, 4))
  assert.deepEqual([stateOf(1, 2), stateOf(3, 4)], ['armed', 'armed'])
  assert.deepEqual(await routesOf(id), [0, 0, 0])
  const bar = await findByRole('toolbar', '2 armed')
  assert.match(visibleText(bar), /Foyer: No source → CAM 2 Pulpit/)
  await click(await findByRole('button', 'Take 2', bar))
  await waitForState(1, 2, 'routed')
  await waitForState(3, 4, 'routed')
  assert.deepEqual(await routesOf(id), [2, 0, 4])
  await waitForNone('toolbar', '2 armed')
})

test('a second click disarms, and Clear disarms all', async () => {
  await openMatrix(await addTestMatrix())
  await click(cell(1, 2))
  await click(cell(1, 2))
  assert.equal(stateOf(1, 2), undefined)
  await click(cell(1, 2))
  await click(cell(2, 3))
  await click(await findByRole('button', 'Clear'))
  await waitForNone('toolbar', /armed/)
})

test('armed routes are disarmed when somebody moves sources, and kept when somebody changes a label', async () => {
  const id = await addTestMatrix()
  await openMatrix(id)
  await click(cell(1, 2))
  const { sources } = await matrixOf(id)
  await other.send(setMatrix, { id, sources: sources.map(({ name }) => ({ name, label: `New ${name}` })) })
  await waitForText(/Foyer: No source → New/)
  await reverseSources(id)
  await waitForNone('toolbar', /armed/)
  assert.equal(stateOf(1, 2), undefined)
})

test('without arming, a click takes at once', async () => {
  const id = await addTestMatrix()
  await openMatrix(id)
  await click(await findByRole('checkbox', 'Arm, then take'))
  await click(cell(2, 3))
  await waitForState(2, 3, 'routed')
  assert.deepEqual(await routesOf(id), [0, 3, 0])
  await click(await findByRole('checkbox', 'Arm, then take'))
})

test('the keyboard routes by numbers, takes, and announces it', async () => {
  const id = await addTestMatrix()
  await openMatrix(id)
  cell(1, 0).focus()
  await pressKeys('2', 'Enter', '3', 'Enter')
  await waitForState(2, 3, 'armed')
  await waitForText('Armed: Graphics to Nursery TV')
  assert.equal(document.activeElement?.getAttribute('aria-label'), 'Nursery TV, source Graphics: Armed')
  await pressKeys('Enter')
  await waitForState(2, 3, 'routed')
  await waitForText('Nursery TV now shows Graphics')
  assert.deepEqual(await routesOf(id), [0, 3, 0])
  assert.equal(cell(2, 3).getAttribute('aria-selected'), 'true')
})

test('one cell of the grid is in the tab order, and arrow keys move it', async () => {
  await openMatrix(await addTestMatrix())
  const inOrder = () => [...document.querySelectorAll('td[tabindex="0"]')]
  assert.equal(inOrder().length, 1)
  cell(1, 0).focus()
  await pressKeys('ArrowDown', 'ArrowRight')
  assert.deepEqual(
    inOrder().map((element) => element.getAttribute('aria-label')),
    ['Nursery TV, source CAM 1 Altar']
  )
  assert.ok(document.activeElement === inOrder()[0])
})

test('each destination has a link to its page, and only the one in the row with the focus is in the tab order', async () => {
  const id = await addTestMatrix()
  const page = await openMatrix(id)
  const link = () => findByRole('link', 'Page of Nursery TV')
  const inOrder = () => [...document.querySelectorAll('th a[tabindex="0"]')].map((each) => nameOf(each))
  cell(1, 0).focus()
  assert.deepEqual(inOrder(), ['Page of Foyer'])
  await pressKeys('ArrowDown')
  assert.deepEqual(inOrder(), ['Page of Nursery TV'])
  const isHandled = (await link()).dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
  assert.ok(isHandled, 'Enter follows the link')
  await click(await link())
  await until(() => page.currentPath() === `/ndi-router/panel/${id}/2`, 'the page is open')
  await findByRole('heading', 'Nursery TV')
})

test('a take of another console appears with the name of its user', async () => {
  const id = await addTestMatrix()
  await openMatrix(id)
  await other.send(takeRoutes, { id, takes: [{ destination: 1, source: 4 }] })
  await waitForState(1, 4, 'routed')
  await waitForText(/Playout .*for \d+ s Admin/)
})

test('only the cells of the changed row are rendered again', async () => {
  const id = await addTestMatrix()
  await openMatrix(id)
  const changed = new Set<string>()
  const observer = new MutationObserver((records) => {
    for (const { target } of records) changed.add((target as HTMLElement).closest('tr')?.dataset.destination ?? '')
  })
  observer.observe(document.querySelector('table.matrix tbody') as Element, {
    subtree: true,
    attributes: true,
    childList: true,
    characterData: true
  })
  await other.send(takeRoutes, { id, takes: [{ destination: 2, source: 4 }] })
  await waitForState(2, 4, 'routed')
  observer.disconnect()
  assert.deepEqual([...changed].filter(Boolean), ['2'])
})

test('a lock shows its owner, and the message of a refused take names the owner', async () => {
  const id = await addTestMatrix()
  await addUser(hub, 'operator', NDI_VIEW | NDI_EDIT)
  await other.send(lockDestination, { id, destination: 2, locked: true })
  await openMatrix(id, 'operator')
  await waitForText('Locked by Admin')
  await click(cell(2, 1))
  await click(await findByRole('button', 'Take 1'))
  await waitForText('Nursery TV (by Admin)')
  assert.deepEqual(await routesOf(id), [0, 0, 0])
  await waitForState(2, 1, 'armed')
})

test('Shift+L locks for the user, and unlocks', async () => {
  const id = await addTestMatrix()
  await openMatrix(id)
  cell(1, 0).focus()
  await press(cell(1, 0), 'L', { shiftKey: true })
  await waitForText('Locked by Admin')
  assert.equal((await matrixOf(id)).destinations[0]?.['locked-by'], 'Admin')
  await click(await findByRole('button', 'Unlock Foyer'))
  await findByRole('button', 'Lock Foyer')
  assert.equal((await matrixOf(id)).destinations[0]?.['locked-by'], undefined)
})

test('an administrator overrides a lock after two questions', async () => {
  const id = await addTestMatrix()
  await addUser(hub, 'operator', NDI_VIEW | NDI_EDIT)
  await hub.clientAs('operator').send(lockDestination, { id, destination: 2, locked: true })
  await openMatrix(id)
  await waitForText('Locked by operator')
  await click(cell(2, 1))
  await click(await findByRole('button', 'Take 1'))
  await click(await findByRole('button', 'Override the lock', await findByRole('dialog', 'Nursery TV is locked')))
  const second = await findByRole('dialog', 'Switch the locked destination Nursery TV?')
  assert.deepEqual(await routesOf(id), [0, 0, 0])
  await click(await findByRole('button', 'Override the lock', second))
  await waitForState(2, 1, 'routed')
  assert.deepEqual(await routesOf(id), [0, 1, 0])
})

test('an override is refused when somebody has moved the sources while the questions were open', async () => {
  const id = await addTestMatrix()
  await addUser(hub, 'operator', NDI_VIEW | NDI_EDIT)
  await hub.clientAs('operator').send(lockDestination, { id, destination: 2, locked: true })
  await openMatrix(id)
  await waitForText('Locked by operator')
  await click(cell(2, 1))
  await click(await findByRole('button', 'Take 1'))
  await click(await findByRole('button', 'Override the lock', await findByRole('dialog', 'Nursery TV is locked')))
  const second = await findByRole('dialog', 'Switch the locked destination Nursery TV?')
  await reverseSources(id)
  await waitForText('nothing is armed any more')
  await click(await findByRole('button', 'Override the lock', second))
  await waitForText('The matrix was changed meanwhile')
  assert.deepEqual(await routesOf(id), [0, 0, 0])
})

test('the undo dialog shows the routes before and after, and undo sets them unless somebody has made another take', async () => {
  const id = await addTestMatrix()
  await other.send(takeRoutes, { id, takes: [{ destination: 1, source: 2 }] })
  await other.send(takeRoutes, { id, takes: [{ destination: 1, source: 3 }] })
  await openMatrix(id)
  await click(await findByRole('button', 'Undo last take'))
  const dialog = await findByRole('dialog', 'Undo the last take?')
  const row = await findByRole('row', /Foyer/, dialog)
  assert.match(visibleText(row), /Foyer Graphics CAM 2 Pulpit/)
  const shown = await matrixOf(id)
  await addUser(hub, 'operator', NDI_VIEW | NDI_EDIT)
  await hub.clientAs('operator').send(takeRoutes, { id, takes: [{ destination: 1, source: 1 }] })
  assert.equal((await sendUndo(shown, false)).result, STATE_CHANGED, 'another take than the one that is shown')
  await waitForText('operator took it', dialog)
  await click(await findByRole('button', 'Undo take', dialog))
  await waitForState(1, 3, 'routed')
  assert.deepEqual(await routesOf(id), [3, 0, 0])
})

test('the search shows matching sources and destinations, and is in the URL', async () => {
  const id = await addTestMatrix()
  const page = await openMatrix(id)
  const search = await findByRole('textbox', 'Find source or destination')
  await fill(search, 'cam')
  await press(search, 'Enter')
  await until(() => document.querySelectorAll('th.source-head').length === 3, 'two sources are shown')
  assert.equal(queryAllByRole('row').length, 3)
  assert.match(page.currentPath(), /key=cam/)
  await fill(search, 'nursery')
  await press(search, 'Enter')
  await until(() => queryAllByRole('row').length === 1, 'one destination is shown')
  await fill(search, 'nothing')
  await press(search, 'Enter')
  await waitForText('No source or destination contains “nothing”')
})

test('a user without NDI_EDIT sees the whole matrix and cannot switch it', async () => {
  const id = await addTestMatrix()
  await other.send(takeRoutes, { id, takes: [{ destination: 1, source: 2 }] })
  await addUser(hub, 'viewer', NDI_VIEW)
  await openMatrix(id, 'viewer')
  await waitForState(1, 2, 'routed')
  await waitForText('the permission to edit NDI is missing')
  await click(cell(2, 1))
  await pressKeys('Enter')
  await press(document.activeElement as Element, 'L', { shiftKey: true })
  assert.equal(stateOf(2, 1), undefined)
  for (const name of [/^Lock/, /^Undo/, /^Take/]) assert.equal(queryAllByRole('button', name).length, 0, String(name))
  assert.deepEqual(await routesOf(id), [2, 0, 0])
})

test('without a connection the state is marked and nothing can be taken', async () => {
  const id = await addTestMatrix()
  const page = await openMatrix(id)
  await click(cell(1, 2))
  page.disconnect()
  await waitForText('No connection to the hub: the state may have changed.')
  const button = await findByRole('button', 'Take 1')
  assert.equal(button.getAttribute('aria-disabled'), 'true')
  page.reconnect()
  await until(() => !visibleText().includes('No connection to the hub'), 'the page is up to date')
  await click(await findByRole('button', 'Take 1'))
  await waitForState(1, 2, 'routed')
})

test('the menu leads to the router, for users who may view NDI', async () => {
  await addTestMatrix()
  const page = await openConsole(hub)
  await openFromMenu('Channels', 'NDI router')
  await waitForText('Nursery TV')
  assert.match(page.currentPath(), /^\/ndi-router\/\d+$/)
  await addUser(hub, 'nobody', DEVICE_VIEW)
  await closeConsole()
  await openConsole(hub, { at: linkTo('ndiRouter'), user: 'nobody' })
  await waitForText('You do not have access permission')
  assert.equal((await readMenu()).Channels, undefined)
})

test('a matrix that does not exist leads back to the router', async () => {
  await addTestMatrix()
  await openConsole(hub, { at: linkTo('ndiMatrix', { matrixId: '77' }) })
  await waitForText('This matrix does not exist')
  assert.equal(nameOf(await findByRole('link', 'To the NDI router')), 'To the NDI router')
})

test('without a runtime with routing, the page names the missing runtime and the next step', async () => {
  await replaceHub({ features: 0 })
  await openConsole(hub, { at: linkTo('ndiRouter') })
  await waitForText('The NDI router is not available')
  assert.equal(visibleText().split('The NDI router is not available').length, 2, 'it is said once')
  assert.ok(!(await readMenu()).Channels?.includes('NDI router'), 'no menu entry')
  assert.equal(queryAllByRole('button', 'Add matrix').length, 0)
})

test.run()
