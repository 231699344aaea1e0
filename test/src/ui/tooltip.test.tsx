import assert from 'node:assert/strict'
import { suite } from 'uvu'
import { startTips } from '../../../src/ui/tooltip.ts'
import { mount } from '../../kit/mount.ts'
import { until } from '../../kit/until.ts'
import { appear } from './appear.ts'

const test = suite('tips')

let stop: AbortController
test.before.each(() => {
  stop = new AbortController()
  startTips(stop.signal)
})
test.after.each(() => {
  document.dispatchEvent(new Event('pointerdown'))
  stop.abort()
})

const tip = () => document.querySelector('.tip')
const over = (element: Element | null) => element?.dispatchEvent(new MouseEvent('pointerover', { bubbles: true }))

/** happy-dom lays nothing out and knows no focus ring. */
function widths(element: HTMLElement, scroll: number, client: number): void {
  Object.defineProperty(element, 'scrollWidth', { value: scroll })
  Object.defineProperty(element, 'clientWidth', { value: client })
}

test('a tip comes after the pointer has rested, and goes when it has left', async () => {
  const host = mount(
    <button type="button" data-tip="You may not">
      Delete
    </button>
  )
  const button = host.querySelector('button')
  over(button)
  assert.equal(tip(), null)
  await until(() => tip()?.textContent === 'You may not', 'the tip')
  assert.equal(button?.getAttribute('aria-describedby'), tip()?.id)
  over(document.body)
  await until(() => tip() === null, 'no tip')
  assert.equal(button?.hasAttribute('aria-describedby'), false)
})

test('the tip stays while the pointer is on it, and Escape sends it away', async () => {
  const host = mount(
    <button type="button" data-tip="Why">
      x
    </button>
  )
  over(host.querySelector('button'))
  const shown = await appear(tip, 'the tip')
  over(document.body)
  over(shown)
  await new Promise((resolve) => setTimeout(resolve, 300))
  assert.equal(tip(), shown)
  document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }))
  assert.equal(tip(), null)
})

test('a text without a tip of its own is shown only where it does not fit', async () => {
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
  widths(short as HTMLElement, 50, 50)
  widths(long as HTMLElement, 200, 50)
  over(short ?? null)
  over(long ?? null)
  await until(() => tip()?.textContent === 'a name that is too long', 'the tip')
  over(short ?? null)
  await new Promise((resolve) => setTimeout(resolve, 350))
  assert.notEqual(tip()?.textContent, 'short')
})

test('the focus of the keyboard shows it too, of what is cut inside as well', async () => {
  const host = mount(
    <a href="#/x">
      <span className="cut" data-tip="">
        a name that is too long
      </span>
    </a>
  )
  widths(host.querySelector('span') as HTMLElement, 200, 50)
  const link = host.querySelector('a') as HTMLElement
  const matches = link.matches.bind(link)
  Object.defineProperty(link, 'matches', {
    value: (selector: string) => selector === ':focus-visible' || matches(selector)
  })
  link.dispatchEvent(new FocusEvent('focusin', { bubbles: true }))
  const shown = await appear(tip, 'the tip')
  assert.equal(shown.textContent, 'a name that is too long')
  link.dispatchEvent(new FocusEvent('focusout', { bubbles: true }))
  assert.equal(tip(), null)
})

test('of an entry of a menu it stands beside it, where it hides no other entry', async () => {
  const host = mount(
    <button type="button" role="menuitem" data-tip="You may not">
      x
    </button>
  )
  const button = host.querySelector('button') as HTMLButtonElement
  const rect = (left: number) => () =>
    ({ left, right: left + 100, top: 50, bottom: 82, width: 100, height: 32 }) as DOMRect
  button.getBoundingClientRect = rect(10)
  over(button)
  const { style } = (await appear(tip, 'the tip')) as HTMLElement
  assert.deepEqual([style.top, style.left], ['50px', '114px'])
})

test('in a dialog the tip is inside it, where it is not inert', async () => {
  const host = mount(
    <dialog open>
      <button type="button" data-tip="Inside">
        x
      </button>
    </dialog>
  )
  over(host.querySelector('button'))
  const shown = await appear(tip, 'the tip')
  assert.equal(shown.parentElement?.tagName, 'DIALOG')
})

test.run()
