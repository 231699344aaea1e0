// Waits until the hub on this machine is healthy, at whichever port it listens: the settings can choose another one
// than 80. Exit status 1: it is not healthy in time, or has ended for good.
import { spawnSync } from 'node:child_process'

/** A first start on a slow processor takes minutes. An image that fails is left after three times this. */
const LIMIT_MS = 300_000
const PAUSE_MS = 2000

const run = (program: string, args: readonly string[]) => spawnSync(program, args, { encoding: 'utf8' })

/** Addresses at which processes of the hub's unit listen, for example `0.0.0.0:80`. */
function listeningAddresses(): string[] {
  const sockets = run('ss', ['--no-header', '--listening', '--tcp', '--numeric', '--extended']).stdout
  return sockets
    .split('\n')
    .filter((line) => line.includes('cgroup:/system.slice/headend.service'))
    .map((line) => (line.split(/\s+/)[3] ?? '').replace(/^(\*|0\.0\.0\.0|\[::\]):/, '127.0.0.1:'))
}

async function isHealthy(address: string): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(5000)
    const response = await fetch(`http://${address}/healthz`, { signal })
    const { ready } = (await response.json()) as { ready?: boolean }
    return ready === true
  } catch {
    // The port of another protocol, or the hub is starting.
    return false
  }
}

const start = performance.now()
for (;;) {
  for (const address of listeningAddresses()) if (await isHealthy(address)) process.exit(0)
  const hasFailed = run('systemctl', ['--quiet', 'is-failed', 'headend.service']).status === 0
  if (hasFailed || performance.now() - start > LIMIT_MS) process.exit(1)
  await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
}
