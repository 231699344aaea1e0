// `make run`: runs the hub with its demo fleet until Ctrl-C.
import { consoleUrl, printWelcome, startFleet, startHub, waitUntilReachable } from './headend.ts'
import { stopOnSignals } from './processes.ts'

stopOnSignals()
startHub()
await waitUntilReachable(consoleUrl)
startFleet(consoleUrl)
printWelcome()
