import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { DEVICE_CONTROL, DEVICE_VIEW } from '../../../contract/permissions.ts'
import { type Action, Actions } from '../../../src/parts/actions.tsx'
import { $session } from '../../../src/state/session.ts'
import { setLanguage } from '../../../src/text/language.ts'
import { DialogHost } from '../../../src/ui/dialog/dialog-host.tsx'
import { startTips } from '../../../src/ui/tooltip.ts'
import { mount } from '../../kit/mount.ts'
import { all, click, drawn, none, one } from '../../kit/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('actions')

interface Row {
  name: string
  on: boolean
}

const HALL: Row = { name: 'Hall', on: true }
const FOYER: Row = { name: 'Foyer', on: false }

let done: (readonly Row[])[]
let well: boolean | Promise<boolean>
let finished: number

const grant = (permission: number) => $session.set({ name: 'one', id: 16, type: 8, permission, 'group-name': 'group' })

test.before.each(() => {
  setLanguage('en')
  grant(DEVICE_CONTROL)
  done = []
  well = true
  finished = 0
})
test.after.each(() => $session.set(null))

const STOP: Action<Row> = {
  call: { who: DEVICE_CONTROL },
  icon: 'stop',
  verb: ['Stop {0}', '停止 {0}'],
  fits: ({ on }) => on,
  ask: (rows) => (rows.some(({ on }) => on) ? 'It ends.' : undefined),
  async run(rows) {
    done.push(rows)
    return well
  }
}

function show(rows: readonly Row[], these?: Action<Row>['verb']) {
  mount(
    <>
      <Actions actions={[STOP]} rows={rows} nameOf={({ name }) => name} these={these} onDone={() => finished++} />
      <DialogHost />
    </>
  )
}
const THESE = ['{0} rows', '{0} 行'] as const

test('what does not fit a row is not offered there', () => {
  show([FOYER])
  assert.equal(all('button').length, 0)
})

test('one row is asked for by its name', async () => {
  show([HALL])
  await click(await one('button', 'Stop: Hall'))
  await click(await one('button', 'Stop Hall', await one('dialog', 'Stop Hall?')))
  await until(() => done.length === 1, 'it is done')
  assert.deepEqual(done, [[HALL]])
})

test('several rows are asked for once, by their number', async () => {
  show([HALL, FOYER], THESE)
  await click(await one('button', 'Stop 2 rows'))
  await click(await one('button', 'Stop 2 rows', await one('dialog', 'Stop 2 rows?')))
  await until(() => finished === 1, 'it is done')
  assert.deepEqual(done, [[HALL, FOYER]])
})

test('a question that is denied does nothing', async () => {
  show([HALL])
  await click(await one('button', 'Stop: Hall'))
  await click(await one('button', 'Cancel', await one('dialog')))
  await none('dialog')
  assert.deepEqual(done, [])
  assert.equal((await one('button', 'Stop: Hall')).getAttribute('aria-busy'), null)
})

test('where there is nothing to ask it is done at once', async () => {
  show([FOYER], THESE)
  await click(await one('button', 'Stop'))
  await until(() => done.length === 1, 'it is done')
  assert.equal(all('dialog').length, 0)
})

test('while it is under way the button is busy and does nothing more; what failed is not done', async () => {
  const answer = Promise.withResolvers<boolean>()
  well = answer.promise
  show([FOYER], THESE)
  const button = await one('button', 'Stop')
  await click(button)
  await until(() => button.getAttribute('aria-busy') === 'true', 'it is busy')
  await click(button)
  assert.equal(done.length, 1)
  answer.resolve(false)
  await until(() => button.getAttribute('aria-busy') === null, 'it is over')
  assert.equal(finished, 0)
})

test('without the right it is disabled, and says why; with it, it is not', async () => {
  const tips = new AbortController()
  startTips(tips.signal)
  grant(DEVICE_VIEW)
  show([HALL])
  const button = await one('button', 'Stop: Hall')
  assert.equal(button.getAttribute('aria-disabled'), 'true')
  await click(button)
  await drawn()
  assert.equal(all('dialog').length, 0)
  button.dispatchEvent(new Event('pointerover', { bubbles: true }))
  await one('tooltip', 'You do not have operation permission')
  grant(DEVICE_CONTROL)
  await until(() => !button.hasAttribute('aria-disabled'), 'it is enabled')
  tips.abort()
})

test('what stands against it disables it, and says what', async () => {
  const barred = (rows: readonly Row[]) => (rows.includes(HALL) ? 'The hall cannot be stopped' : undefined)
  const own = { ...STOP, barred }
  mount(<Actions actions={[own]} rows={[HALL]} nameOf={({ name }) => name} these={THESE} />)
  mount(<Actions actions={[own]} rows={[FOYER]} nameOf={({ name }) => name} these={THESE} />)
  const [hall, foyer] = all('button', 'Stop')
  assert.equal(hall?.getAttribute('aria-disabled'), 'true')
  assert.equal(hall?.dataset.tip, 'The hall cannot be stopped')
  await click(hall as HTMLElement)
  assert.deepEqual(done, [])
  assert.equal(foyer?.getAttribute('aria-disabled'), null)
})

test.run()
