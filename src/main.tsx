// Starts the console as soon as the sentences of its language have arrived.
import { createElement, render } from 'preact'
import { App } from './frame/app.tsx'
import { setTransport } from './link/fetch-json.ts'
import { readEarlyLogin } from './state/early-login.ts'
import { startSession } from './state/session.ts'
import { startUseReports } from './state/session-use.ts'
import { loadFirstLanguage } from './text/language.ts'
import { startTooltips } from './ui/tooltip.ts'

async function start(): Promise<void> {
  setTransport({ relayedHub: document.documentElement.dataset.hub })
  await loadFirstLanguage()
  startTooltips()
  startSession()
  startUseReports()
  const root = document.getElementById('app')
  if (!root) return
  readEarlyLogin()
  root.replaceChildren()
  render(createElement(App, null), root)
}

void start()
