// Runs Headend without systemd: starts the engine and the hub, and restarts each when it ends. The environment is that
// of `engine/main.ts` and `hub/main.ts`. SIGUSR2 restarts the hub alone, SIGTERM stops both.
import { startHeadend } from './headend.ts'
import { stopOnSignals } from './processes.ts'

process.chdir(`${import.meta.dirname}/..`)
process.title = 'headend-supervisor'
stopOnSignals()
startHeadend()
