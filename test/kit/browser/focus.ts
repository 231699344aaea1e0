// Walks through a page with the Tab key, and checks the order of focus.
import type { Page } from 'playwright-core'

/** What a page is told about the element that has the focus. */
interface Stop {
  /** Why this element should not have the focus here; empty if it may. */
  fault: string
  /** Whether the focus has come round. */
  isEnd: boolean
}

/** Tab stops of one page, at most: more means that the walk does not end. */
const STOPS_MAX = 400

/** Prepares the walk in the page: functions that describe the focus. */
function install({ scope, isBackwards }: { scope: string; isBackwards: boolean }): void {
  const nameOf = (element: Element) =>
    `${element.tagName.toLowerCase()} '${(element.getAttribute('aria-label') ?? element.textContent ?? '').trim().slice(0, 40)}'`
  const root = document.querySelector(scope) ?? document.body
  const visited = new Set<Element>()
  const canFocus = (element: HTMLElement) =>
    element.tabIndex >= 0 && !element.matches(':disabled') && element.checkVisibility({ visibilityProperty: true })
  /** Elements that the Tab key has to reach: one of a group of radio buttons, and none of an inert part. */
  const expected = () =>
    [...root.querySelectorAll<HTMLElement>('a[href], button, input, select, textarea, summary, [tabindex]')].filter(
      (element) => canFocus(element) && !element.closest('[inert]') && !element.matches('[type=radio]:not(:checked)')
    )
  /** Whether something else is drawn over the middle of an element. */
  const coverOf = (element: Element) => {
    const { left, top, width, height } = element.getBoundingClientRect()
    const [x, y] = [left + Math.min(width, 40) / 2, top + Math.min(height, 40) / 2]
    if (x < 0 || y < 0 || x > innerWidth || y > innerHeight) return 'is outside of the window'
    const above = document.elementFromPoint(x, y)
    if (!above || element.contains(above) || above.contains(element)) return ''
    // A check box can be drawn by its label.
    return above.closest('label')?.contains(element) ? '' : `is covered by ${nameOf(above)}`
  }
  const present = new Set(expected())
  let previous: Element | undefined
  const TIMES_OUTSIDE_MAX = 4
  let timesOutside = 0
  /** Whether the focus has gone back: upwards, and not to a column at the right of the last element. */
  const orderFault = (element: Element) => {
    if (!previous?.isConnected || previous === document.body) return ''
    const rectangles = [previous, element].map((each) => each.getBoundingClientRect())
    const [from, to] = (isBackwards ? rectangles.reverse() : rectangles) as [DOMRect, DOMRect]
    const isBack = to.bottom <= from.top + 1 && to.left < from.left + 1
    return isBack ? `is not in visual order with ${nameOf(previous)}` : ''
  }
  Object.assign(window, {
    describeFocus() {
      const element = document.activeElement
      if (!element || element === document.body) {
        // The focus passes through the toolbar of the browser, at both ends of the page.
        previous = document.body
        timesOutside += 1
        return { fault: '', isEnd: timesOutside > TIMES_OUTSIDE_MAX }
      }
      // The parts of a date or time are Tab stops of one element.
      if (element === previous) return { fault: '', isEnd: false }
      if (visited.has(element)) return { fault: '', isEnd: true }
      const fault = [coverOf(element), orderFault(element)].filter(Boolean).join(', ')
      visited.add(element)
      previous = element
      return { fault: fault && `${nameOf(element)} ${fault}`, isEnd: false }
    },
    // What has appeared behind the focus could not be reached any more.
    listMissed: () =>
      expected()
        .filter((element) => present.has(element) && !visited.has(element))
        .map((element) => `Tab does not reach ${nameOf(element)}`)
  })
}

/**
 * Presses Tab from the present focus until it comes round.
 * @param scope selector of the part whose elements all have to be reached
 * @param isBackwards with Shift
 * @returns faults: elements that are covered, out of order, or not reached
 */
export async function walkByTab(page: Page, scope = 'body', isBackwards = false): Promise<string[]> {
  await page.evaluate(install, { scope, isBackwards })
  const faults: string[] = []
  for (let stop = 0; ; stop++) {
    if (stop > STOPS_MAX) return [...faults, 'the walk does not end']
    const { fault, isEnd } = (await page.evaluate('describeFocus()')) as Stop
    if (fault) faults.push(fault)
    if (isEnd && stop > 0) break
    await page.keyboard.press(isBackwards ? 'Shift+Tab' : 'Tab')
  }
  return [...faults, ...((await page.evaluate('listMissed()')) as string[])]
}
