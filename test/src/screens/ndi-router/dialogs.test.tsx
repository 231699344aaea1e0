import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { FEATURE_BITS } from '../../../../contract/access/features.ts'
import { NDI_EDIT, NDI_VIEW } from '../../../../contract/access/permissions.ts'
import {
  addSalvo,
  lockDestination,
  type Matrix,
  setMatrix,
  takeRoutes,
  VIDEOHUB_PORT
} from '../../../../contract/ndi/router.ts'
import { hub, hubForEach, other } from '../../../kit/console/hub-for-each.ts'
import {
  addTestMatrix,
  matrixOf,
  openMatrix,
  reverseSources,
  routesOf,
  setNdiMachineName
} from '../../../kit/console/ndi-matrix.ts'
import {
  click,
  fill,
  findByRole,
  queryAllByRole,
  selectOption,
  visibleText,
  waitForNone,
  waitForText
} from '../../../kit/console/page.ts'
import { addUser } from '../../../kit/hub/hub.ts'
import { until } from '../../../kit/until.ts'

const test = suite('dialogs of the NDI router')

hubForEach(test, { features: FEATURE_BITS.ndiRouter })

const cell = (destination: number, source: number) =>
  document.querySelector(`tr[data-destination="${destination}"] td[data-source="${source}"]`) as HTMLElement

async function openMenuItem(name: string): Promise<void> {
  await click(await findByRole('button', 'Matrix settings'))
  await click(await findByRole('menuitem', name))
}

/** `2026-03-01T09:30`, in local time. */
function localTime(ms: number): string {
  const date = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000)
  return date.toISOString().slice(0, 16)
}

test('the form of a matrix refuses a base name that is too long for the machine', async () => {
  await setNdiMachineName('Studio')
  await openMatrix(await addTestMatrix())
  await openMenuItem('Edit matrix')
  const form = await findByRole('dialog', 'Edit Main matrix')
  const field = await findByRole('textbox', 'Base name of the destinations', form)
  await fill(field, 'x'.repeat(52))
  field.blur()
  // 63 bytes without `STUDIO ( 64)`.
  await waitForText('Too long: at most 51 bytes', form)
})

test('armed routes are saved as a salvo, which shows before and after, and is taken as a whole', async () => {
  const id = await addTestMatrix()
  await openMatrix(id)
  await click(cell(1, 2))
  await click(cell(3, 4))
  await click(await findByRole('button', 'Save as salvo'))
  const form = await findByRole('dialog', 'Add salvo')
  await fill(await findByRole('textbox', 'Name', form), 'Sunday service')
  await click(await findByRole('button', 'Save', form))
  await waitForNone('dialog', 'Add salvo')
  await click(await findByRole('button', 'Clear'))
  await other.send(takeRoutes, { id, takes: [{ destination: 1, source: 3 }] })
  await click(await findByRole('button', 'Salvos: 1'))
  const list = await findByRole('dialog', 'Salvos')
  await click(await findByRole('button', 'Take…', list))
  const preview = await findByRole('dialog', 'Sunday service')
  await waitForText(/Foyer Graphics CAM 2 Pulpit/, preview)
  await waitForText(/Stage left No source Playout/, preview)
  await other.send(takeRoutes, { id, takes: [{ destination: 3, source: 4 }] })
  await waitForText(/Stage left Playout unchanged/, preview)
  await click(await findByRole('button', 'Take 2', preview))
  await waitForNone('dialog', 'Sunday service')
  assert.deepEqual(await routesOf(id), [2, 0, 4])
})

test('a salvo with a locked destination is refused as a whole, and the dialog stays', async () => {
  const id = await addTestMatrix()
  await addUser(hub, 'operator', NDI_VIEW | NDI_EDIT)
  const takes = [1, 2, 3].map((destination) => ({ destination, source: 1 }))
  await other.send(addSalvo, { id, name: 'All', takes })
  await other.send(lockDestination, { id, destination: 2, locked: true })
  await openMatrix(id, 'operator')
  await click(await findByRole('button', 'Salvos: 1'))
  await click(await findByRole('button', 'Take…'))
  const preview = await findByRole('dialog', 'All')
  await waitForText('Locked by Admin', preview)
  await click(await findByRole('button', 'Take 3', preview))
  await waitForText('Nursery TV (by Admin)')
  assert.deepEqual(await routesOf(id), [0, 0, 0])
  assert.equal(queryAllByRole('dialog', 'All').length, 1)
})

/** Opens the form of a salvo that routes source 1 to destination 1, in a new matrix. */
async function openSalvoForm(): Promise<{ id: number; form: HTMLElement }> {
  const id = await addTestMatrix()
  await other.send(addSalvo, { id, name: 'All', takes: [{ destination: 1, source: 1 }] })
  await openMatrix(id)
  await click(await findByRole('button', 'Salvos: 1'))
  await click(await findByRole('button', 'Edit All'))
  return { id, form: await findByRole('dialog', 'Edit All') }
}

test('a salvo is edited and deleted', async () => {
  const { id, form } = await openSalvoForm()
  await fill(await findByRole('textbox', 'Name', form), 'Most')
  await click(await findByRole('button', 'Add route', form))
  await selectOption(queryAllByRole('combobox', 'Source', form)[1] as HTMLElement, '3 Graphics')
  await click(await findByRole('button', 'Save', form))
  await findByRole('button', 'Edit Most')
  assert.deepEqual((await matrixOf(id)).salvos, [
    {
      id: (await matrixOf(id)).salvos[0]?.id as number,
      name: 'Most',
      takes: [
        { destination: 1, source: 1 },
        { destination: 2, source: 3 }
      ]
    }
  ])
  await click(await findByRole('button', 'Delete Most'))
  await click(await findByRole('button', 'Delete Most', await findByRole('dialog', 'Delete Most?')))
  await waitForText('No salvos.')
  assert.deepEqual((await matrixOf(id)).salvos, [])
})

test('a route keeps the focus when its destination is changed', async () => {
  await openMatrix(await addTestMatrix())
  await click(cell(1, 2))
  await click(await findByRole('button', 'Save as salvo'))
  const field = await findByRole('combobox', 'Destination', await findByRole('dialog', 'Add salvo'))
  field.focus()
  await selectOption(field, '3 Stage left')
  assert.ok(document.activeElement === field)
})

const sourcesIn = (form: HTMLElement) =>
  queryAllByRole('combobox', 'Source', form).map((field) => (field as HTMLSelectElement).value)

test('forms with new routes lose them when somebody moves the sources', async () => {
  const id = await addTestMatrix()
  await openMatrix(id)
  await click(cell(1, 2))
  await click(await findByRole('button', 'Take later'))
  const schedule = await findByRole('dialog', 'Schedule take')
  await click(await findByRole('button', 'Save as salvo'))
  const salvo = await findByRole('dialog', 'Add salvo')
  assert.deepEqual([schedule, salvo].map(sourcesIn), [['2'], ['2']])
  await reverseSources(id)
  await until(() => [schedule, salvo].every((form) => sourcesIn(form).length === 0), 'no routes')
})

test('the form of a salvo follows its sources when somebody moves them', async () => {
  const { id, form } = await openSalvoForm()
  assert.deepEqual(sourcesIn(form), ['1'])
  await reverseSources(id)
  await until(() => sourcesIn(form)[0] === '4', 'the source at its new position')
})

test('a take is scheduled and cancelled', async () => {
  const id = await addTestMatrix()
  await openMatrix(id)
  await click(cell(2, 3))
  await click(await findByRole('button', 'Take later'))
  const form = await findByRole('dialog', 'Schedule take')
  await fill(await findByRole('textbox', 'Name', form), 'Doors open')
  const time = await findByRole('textbox', 'Time', form)
  await fill(time, localTime(Date.now() - 3_600_000))
  await click(await findByRole('button', 'Save', form))
  await waitForText('Invalid entry', form)
  const at = Math.floor((Date.now() + 3_600_000) / 60_000) * 60
  await fill(time, localTime(at * 1000))
  await click(await findByRole('button', 'Save', form))
  await waitForNone('dialog', 'Schedule take')
  const [scheduled] = (await matrixOf(id)).scheduled
  assert.deepEqual(
    [scheduled?.name, scheduled?.at, scheduled?.takes],
    ['Doors open', at, [{ destination: 2, source: 3 }]]
  )
  assert.deepEqual(await routesOf(id), [0, 0, 0])
  await click(await findByRole('button', 'Scheduled takes: 1'))
  const list = await findByRole('dialog', 'Scheduled takes')
  await waitForText(/Nursery TV No source Graphics/, list)
  await click(await findByRole('button', 'Cancel Doors open', list))
  await click(await findByRole('button', 'Cancel Doors open', await findByRole('dialog', 'Delete Doors open?')))
  await waitForText('No takes are scheduled.')
})

test('hardware panels are opened for some addresses and destinations', async () => {
  const id = await addTestMatrix()
  await openMatrix(id)
  await openMenuItem('Hardware panels')
  const form = await findByRole('dialog', 'Hardware panels: Main matrix')
  assert.equal(((await findByRole('textbox', 'Port', form)) as HTMLInputElement).value, String(VIDEOHUB_PORT))
  const addresses = await findByRole('textbox', 'Allowed addresses', form)
  await fill(addresses, '10.0.0.0/24 nowhere')
  await click(await findByRole('checkbox', 'All destinations', form))
  await click(await findByRole('button', 'Save', form))
  await waitForText('Invalid entry', form)
  await waitForText('Required', form)
  await fill(addresses, '10.0.0.0/24, 192.0.2.7')
  await click(await findByRole('checkbox', '2 Nursery TV', form))
  await click(await findByRole('button', 'Save', form))
  await waitForNone('dialog', /Hardware panels/)
  const { panel } = await matrixOf(id)
  assert.deepEqual(
    [panel.enable, panel.port, panel['allow-ip'], panel.destinations],
    [false, VIDEOHUB_PORT, ['10.0.0.0/24', '192.0.2.7'], [2]]
  )
})

test('editing a matrix moves, adds and removes sources; routes follow their sources', async () => {
  const id = await addTestMatrix()
  await other.send(takeRoutes, { id, takes: [{ destination: 1, source: 2 }] })
  await openMatrix(id)
  await openMenuItem('Edit matrix')
  const form = await findByRole('dialog', 'Edit Main matrix')
  await click(await findByRole('button', 'Move Source 2 up', form))
  await click(await findByRole('button', 'Remove Source 4', form))
  await click(await findByRole('button', 'Add destination', form))
  await fill(await findByRole('textbox', /^Destination 4/, form), 'Bar TV')
  await click(await findByRole('button', 'Save', form))
  await findByRole('row', /Bar TV/)
  const matrix: Matrix = await matrixOf(id)
  assert.deepEqual(
    matrix.sources.map(({ label }) => label),
    ['CAM 2 Pulpit', 'CAM 1 Altar', 'Graphics']
  )
  assert.deepEqual(await routesOf(id), [1, 0, 0, 0])
})

test('saving a matrix keeps what somebody else has changed in other fields meanwhile', async () => {
  const id = await addTestMatrix()
  await openMatrix(id)
  await openMenuItem('Edit matrix')
  const form = await findByRole('dialog', 'Edit Main matrix')
  await fill(await findByRole('textbox', 'Name', form), 'Second matrix')
  await reverseSources(id)
  await other.send(setMatrix, { id, destinations: [{ label: 'Bar' }, { label: 'Hall' }] })
  await click(await findByRole('button', 'Save', form))
  await waitForNone('dialog', 'Edit Main matrix')
  const { name, sources, destinations } = await matrixOf(id)
  assert.deepEqual(
    [name, sources[0]?.label, destinations.map(({ label }) => label)],
    ['Second matrix', 'Playout', ['Bar', 'Hall']]
  )
})

test('the log of takes lists the user and the routes of each take', async () => {
  const id = await addTestMatrix()
  await other.send(takeRoutes, { id, takes: [{ destination: 1, source: 2 }] })
  await openMatrix(id)
  await openMenuItem('Log of takes')
  const dialog = await findByRole('dialog', 'Log of takes: Main matrix')
  await waitForText(/Foyer: – → CAM 2 Pulpit/, dialog)
  const link = (await findByRole('link', 'All logs', dialog)) as HTMLAnchorElement
  assert.match(link.hash, /key=Main\+matrix/)
})

test('a matrix is deleted after a confirmation, and dialogs of a matrix that somebody deletes close', async () => {
  const id = await addTestMatrix()
  await openMatrix(id)
  await openMenuItem('Delete matrix')
  const question = await findByRole('dialog', 'Delete Main matrix?')
  assert.match(visibleText(question), /receivers lose their pictures/)
  await click(await findByRole('button', 'Delete matrix', question))
  await waitForText('No matrix')
  await until(async () => (await hub.parts.store.matrices.all()).length === 0, 'the matrix is deleted')
})

test('a viewer can read the settings of panels, salvos and scheduled takes, but change nothing', async () => {
  const id = await addTestMatrix()
  await other.send(addSalvo, { id, name: 'All', takes: [{ destination: 1, source: 1 }] })
  await addUser(hub, 'viewer', NDI_VIEW)
  await openMatrix(id, 'viewer')
  await click(await findByRole('button', 'Salvos: 1'))
  const list = await findByRole('dialog', 'Salvos')
  await waitForText('All', list)
  assert.deepEqual(
    queryAllByRole('button', undefined, list).map((button) => button.textContent),
    ['', 'Close']
  )
  // The one in the corner and the one at the end.
  await click(queryAllByRole('button', 'Close', list)[0] as HTMLElement)
  await openMenuItem('Hardware panels')
  const panels = await findByRole('dialog', /Hardware panels/)
  assert.equal(queryAllByRole('button', 'Save', panels).length, 0)
  await until(() => panels.querySelector('fieldset[disabled]') !== null, 'the fields are disabled')
})

test.run()
