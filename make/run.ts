// `make run`: the hub with its demo fleet, until Ctrl-C.
import { answers, sayWelcome, startFleet, startHub, url } from './headend.ts'
import { stopOnSignals } from './processes.ts'

stopOnSignals()
startHub()
await answers(url)
startFleet(url)
sayWelcome()
