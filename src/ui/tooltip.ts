// The tooltip: one popup for the whole page. An element requests it with the attribute `data-tip`. The attribute's
// value is the text; with an empty value the tooltip shows the element's own text, and only where it is cut off
// (`.cut`).

import { positionPopup } from './popup-position.ts'

/** Milliseconds for which the pointer must rest before the tooltip appears or disappears. */
const DELAY = 200
/** Pixels by which a line that is not cut off may be higher than its box. */
const LINE_EXCESS = 4

/**
 * Shows tooltips for all elements of the page that have `data-tip`. Call it once. @param signal removes the listeners
 */
export function startTooltips(signal?: AbortSignal): void {
  const tooltip = createTooltip()
  let owner: Element | null = null
  let timer: ReturnType<typeof setTimeout> | undefined

  function hide(): void {
    clearTimeout(timer)
    owner?.removeAttribute('aria-describedby')
    owner = null
    tooltip.remove()
  }

  function show(element: Element): void {
    const isCutOff =
      element.scrollWidth > element.clientWidth || element.scrollHeight > element.clientHeight + LINE_EXCESS
    const text = element.getAttribute('data-tip') || (isCutOff ? element.textContent : '')
    if (!text || !element.isConnected) return
    hide()
    owner = element
    tooltip.textContent = text
    // Everything outside an open dialog is inert and hidden from screen readers.
    ;(element.closest('dialog') ?? document.body).append(tooltip)
    tooltip.showPopover?.()
    if (element.getAttribute('aria-label') !== text) element.setAttribute('aria-describedby', tooltip.id)
    positionPopup(element, tooltip, true)
  }

  function on<Name extends keyof DocumentEventMap>(name: Name, handle: (event: DocumentEventMap[Name]) => void): void {
    document.addEventListener(name, handle, { capture: true, signal })
  }
  on('pointerover', ({ target }) => {
    clearTimeout(timer)
    const element = (target as Element).closest('[data-tip]')
    // The tooltip stays while the pointer is on it.
    if (element === owner || target === tooltip) return
    timer = setTimeout(() => (element ? show(element) : hide()), DELAY)
  })
  on('focusin', (event) => {
    clearTimeout(timer)
    // An element that was removed with the focus on it has lost it without an event.
    if (owner && !owner.isConnected) hide()
    const target = event.target as Element
    // The content of a page gets the focus as a whole, when another page is shown.
    const inside = target.localName === 'main' ? null : target.querySelector('[data-tip]')
    const element = target.closest('[data-tip]') ?? inside
    // Deferred, because a menu that is just opening moves the focus, and no other popover can open before it has done
    // so.
    if (element && target.matches(':focus-visible')) timer = setTimeout(show, 0, element)
  })
  on('focusout', hide)
  on('pointerdown', hide)
  // Moving the focus may scroll the page: the tooltip of the focused element moves with it.
  on('scroll', () => {
    if (owner?.contains(document.activeElement)) positionPopup(owner, tooltip, true)
    else hide()
  })
  on('keydown', ({ key }) => {
    if (key === 'Escape') hide()
  })
}

function createTooltip(): HTMLElement {
  const tooltip = document.createElement('div')
  tooltip.className = 'tip'
  tooltip.role = 'tooltip'
  tooltip.id = 'tip'
  tooltip.popover = 'manual'
  return tooltip
}
