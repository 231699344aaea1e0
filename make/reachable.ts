// Whether servers that the verbs start can be reached.
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds between attempts to reach a server. */
const POLL_INTERVAL = 100
/** Milliseconds for an attempt: another program that has the port may accept the connection and never respond. */
const ATTEMPT_TIMEOUT = 5000

/** Host for URLs under which this machine reaches a server that listens on `host`. */
export function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1'
  if (host === '::') return '[::1]'
  return host.includes(':') ? `[${host}]` : host
}

/** Waits until an HTTP server responds at a URL. */
export async function waitUntilReachable(url: string): Promise<void> {
  for (;;) {
    const isReachable = await fetch(url, { method: 'HEAD', signal: AbortSignal.timeout(ATTEMPT_TIMEOUT) }).then(
      () => true,
      () => false
    )
    if (isReachable) return
    await sleep(POLL_INTERVAL)
  }
}
