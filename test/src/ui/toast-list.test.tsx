import assert from 'node:assert/strict'
import { useState } from 'react'
import { suite } from 'uvu'
import { setLanguage } from '../../../src/text/language.ts'
import { Dialog } from '../../../src/ui/dialog/dialog.tsx'
import { type ToastItem, ToastList } from '../../../src/ui/toast-list.tsx'
import { mount } from '../../kit/console/mount.ts'
import {
  click,
  findByRole,
  press,
  queryAllByRole,
  visibleText,
  waitForFocus,
  waitForRender
} from '../../kit/console/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('toast list')

test.before.each(() => setLanguage('en'))

const DONE: ToastItem = { id: 1, lines: ['Operation succeeded'], isFailure: false }
const OCCUPIED: ToastItem = { id: 2, lines: ['Occupied', 'Try again in a moment.'], isFailure: true }

/** A page with a button, a dialog that can be opened, and toasts. */
function showPage(items: readonly ToastItem[]) {
  const holdStates: boolean[] = []
  let open: (yes: boolean) => void = () => {}
  function Page() {
    const [shown, setShown] = useState(items)
    const [dialog, setDialog] = useState(false)
    open = setDialog
    return (
      <>
        <button type="button">Start</button>
        {dialog && (
          <Dialog title="New channel" onClose={() => setDialog(false)}>
            <input name="name" />
          </Dialog>
        )}
        <ToastList
          items={shown}
          onDismiss={(id) => setShown(shown.filter((item) => item.id !== id))}
          onReadingChange={(on) => holdStates.push(on)}
        />
      </>
    )
  }
  const host = mount(<Page />)
  const section = host.querySelector('.toasts') as HTMLElement
  return { host, section, holdStates, open: (yes: boolean) => open(yes) }
}

test('a failure is an alert; a success is announced in a live region that existed before it', async () => {
  const { host } = showPage([DONE, OCCUPIED])
  assert.deepEqual(
    queryAllByRole('alert').map((alert) => visibleText(alert)),
    ['Occupied Try again in a moment.']
  )
  assert.equal(visibleText(await findByRole('status')), 'Operation succeeded')
  host.remove()
  showPage([])
  assert.equal(visibleText(await findByRole('status')), '')
})

test('each line of a message is a paragraph', () => {
  showPage([OCCUPIED])
  const [alert] = queryAllByRole('alert')
  assert.deepEqual(
    [...(alert?.querySelectorAll('p') ?? [])].map((line) => line.textContent),
    OCCUPIED.lines
  )
})

test('Escape dismisses the focused toast, and the focus returns to the previous element', async () => {
  const { section } = showPage([DONE, OCCUPIED])
  const start = await findByRole('button', 'Start')
  start.focus()
  const dismiss = queryAllByRole('button', 'Dismiss')[1] as HTMLElement
  section.dispatchEvent(Object.assign(new Event('focus'), { relatedTarget: start }))
  dismiss.focus()
  await press(dismiss, 'Escape')
  await until(() => queryAllByRole('alert').length === 0, 'the failure to be dismissed')
  await waitForFocus('Start')
  assert.equal(visibleText(await findByRole('status')), 'Operation succeeded')
})

test('expiry is paused while the toasts are hovered or focused', async () => {
  const { section, holdStates } = showPage([DONE])
  const last = () => holdStates.at(-1)
  section.dispatchEvent(new Event('pointerenter'))
  assert.equal(last(), true)
  section.dispatchEvent(new Event('pointerleave'))
  assert.equal(last(), false)
  section.dispatchEvent(Object.assign(new Event('focus'), { relatedTarget: null }))
  assert.equal(last(), true)
  section.dispatchEvent(new Event('blur'))
  assert.equal(last(), false)
  section.dispatchEvent(new Event('pointerenter'))
  await click(await findByRole('button', 'Dismiss'))
  assert.equal(last(), false)
})

test('toasts move into an open dialog, where they are not inert, and back to the page', async () => {
  const { section, holdStates, open } = showPage([OCCUPIED])
  open(true)
  const dialog = await findByRole('dialog', 'New channel')
  await until(() => dialog.contains(section), 'the toasts to be in the dialog')
  section.dispatchEvent(new Event('pointerenter'))
  open(false)
  await until(() => queryAllByRole('dialog').length === 0 && section.isConnected, 'the toasts to be on the page again')
  assert.equal(holdStates.at(-1), false)
  await click(await findByRole('button', 'Dismiss'))
  assert.equal(queryAllByRole('alert').length, 0)
  assert.equal(section.isConnected, true)
  await waitForRender()
})

test.run()
