import { type ComponentType, createElement, render } from 'preact'
import { transport } from '../link/fetch-json.ts'
import { readEarlyLogin } from '../state/early-login.ts'
import { $session, resumeSession, startSession } from '../state/session.ts'
import { startUseReports } from '../state/session-use.ts'
import { loadFirstLanguage } from '../text/language.ts'
import { startTooltips } from '../ui/tooltip.ts'

/** Starts the pages as soon as the sentences of their language have arrived. */
export async function startPages(app: ComponentType): Promise<void> {
  await loadFirstLanguage()
  startTooltips()
  startSession()
  // Who opens a hub in the cloud has a session already, of which this console knows nothing yet.
  if (transport.relayedHub && !$session.get()) await resumeSession()
  startUseReports()
  const root = document.getElementById('app')
  if (!root) return
  readEarlyLogin()
  root.replaceChildren()
  render(createElement(app, null), root)
}
