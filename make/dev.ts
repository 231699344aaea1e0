// `make dev`: the console is rebuilt when its sources change and the page reloads; the hub starts anew when its own do.
import { watch } from 'node:fs'
import { createServer } from 'node:net'
import { startDevDoor } from './dev-proxy.ts'
import { answers, sayWelcome, startFleet, startHub, wanted } from './headend.ts'
import { startNode, stopOnSignals } from './processes.ts'

/** Milliseconds of quiet after which a build is taken as written. */
const QUIET = 150

async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  await new Promise((resolve) => server.close(resolve))
  return port
}

stopOnSignals()
const port = await freePort()
const door = await startDevDoor(port, wanted.port, wanted.host)
const hub = `http://127.0.0.1:${port}`
startHub(['--watch-path=hub', '--watch-path=contract', '--watch-preserve-output'], {
  PORT: String(port),
  HOST: '127.0.0.1',
  DEV: '1'
})
startNode(['node_modules/rollup/dist/bin/rollup', '-c', '--watch', '--no-watch.clearScreen'])
await answers(hub)

let timer: NodeJS.Timeout | undefined
watch('dist', { recursive: true }, () => {
  clearTimeout(timer)
  timer = setTimeout(door.reload, QUIET)
})
startFleet(hub)
sayWelcome()
