// `make dev`: rebuilds the console and reloads the page when the console's sources change; restarts the hub or the
// engine when its sources change.
import { watch as watchFiles } from 'node:fs'
import { createServer } from 'node:net'
import { startNode, stopOnSignals } from '../supervisor/processes.ts'
import { startDevProxy } from './dev-proxy.ts'
import { listenAddress, printWelcome, startFleet, startHubAndEngine } from './headend.ts'
import { waitUntilReachable } from './reachable.ts'

/** Milliseconds without a file change after which a build counts as complete. */
const SETTLE_TIME = 150

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

stopOnSignals()
const port = await freePort()
const proxy = await startDevProxy(port, listenAddress.port, listenAddress.host)
const hub = `http://127.0.0.1:${port}`
const watch = (folder: string) => [`--watch-path=${folder}`, '--watch-path=contract', '--watch-preserve-output']
startHubAndEngine({ hub: watch('hub'), engine: watch('engine') }, { PORT: String(port), HOST: '127.0.0.1', DEV: '1' })
startNode(['node_modules/rollup/dist/bin/rollup', '-c', '--watch', '--no-watch.clearScreen'])
await waitUntilReachable(hub)

let timer: NodeJS.Timeout | undefined
watchFiles('dist', { recursive: true }, () => {
  clearTimeout(timer)
  timer = setTimeout(proxy.reload, SETTLE_TIME)
})
startFleet(hub)
printWelcome()
