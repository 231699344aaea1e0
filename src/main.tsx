// Starts the console.
import { rootOf } from './draw/tree.ts'
import { App } from './frame/app.tsx'
import { startSession } from './state/session.ts'
import { startTips } from './ui/tips.ts'

startTips()
startSession()

const root = document.getElementById('app')
if (root) {
  root.replaceChildren()
  rootOf(root)(<App />)
}
