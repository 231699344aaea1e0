import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { FEATURE_BITS } from '../../../../contract/access/features.ts'
import { NDI_EDIT, NDI_VIEW } from '../../../../contract/access/permissions.ts'
import { lockDestination, takeRoutes } from '../../../../contract/ndi/router.ts'
import { linkTo } from '../../../../src/paths.ts'
import { openConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import { addTestMatrix, openMatrix, reverseSources, routesOf } from '../../../kit/console/ndi-matrix.ts'
import {
  click,
  findByRole,
  queryAllByRole,
  visibleText,
  waitForNone,
  waitForRender,
  waitForText
} from '../../../kit/console/page.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { until } from '../../../kit/until.ts'

const test = suite('page of one destination')

hubForEach(test, { features: FEATURE_BITS.ndiRouter })
test.after.each(() => {
  document.documentElement.style.removeProperty('--size')
})

async function openDestination(id: number, user = 'Admin', confirm?: '1') {
  const at = linkTo('ndiDestination', { matrixId: String(id), destination: '2', confirm })
  const page = await openConsole(hub, { at, user })
  await waitForText('Now:')
  return page
}
const sourceButton = (name: RegExp) => findByRole('button', name)
const isDisabled = (button: Element) => button.getAttribute('aria-disabled') === 'true'

/** Simulates that the page is hidden or visible. */
async function setHidden(hidden: boolean): Promise<void> {
  Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden })
  document.dispatchEvent(new Event('visibilitychange'))
  await waitForRender()
}

test('a press on a source takes it, and the page shows the reported route', async () => {
  const id = await addTestMatrix()
  await openDestination(id)
  assert.equal(queryAllByRole('navigation').length, 0, 'no menu')
  await waitForText('Now: No source')
  await click(await sourceButton(/Graphics/))
  await waitForText('Now: Graphics')
  assert.deepEqual(await routesOf(id), [0, 3, 0])
  await other.send(takeRoutes, { id, takes: [{ destination: 2, source: 1 }] })
  await waitForText('Now: CAM 1 Altar')
})

test('takes are confirmed if the URL says so', async () => {
  const id = await addTestMatrix()
  const page = await openDestination(id, 'Admin', '1')
  await click(await sourceButton(/Graphics/))
  await click(await findByRole('button', 'Cancel'))
  await waitForNone('button', /Switch to/)
  await click(await sourceButton(/Graphics/))
  assert.deepEqual(await routesOf(id), [0, 0, 0])
  await click(await findByRole('button', 'Switch to Graphics'))
  await waitForText('Now: Graphics')
  await click(await findByRole('checkbox', 'Confirm each take'))
  await until(() => !page.currentPath().includes('confirm'), 'the choice is in the URL')
})

test('a source that waits for its confirmation is not chosen any more when somebody moves the sources', async () => {
  const id = await addTestMatrix()
  await openDestination(id, 'Admin', '1')
  await click(await sourceButton(/Graphics/))
  await findByRole('button', 'Switch to Graphics')
  await reverseSources(id)
  await waitForNone('button', /Switch to/)
})

test('a second press on a source that is being taken sends no other take', async () => {
  const id = await addTestMatrix()
  const page = await openDestination(id)
  const sent: string[] = []
  const answer = Promise.withResolvers<undefined>()
  page.intercept = (path) => {
    if (!path.includes('/ndi/router/route')) return undefined
    sent.push(path)
    return answer.promise
  }
  await click(await sourceButton(/Graphics/))
  await click(await sourceButton(/Graphics/))
  answer.resolve(undefined)
  await waitForText('Now: Graphics')
  assert.equal(sent.length, 1)
})

test('without a connection the page does not show the last state as the current one', async () => {
  const id = await addTestMatrix()
  await other.send(takeRoutes, { id, takes: [{ destination: 2, source: 1 }] })
  const page = await openDestination(id)
  page.disconnect()
  await waitForText('No current state')
  assert.ok(!visibleText().includes('Now:'))
  assert.equal(document.querySelector('[data-state=routed]'), null)
  const button = await sourceButton(/Graphics/)
  assert.ok(isDisabled(button))
  await click(button)
  await other.send(takeRoutes, { id, takes: [{ destination: 2, source: 4 }] })
  page.reconnect()
  await waitForText('Now: Playout')
  assert.deepEqual(await routesOf(id), [0, 4, 0])
})

test('after a sleep the page covers its state until the hub has answered', async () => {
  const id = await addTestMatrix()
  await other.send(takeRoutes, { id, takes: [{ destination: 2, source: 1 }] })
  const page = await openDestination(id)
  let answer = () => {}
  try {
    await setHidden(true)
    assert.ok(visibleText().includes('No current state'), 'covered before the page is seen again')
    page.muteFeed()
    await other.send(takeRoutes, { id, takes: [{ destination: 2, source: 4 }] })
    const isAnswered = new Promise<void>((resolve) => {
      answer = resolve
    })
    page.intercept = (path) => (path.includes('/ndi/router/list') ? isAnswered.then(() => undefined) : undefined)
    await setHidden(false)
    await waitForRender()
    assert.ok(visibleText().includes('No current state'), 'covered until the hub has answered')
    assert.ok(isDisabled(await sourceButton(/Graphics/)))
    answer()
    await waitForText('Now: Playout')
  } finally {
    answer()
    Reflect.deleteProperty(document, 'hidden')
  }
})

test('a locked destination says by whom, and a refused take says so too', async () => {
  const id = await addTestMatrix()
  await other.send(lockDestination, { id, destination: 2, locked: true })
  await addUser(hub, 'door', NDI_VIEW | NDI_EDIT)
  await openDestination(id, 'door')
  await waitForText('Locked by Admin')
  await click(await sourceButton(/Graphics/))
  await waitForText('Nursery TV (by Admin)')
  assert.deepEqual(await routesOf(id), [0, 0, 0])
})

test('a user without NDI_EDIT cannot switch the destination, and the page states the missing permission', async () => {
  const id = await addTestMatrix()
  await addUser(hub, 'viewer', NDI_VIEW)
  await openDestination(id, 'viewer')
  await waitForText('the permission to edit NDI is missing')
  const button = await sourceButton(/Graphics/)
  assert.ok(isDisabled(button))
  await click(button)
  assert.deepEqual(await routesOf(id), [0, 0, 0])
})

test('an unknown destination leads to the router', async () => {
  const id = await addTestMatrix()
  await openConsole(hub, { at: linkTo('ndiDestination', { matrixId: String(id), destination: '9' }) })
  await waitForText('This destination does not exist')
  await findByRole('link', 'To the NDI router')
})

test('a user without the permission to view NDI sees why the page is empty', async () => {
  const id = await addTestMatrix()
  await addUser(hub, 'nobody', 4)
  await openConsole(hub, {
    at: linkTo('ndiDestination', { matrixId: String(id), destination: '1' }),
    user: 'nobody'
  })
  await waitForText('You do not have access permission')
})

test('on a phone the destination is chosen first, then its source', async () => {
  const id = await addTestMatrix()
  document.documentElement.style.setProperty('--size', 'xxs')
  const page = await openMatrix(id)
  assert.equal(document.querySelector('table.matrix'), null)
  await click(await findByRole('button', /^3 Stage left/))
  await waitForText('Source for Stage left')
  await findByRole('link', 'Page of Stage left')
  assert.match(page.currentPath(), /destination=3/)
  await click(await sourceButton(/Playout/))
  await click(await findByRole('button', 'Take 1'))
  await waitForText('Now: Playout')
  assert.deepEqual(await routesOf(id), [0, 0, 4])
  await click(await findByRole('button', 'All destinations'))
  await findByRole('button', /^3 Stage left ?Playout/)
  await click(await findByRole('button', 'Lock Foyer'))
  await waitForText('Locked by Admin')
})

test.run()
