// Free TCP ports of this machine, for `make run` and `make dev`.
import { createServer } from 'node:net'

/** Ports that are tried after the wanted one. */
const ATTEMPTS = 100

/**
 * Whether a server may listen on a port. Another error than a port in use is left to the server itself, which reports
 * it.
 */
function isFree(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer()
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'EADDRINUSE'))
    server.listen(port, host, () => server.close(() => resolve(true)))
  })
}

/**
 * Returns the wanted port, or the next free one if another program uses it.
 * @param taken ports that must not be returned
 */
export async function chooseFreePort(wanted: number, host: string, taken: readonly number[] = []): Promise<number> {
  for (let port = wanted; port <= wanted + ATTEMPTS; port++)
    if (!taken.includes(port) && (await isFree(port, host))) return port
  return wanted
}
