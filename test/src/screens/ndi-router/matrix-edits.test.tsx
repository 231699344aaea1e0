// The console while another user edits the matrix: numbers of sources and destinations that the user has chosen may
// mean others then.
import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { FEATURE_BITS } from '../../../../contract/access/features.ts'
import { linkTo } from '../../../../src/paths.ts'
import { openConsole, type TestConsole } from '../../../kit/console/console.ts'
import { hub, hubForEach } from '../../../kit/console/hub-for-each.ts'
import { addTestMatrix, matrixOf, openMatrix, reverseSources, routesOf } from '../../../kit/console/ndi-matrix.ts'
import { click, findByRole, press, visibleText, waitForNone, waitForText } from '../../../kit/console/page.ts'

const test = suite('edits of a matrix')

hubForEach(test, { features: FEATURE_BITS.ndiRouter })

const CHANGED = 'The matrix was changed meanwhile'
const DISARMED = 'The matrix was changed, so nothing is armed any more.'

const cell = (destination: number, source: number): HTMLElement => {
  const found = document.querySelector(`tr[data-destination="${destination}"] td[data-source="${source}"]`)
  assert.ok(found, `cell ${destination}-${source}`)
  return found as HTMLElement
}

/**
 * Reverses the sources while the console cannot load the list. @returns a function that completes the request for it
 */
async function reverseWithoutUpdate(page: TestConsole, id: number): Promise<() => void> {
  const update = Promise.withResolvers<undefined>()
  page.intercept = (path) => (path.includes('/ndi/router/list') ? update.promise : undefined)
  await reverseSources(id)
  return () => update.resolve(undefined)
}

test('armed routes are not taken with the numbers from before an edit', async () => {
  const id = await addTestMatrix()
  const page = await openMatrix(id)
  await click(cell(1, 2))
  const sendUpdate = await reverseWithoutUpdate(page, id)
  await click(await findByRole('button', 'Take 1'))
  await waitForText(CHANGED)
  await findByRole('toolbar', '1 armed')
  assert.deepEqual(await routesOf(id), [0, 0, 0])
  sendUpdate()
  await waitForText(DISARMED)
  await waitForNone('toolbar', /armed/)
})

test('a destination is not locked by its number from before an edit', async () => {
  const id = await addTestMatrix()
  const page = await openMatrix(id)
  const sendUpdate = await reverseWithoutUpdate(page, id)
  await click(await findByRole('button', 'Lock Foyer'))
  await waitForText(CHANGED)
  assert.equal((await matrixOf(id)).destinations[0]?.['locked-by'], undefined)
  sendUpdate()
})

test('the page of one destination does not take a source by its number from before an edit', async () => {
  const id = await addTestMatrix()
  const at = linkTo('ndiDestination', { matrixId: String(id), destination: '2' })
  const page = await openConsole(hub, { at })
  await waitForText('Now:')
  const sendUpdate = await reverseWithoutUpdate(page, id)
  await click(await findByRole('button', /Graphics/))
  await waitForText(CHANGED)
  assert.deepEqual(await routesOf(id), [0, 0, 0])
  sendUpdate()
})

test('a notice says that an edit has disarmed routes, until the next one is armed', async () => {
  const id = await addTestMatrix()
  await openMatrix(id)
  await reverseSources(id)
  await waitForText(/1 Playout/)
  assert.ok(!visibleText().includes(DISARMED), 'nothing was armed')
  await click(cell(1, 2))
  await reverseSources(id)
  await waitForText(DISARMED)
  await click(cell(1, 3))
  await findByRole('toolbar', '1 armed')
  assert.ok(!visibleText().includes(DISARMED))
})

test('a number that was typed before an edit is forgotten', async () => {
  const id = await addTestMatrix()
  await openMatrix(id)
  cell(1, 0).focus()
  await press(document.activeElement as Element, '2')
  await press(document.activeElement as Element, 'Enter')
  await waitForText('Source for 2 Nursery TV:')
  await reverseSources(id)
  await waitForText(/1 Playout/)
  assert.ok(!visibleText().includes('Source for 2 Nursery TV:'))
})

test.run()
