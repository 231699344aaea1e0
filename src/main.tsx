// Starts the console of a hub.
import { App } from './frame/app.tsx'
import { startPages } from './frame/start.ts'
import { setTransport } from './link/fetch-json.ts'

setTransport({ relayedHub: document.documentElement.dataset.hub })
void startPages(App)
