/** Pixels between a popup and its owner, and between a popup and the edge of the window. */
const GAP = 4

/**
 * Places a popup below its owner, or above where there is no space below, and inside the window. The popup of a menu
 * item is placed beside it, so that it does not cover the other items.
 * @param centered centres the popup horizontally on its owner; otherwise their left edges are aligned
 */
export function positionPopup(owner: Element, popup: HTMLElement, centered?: boolean): void {
  const anchor = owner.getBoundingClientRect()
  const { width, height } = popup.getBoundingClientRect()
  let left = centered ? anchor.left + (anchor.width - width) / 2 : anchor.left
  let top = anchor.bottom + GAP
  if (owner.role === 'menuitem') {
    top = anchor.top
    left = anchor.right + GAP + width < innerWidth ? anchor.right + GAP : anchor.left - GAP - width
  }
  popup.style.top = `${top + height < innerHeight ? top : Math.max(GAP, anchor.top - GAP - height)}px`
  popup.style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`
}
