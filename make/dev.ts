// `make dev`: rebuilds the console and reloads the page when the console's sources change; restarts the hub when the hub's sources change.
import { watch } from 'node:fs'
import { createServer } from 'node:net'
import { startDevProxy } from './dev-proxy.ts'
import { listenAddress, printWelcome, startFleet, startHub, waitUntilReachable } from './headend.ts'
import { startNode, stopOnSignals } from './processes.ts'

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
startHub(['--watch-path=hub', '--watch-path=contract', '--watch-preserve-output'], {
  PORT: String(port),
  HOST: '127.0.0.1',
  DEV: '1'
})
startNode(['node_modules/rollup/dist/bin/rollup', '-c', '--watch', '--no-watch.clearScreen'])
await waitUntilReachable(hub)

let timer: NodeJS.Timeout | undefined
watch('dist', { recursive: true }, () => {
  clearTimeout(timer)
  timer = setTimeout(proxy.reload, SETTLE_TIME)
})
startFleet(hub)
printWelcome()
