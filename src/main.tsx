// Starts the console.
import { createElement, render } from 'preact'
import { App } from './frame/app.tsx'
import { startSession } from './state/session.ts'
import { startTips } from './ui/tooltip.ts'

startTips()
startSession()

const root = document.getElementById('app')
if (root) {
  root.replaceChildren()
  render(createElement(App, null), root)
}
