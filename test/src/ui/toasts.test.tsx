import assert from 'node:assert/strict'
import { useState } from 'react'
import { suite } from 'uvu'
import { setLanguage } from '../../../src/text/language.ts'
import { Dialog } from '../../../src/ui/dialog/dialog.tsx'
import { type ToastItem, Toasts } from '../../../src/ui/toasts.tsx'
import { mount } from '../../kit/mount.ts'
import { all, click, drawn, focuses, one, press, words } from '../../kit/page.ts'
import { until } from '../../kit/until.ts'

const test = suite('toasts of the kit')

test.before.each(() => setLanguage('en'))

const DONE: ToastItem = { id: 1, lines: ['Operation succeeded'], failed: false }
const OCCUPIED: ToastItem = { id: 2, lines: ['Occupied', 'Try again in a moment.'], failed: true }

/** A page with a button, a dialog that can be opened over it, and messages. */
function page(items: readonly ToastItem[]) {
  const held: boolean[] = []
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
        <Toasts
          items={shown}
          onDismiss={(id) => setShown(shown.filter((item) => item.id !== id))}
          onHold={(on) => held.push(on)}
        />
      </>
    )
  }
  const host = mount(<Page />)
  const section = host.querySelector('.toasts') as HTMLElement
  return { host, section, held, open: (yes: boolean) => open(yes) }
}

test('a failure interrupts; a success is said in a part of the page that was there before it', async () => {
  const { host } = page([DONE, OCCUPIED])
  assert.deepEqual(
    all('alert').map((alert) => words(alert)),
    ['Occupied Try again in a moment.']
  )
  assert.equal(words(await one('status')), 'Operation succeeded')
  host.remove()
  page([])
  assert.equal(words(await one('status')), '')
})

test('each sentence stands on its line', () => {
  page([OCCUPIED])
  const [alert] = all('alert')
  assert.deepEqual(
    [...(alert?.querySelectorAll('p') ?? [])].map((line) => line.textContent),
    OCCUPIED.lines
  )
})

test('Escape dismisses the one that has the focus, and the focus returns to where it came from', async () => {
  const { section } = page([DONE, OCCUPIED])
  const start = await one('button', 'Start')
  start.focus()
  const dismiss = all('button', 'Dismiss')[1] as HTMLElement
  section.dispatchEvent(Object.assign(new Event('focus'), { relatedTarget: start }))
  dismiss.focus()
  await press(dismiss, 'Escape')
  await until(() => all('alert').length === 0, 'the failure is gone')
  await focuses('Start')
  assert.equal(words(await one('status')), 'Operation succeeded')
})

test('they are held while the pointer is over them or the focus in them', async () => {
  const { section, held } = page([DONE])
  const last = () => held.at(-1)
  section.dispatchEvent(new Event('pointerenter'))
  assert.equal(last(), true)
  section.dispatchEvent(new Event('pointerleave'))
  assert.equal(last(), false)
  section.dispatchEvent(Object.assign(new Event('focus'), { relatedTarget: null }))
  assert.equal(last(), true)
  section.dispatchEvent(new Event('blur'))
  assert.equal(last(), false)
  section.dispatchEvent(new Event('pointerenter'))
  await click(await one('button', 'Dismiss'))
  assert.equal(last(), false)
})

test('they are in the dialog that is over the page, where they can be read and pressed, and come back from it', async () => {
  const { section, held, open } = page([OCCUPIED])
  open(true)
  const dialog = await one('dialog', 'New channel')
  await until(() => dialog.contains(section), 'they are in the dialog')
  section.dispatchEvent(new Event('pointerenter'))
  open(false)
  await until(() => all('dialog').length === 0 && section.isConnected, 'they are on the page again')
  assert.equal(held.at(-1), false)
  await click(await one('button', 'Dismiss'))
  assert.equal(all('alert').length, 0)
  assert.equal(section.isConnected, true)
  await drawn()
})

test.run()
