/** Pixels between what pops up and what it belongs to, and from the edge of the window. */
const GAP = 4

/** Puts what has popped up below `owner`, or above it where there is no room below, and inside the window. */
export function placeBy(owner: Element, popup: HTMLElement, middle?: boolean): void {
  const at = owner.getBoundingClientRect()
  const { width, height } = popup.getBoundingClientRect()
  const below = at.bottom + GAP + height < innerHeight
  const left = middle ? at.left + (at.width - width) / 2 : at.left
  popup.style.top = `${below ? at.bottom + GAP : Math.max(GAP, at.top - GAP - height)}px`
  popup.style.left = `${Math.max(GAP, Math.min(left, innerWidth - width - GAP))}px`
}
