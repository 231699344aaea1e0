/** Pixels between what pops up and what it belongs to, and from the edge of the window. */
const GAP = 4

/**
 * Puts what has popped up below `owner`, or above it where there is no room below, and inside the window. What belongs to an entry of a
 * menu stands beside it, where it is in the way of no other.
 */
export function placeBy(owner: Element, popup: HTMLElement, middle?: boolean): void {
  const at = owner.getBoundingClientRect()
  const { width, height } = popup.getBoundingClientRect()
  let left = middle ? at.left + (at.width - width) / 2 : at.left
  let top = at.bottom + GAP
  if (owner.role === 'menuitem') {
    top = at.top
    left = at.right + GAP + width < innerWidth ? at.right + GAP : at.left - GAP - width
  }
  popup.style.top = `${top + height < innerHeight ? top : Math.max(GAP, at.top - GAP - height)}px`
  popup.style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`
}
