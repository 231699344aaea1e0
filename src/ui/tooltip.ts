// The tooltip: one popup for the whole page. An element asks for it with `data-tip`: with a value that is the text; without one the
// element's own text is shown, but only where it does not fit (`.cut`).

import { placeBy } from './popup-position.ts'

/** Milliseconds a pointer rests before the tip comes or goes. */
const REST = 200

/** Watches the page for elements with `data-tip`. Call once. @param signal ends it */
export function startTips(signal?: AbortSignal): void {
  const tip = document.createElement('div')
  tip.className = 'tip'
  tip.role = 'tooltip'
  tip.id = 'tip'
  tip.popover = 'manual'
  let owner: Element | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  function hide(): void {
    clearTimeout(timer)
    owner?.removeAttribute('aria-describedby')
    owner = null
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

  function on<Name extends keyof DocumentEventMap>(name: Name, hear: (event: DocumentEventMap[Name]) => void): void {
    document.addEventListener(name, hear, { capture: true, signal })
  }
  on('pointerover', ({ target }) => {
    clearTimeout(timer)
    const asked = (target as Element).closest('[data-tip]')
    // The tip itself may be read with the pointer on it.
    if (asked === owner || target === tip) return
    timer = setTimeout(() => (asked ? show(asked) : hide()), REST)
  })
  on('focusin', (event) => {
    clearTimeout(timer)
    const target = event.target as Element
    const asked = target.closest('[data-tip]') ?? target.querySelector('[data-tip]')
    // A menu that opens may move the focus, and nothing else can pop up before it has.
    if (asked && target.matches(':focus-visible')) timer = setTimeout(show, 0, asked)
  })
  on('focusout', hide)
  on('pointerdown', hide)
  // A focus that moves may scroll the page; the tip then moves along.
  on('scroll', () => {
    if (owner?.contains(document.activeElement)) placeBy(owner, tip, true)
    else hide()
  })
  on('keydown', ({ key }) => {
    if (key === 'Escape') hide()
  })
}
