// The tooltip: one popup for the whole page. An element asks for it with `data-tip`: with a value that is the text; without one the
// element's own text is shown, but only where it does not fit (`.cut`).

import { placeBy } from './place.ts'

/** Milliseconds a pointer rests before the tip comes. */
const REST = 300
/** Milliseconds for which it stays when the pointer has left. */
const LEAVE = 100

/** Watches the page for elements with `data-tip`. Call once. @returns how to stop it */
export function startTips(): () => void {
  const tip = document.createElement('div')
  tip.className = 'tip'
  tip.role = 'tooltip'
  tip.id = 'tip'
  tip.popover = 'manual'
  let owner: Element | undefined
  let timer: ReturnType<typeof setTimeout> | undefined

  function hide(): void {
    clearTimeout(timer)
    owner?.removeAttribute('aria-describedby')
    owner = undefined
    tip.remove()
  }

  function show(asked: Element): void {
    const cut = asked.scrollWidth > asked.clientWidth
    const text = asked.getAttribute('data-tip') || (cut ? asked.textContent : '')
    if (!text || !asked.isConnected) return
    hide()
    owner = asked
    tip.textContent = text
    // In a dialog that is open everything outside is inert, and unseen by a screen reader.
    ;(asked.closest('dialog') ?? document.body).append(tip)
    tip.showPopover?.()
    if (asked.getAttribute('aria-label') !== text) asked.setAttribute('aria-describedby', tip.id)
    placeBy(asked, tip, true)
  }

  function over({ target }: Event): void {
    clearTimeout(timer)
    // The tip itself may be read with the pointer on it.
    if (!(target instanceof Element) || tip.contains(target)) return
    const asked = target.closest('[data-tip]')
    if (asked !== null && asked === owner) return
    timer = setTimeout(() => (asked ? show(asked) : hide()), owner && !asked ? LEAVE : REST)
  }

  function focus({ target }: Event): void {
    clearTimeout(timer)
    if (!(target instanceof Element) || !target.matches(':focus-visible')) return
    const asked = target.closest('[data-tip]') ?? target.querySelector('[data-tip]')
    // A menu that opens may move the focus, and nothing else can pop up before it has.
    if (asked) timer = setTimeout(show, 0, asked)
  }

  // A focus that moves may scroll the page; the tip then moves along.
  function scroll(): void {
    if (owner?.contains(document.activeElement)) placeBy(owner, tip, true)
    else hide()
  }

  const key = ({ key: name }: KeyboardEvent) => name === 'Escape' && hide()

  const heard = [
    ['pointerover', over],
    ['focusin', focus],
    ['focusout', hide],
    ['pointerdown', hide],
    ['scroll', scroll],
    ['keydown', key]
  ] as const
  for (const [name, listener] of heard) document.addEventListener(name, listener as EventListener, true)
  return () => {
    hide()
    for (const [name, listener] of heard) document.removeEventListener(name, listener as EventListener, true)
  }
}
