import assert from 'node:assert/strict'
import { mock } from 'node:test'
import { suite } from 'uvu'
import { startTooltips } from '../../../src/ui/tooltip.ts'
import { mount } from '../../kit/console/mount.ts'
import { until } from '../../kit/until.ts'
import { appear } from './appear.ts'

const test = suite('tooltip')

let stop: AbortController
test.before.each(() => {
  stop = new AbortController()
  startTooltips(stop.signal)
})
test.after.each(() => {
  mock.timers.reset()
  document.dispatchEvent(new Event('pointerdown'))
  stop.abort()
})

const tooltip = () => document.querySelector('.tip')
const hover = (element: Element | null) => element?.dispatchEvent(new MouseEvent('pointerover', { bubbles: true }))

/** Reports that an element has got the focus by keyboard, which happy-dom cannot tell. */
function focusByKeyboard(element: HTMLElement): void {
  const matches = element.matches.bind(element)
  Object.defineProperty(element, 'matches', {
    value: (selector: string) => selector === ':focus-visible' || matches(selector)
  })
  element.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
}

/** happy-dom has no layout and no `:focus-visible`. */
function setWidths(element: HTMLElement, scroll: number, client: number): void {
  Object.defineProperty(element, 'scrollWidth', { value: scroll })
  Object.defineProperty(element, 'clientWidth', { value: client })
}

test('a tooltip appears after the pointer has rested, and disappears after it has left', async () => {
  const host = mount(
    <button type="button" data-tip="You may not">
      Delete
    </button>
  )
  const button = host.querySelector('button')
  hover(button)
  assert.equal(tooltip(), null)
  await until(() => tooltip()?.textContent === 'You may not', 'the tip')
  assert.equal(button?.getAttribute('aria-describedby'), tooltip()?.id)
  hover(document.body)
  await until(() => tooltip() === null, 'no tip')
  assert.equal(button?.hasAttribute('aria-describedby'), false)
})

test('the tooltip stays while the pointer is on it, and Escape hides it', async () => {
  const host = mount(
    <button type="button" data-tip="Why">
      x
    </button>
  )
  hover(host.querySelector('button'))
  const tip = await appear(tooltip, 'the tip')
  mock.timers.enable({ apis: ['setTimeout'] })
  hover(document.body)
  hover(tip)
  mock.timers.tick(60_000)
  assert.equal(tooltip(), tip)
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  assert.equal(tooltip(), null)
})

test('an element with an empty attribute shows its own text, and only where that is cut off', async () => {
  const host = mount(
    <>
      <span className="cut" data-tip="">
        short
      </span>
      <span className="cut" data-tip="">
        a name that is too long
      </span>
    </>
  )
  const [short, long] = host.querySelectorAll<HTMLElement>('span')
  setWidths(short as HTMLElement, 50, 50)
  setWidths(long as HTMLElement, 200, 50)
  hover(short ?? null)
  hover(long ?? null)
  await until(() => tooltip()?.textContent === 'a name that is too long', 'the tip')
  mock.timers.enable({ apis: ['setTimeout'] })
  hover(short ?? null)
  mock.timers.tick(60_000)
  assert.notEqual(tooltip()?.textContent, 'short')
})

test('keyboard focus shows the tooltip, also that of a cut-off element inside', async () => {
  const host = mount(
    <a href="#/x">
      <span className="cut" data-tip="">
        a name that is too long
      </span>
    </a>
  )
  setWidths(host.querySelector('span') as HTMLElement, 200, 50)
  const link = host.querySelector('a') as HTMLElement
  focusByKeyboard(link)
  const tip = await appear(tooltip, 'the tip')
  assert.equal(tip.textContent, 'a name that is too long')
  link.dispatchEvent(new FocusEvent('focusout', { bubbles: true }))
  assert.equal(tooltip(), null)
})

test('the focus on the content of a page shows no tooltip, and removes that of an element that is gone', async () => {
  const host = mount(
    <main tabIndex={-1}>
      <button type="button" data-tip="Back" />
    </main>
  )
  const [main, button] = ['main', 'button'].map((name) => host.querySelector(name) as HTMLElement) as [
    HTMLElement,
    HTMLElement
  ]
  mock.timers.enable({ apis: ['setTimeout'] })
  focusByKeyboard(main)
  mock.timers.tick(60_000)
  assert.equal(tooltip(), null)
  mock.timers.reset()
  focusByKeyboard(button)
  await appear(tooltip, 'the tip of the button')
  button.remove()
  main.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  assert.equal(tooltip(), null)
})

test('the tooltip of a menu item is beside it, where it covers no other item', async () => {
  const host = mount(
    <button type="button" role="menuitem" data-tip="You may not">
      x
    </button>
  )
  const button = host.querySelector('button') as HTMLButtonElement
  const rect = (left: number) => () =>
    ({ left, right: left + 100, top: 50, bottom: 82, width: 100, height: 32 }) as DOMRect
  button.getBoundingClientRect = rect(10)
  hover(button)
  const { style } = (await appear(tooltip, 'the tip')) as HTMLElement
  assert.deepEqual([style.top, style.left], ['50px', '114px'])
})

test('the tooltip of an element in a dialog is inside the dialog, where it is not inert', async () => {
  const host = mount(
    <dialog open>
      <button type="button" data-tip="Inside">
        x
      </button>
    </dialog>
  )
  hover(host.querySelector('button'))
  const tip = await appear(tooltip, 'the tip')
  assert.equal(tip.parentElement?.tagName, 'DIALOG')
})

test.run()
