import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_CONTROL, DEVICE_VIEW } from '../../../contract/access/permissions.ts'
import { type Action, Actions } from '../../../src/parts/actions.tsx'
import { $session } from '../../../src/state/session.ts'
import { setLanguage } from '../../../src/text/language.ts'
import { DialogHost } from '../../../src/ui/dialog/dialog-host.tsx'
import { mount } from '../../kit/console/mount.ts'
import { click, findByRole, queryAllByRole, waitForNone, waitForRender } from '../../kit/console/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('actions')

interface Row {
  name: string
  on: boolean
}

const HALL: Row = { name: 'Hall', on: true }
const FOYER: Row = { name: 'Foyer', on: false }

let ranWith: (readonly Row[])[]
let runResult: boolean | Promise<boolean>
let doneCount: number

const setPermission = (permission: number) =>
  $session.set({ name: 'one', id: 16, type: 8, permission, 'group-name': 'group' })

test.before.each(() => {
  setLanguage('en')
  setPermission(DEVICE_CONTROL)
  ranWith = []
  runResult = true
  doneCount = 0
})
test.after.each(() => $session.set(null))

const STOP: Action<Row> = {
  call: { access: DEVICE_CONTROL },
  icon: 'stop',
  verb: ['Stop {0}', '停止 {0}'],
  isApplicable: ({ on }) => on,
  confirmText: (rows) => (rows.some(({ on }) => on) ? 'It ends.' : undefined),
  async run(rows) {
    ranWith.push(rows)
    return runResult
  }
}

function mountActions(rows: readonly Row[], countText?: Action<Row>['verb']) {
  mount(
    <>
      <Actions
        actions={[STOP]}
        rows={rows}
        nameOf={({ name }) => name}
        countText={countText}
        onDone={() => doneCount++}
      />
      <DialogHost />
    </>
  )
}
const COUNT_TEXT = ['{0} rows', '{0} 行'] as const

test('an action that does not apply to a row is not shown', () => {
  mountActions([FOYER])
  assert.equal(queryAllByRole('button').length, 0)
})

test('the confirmation for one row contains its name', async () => {
  mountActions([HALL])
  await click(await findByRole('button', 'Stop: Hall'))
  await click(await findByRole('button', 'Stop Hall', await findByRole('dialog', 'Stop Hall?')))
  await until(() => ranWith.length === 1, 'the action has run')
  assert.deepEqual(ranWith, [[HALL]])
})

test('several rows have one confirmation with their number', async () => {
  mountActions([HALL, FOYER], COUNT_TEXT)
  await click(await findByRole('button', 'Stop 2 rows'))
  await click(await findByRole('button', 'Stop 2 rows', await findByRole('dialog', 'Stop 2 rows?')))
  await until(() => doneCount === 1, 'the action has run')
  assert.deepEqual(ranWith, [[HALL, FOYER]])
})

test('a cancelled confirmation runs nothing', async () => {
  mountActions([HALL])
  await click(await findByRole('button', 'Stop: Hall'))
  await click(await findByRole('button', 'Cancel', await findByRole('dialog')))
  await waitForNone('dialog')
  assert.deepEqual(ranWith, [])
  assert.equal((await findByRole('button', 'Stop: Hall')).getAttribute('aria-busy'), null)
})

test('an action without a confirmation runs at once', async () => {
  mountActions([FOYER], COUNT_TEXT)
  await click(await findByRole('button', 'Stop'))
  await until(() => ranWith.length === 1, 'the action has run')
  assert.equal(queryAllByRole('dialog').length, 0)
})

test('while an action runs, its button is busy and ignores clicks; a failed action does not call onDone', async () => {
  const answer = Promise.withResolvers<boolean>()
  runResult = answer.promise
  mountActions([FOYER], COUNT_TEXT)
  const button = await findByRole('button', 'Stop')
  await click(button)
  await until(() => button.getAttribute('aria-busy') === 'true', 'it is busy')
  await click(button)
  assert.equal(ranWith.length, 1)
  answer.resolve(false)
  await until(() => button.getAttribute('aria-busy') === null, 'the action has ended')
  assert.equal(doneCount, 0)
})

test('without the permission the button is not shown; with the permission it is enabled', async () => {
  setPermission(DEVICE_VIEW)
  mountActions([HALL])
  await waitForRender()
  assert.equal(queryAllByRole('button').length, 0)
  setPermission(DEVICE_CONTROL)
  const button = await findByRole('button', 'Stop: Hall')
  assert.equal(button.getAttribute('aria-disabled'), null)
})

test('a disabled reason disables the button and is its tooltip', async () => {
  const disabledReason = (rows: readonly Row[]) => (rows.includes(HALL) ? 'The hall cannot be stopped' : undefined)
  const guarded = { ...STOP, disabledReason }
  mount(<Actions actions={[guarded]} rows={[HALL]} nameOf={({ name }) => name} countText={COUNT_TEXT} />)
  mount(<Actions actions={[guarded]} rows={[FOYER]} nameOf={({ name }) => name} countText={COUNT_TEXT} />)
  const [hall, foyer] = queryAllByRole('button', 'Stop')
  assert.equal(hall?.getAttribute('aria-disabled'), 'true')
  assert.equal(hall?.dataset.tip, 'The hall cannot be stopped')
  await click(hall as HTMLElement)
  assert.deepEqual(ranWith, [])
  assert.equal(foyer?.getAttribute('aria-disabled'), null)
})

test.run()
