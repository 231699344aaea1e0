// Reports the use of the page to the hub, so that the session of an unattended page ends. Background requests do not
// extend it.
import { getSession } from '../../contract/access/session.ts'
import { send } from '../link/send.ts'
import { $session } from './session.ts'

/** Milliseconds between two reports. The hub records the use of a session every 30 s at most. */
const REPORT_INTERVAL = 35_000

/** Events of somebody who uses the page. A moving pointer is none: a desk that shakes moves one, too. */
const USE_EVENTS = ['pointerdown', 'keydown', 'wheel', 'touchstart']

function reportUse(): void {
  if ($session.get()) void send(getSession, {}, { isUse: true })
}

/** Reports the use of the page: the first one at once, later ones together. @returns stops that */
export function startUseReports(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined
  let isPending = false
  function handleUse(): void {
    if (timer) isPending = true
    else report()
  }
  function report(): void {
    isPending = false
    reportUse()
    timer = setTimeout(() => {
      timer = undefined
      if (isPending) report()
    }, REPORT_INTERVAL)
  }
  for (const event of USE_EVENTS) addEventListener(event, handleUse, { capture: true, passive: true })
  return () => {
    clearTimeout(timer)
    for (const event of USE_EVENTS) removeEventListener(event, handleUse, { capture: true })
  }
}

/** Keeps the session in use for a page that nobody touches, such as a wall display. @returns stops that */
export function keepSession(): () => void {
  reportUse()
  const timer = setInterval(reportUse, REPORT_INTERVAL)
  return () => clearInterval(timer)
}
