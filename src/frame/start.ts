import { type ComponentType, createElement, render } from 'preact'
import { readEarlyLogin } from '../state/early-login.ts'
import { startSession } from '../state/session.ts'
import { startUseReports } from '../state/session-use.ts'
import { loadFirstLanguage } from '../text/language.ts'
import { startTooltips } from '../ui/tooltip.ts'

/** Starts the pages as soon as the sentences of their language have arrived. */
export async function startPages(app: ComponentType): Promise<void> {
  await loadFirstLanguage()
  startTooltips()
  startSession()
  startUseReports()
  const root = document.getElementById('app')
  if (!root) return
  readEarlyLogin()
  root.replaceChildren()
  render(createElement(app, null), root)
}
