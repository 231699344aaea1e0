// The hub and its demo fleet as processes: what `make run` and `make dev` start.
import type { ChildProcess } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { isStopping, startNode, stopAll } from './processes.ts'

const { PORT = '3000', HOST = '127.0.0.1', LINK_PORT = '8070', FLEET = '24', DATA = './data' } = process.env

/** Milliseconds between two looks whether the hub answers. */
const LOOK = 100

/** An address by which this machine reaches what listens on `host`. */
export function reachable(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

export const wanted = { port: Number(PORT), host: HOST }

/** Where the console is: its origin, without a slash at its end. */
export const url = `http://${reachable(HOST)}:${PORT}`

/**
 * Starts the hub. When it ends by itself, all ends.
 * @param flags of Node
 */
export function startHub(flags: readonly string[] = [], env: Readonly<Record<string, string>> = {}): ChildProcess {
  const hub = startNode([...flags, 'hub/main.ts'], { PORT, HOST, LINK_PORT, DATA, ...env })
  hub.once('exit', (code, signal) => {
    if (isStopping()) return
    console.error(`The hub ended (${signal ?? `status ${code}`}).`)
    void stopAll(1)
  })
  return hub
}

/** Waits until something answers at `address`. */
export async function answers(address: string): Promise<void> {
  for (;;) {
    const there = await fetch(address, { method: 'HEAD' }).then(
      () => true,
      () => false
    )
    if (there) return
    await sleep(LOOK)
  }
}

/** Starts the demo devices, if any are wanted. The hub goes on without them. */
export function startFleet(hubUrl: string): void {
  if (Number(FLEET) === 0) return
  const fleet = startNode(['fleet/main.ts'], {
    FLEET,
    DATA,
    HUB_LINK: `${reachable(HOST)}:${LINK_PORT}`,
    HUB_URL: hubUrl
  })
  fleet.once('exit', (code, signal) => {
    if (!isStopping()) console.error(`The demo fleet ended (${signal ?? `status ${code}`}); the hub goes on.`)
  })
}

/** Says where to go and how to get in. */
export function sayWelcome(): void {
  const lines = [
    `Console    ${url}/`,
    'User       Admin',
    'Password   Admin  (until it is changed)',
    'Ctrl-C stops everything.'
  ]
  console.log(`\n${lines.map((line) => `  ${line}`).join('\n')}\n`)
}
