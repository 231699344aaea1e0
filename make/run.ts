// `make run`: runs the hub and the engine with the demo fleet until Ctrl-C.

import { stopOnSignals } from '../supervisor/processes.ts'
import { consoleUrl, printWelcome, startFleet, startHubAndEngine } from './headend.ts'
import { waitUntilReachable } from './reachable.ts'

stopOnSignals()
startHubAndEngine()
await waitUntilReachable(consoleUrl)
startFleet(consoleUrl)
printWelcome()
