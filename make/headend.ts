// Processes of the hub, the engine and the demo fleet, for `make run` and `make dev`.
import { type HeadendOptions, startHeadend } from '../supervisor/headend.ts'
import { isStopping, startNode } from '../supervisor/processes.ts'
import { chooseFreePort } from './free-port.ts'
import { reachableHost } from './reachable.ts'

const { HOST = '127.0.0.1', FLEET = '24', DATA = './data', ...wanted } = process.env

/**
 * Free ports for browsers, with and without TLS, for devices, and for files. A port that another program uses is
 * replaced by the next free one.
 */
async function choosePorts(): Promise<Record<'PORT' | 'LINK_PORT' | 'FILES_PORT' | 'HTTPS_PORT', string>> {
  const { PORT = '3000', LINK_PORT = '8070', FILES_PORT = '8080', HTTPS_PORT = '3443' } = wanted
  const port = await chooseFreePort(Number(PORT), HOST)
  const linkPort = await chooseFreePort(Number(LINK_PORT), HOST, [port])
  if (port !== Number(PORT)) console.log(`Port ${PORT} is in use: the console is at port ${port}.`)
  if (linkPort !== Number(LINK_PORT)) console.log(`Port ${LINK_PORT} is in use: devices register at port ${linkPort}.`)
  const filesPort = await chooseFreePort(Number(FILES_PORT), HOST, [port, linkPort])
  if (filesPort !== Number(FILES_PORT))
    console.log(`Port ${FILES_PORT} is in use: HLS and downloads are at port ${filesPort}.`)
  return {
    PORT: String(port),
    LINK_PORT: String(linkPort),
    FILES_PORT: String(filesPort),
    HTTPS_PORT: await chooseHttpsPort(HTTPS_PORT, [port, linkPort, filesPort])
  }
}

/** @param wanted `off` stays as it is */
async function chooseHttpsPort(wanted: string, taken: readonly number[]): Promise<string> {
  if (wanted === 'off') return wanted
  const port = await chooseFreePort(Number(wanted), HOST, taken)
  if (port !== Number(wanted)) console.log(`Port ${wanted} is in use: the console over HTTPS is at port ${port}.`)
  return String(port)
}

const { PORT, LINK_PORT, FILES_PORT, HTTPS_PORT } = await choosePorts()

export const listenAddress = { port: Number(PORT), host: HOST }

/** Origin of the console, without a trailing slash. */
export const consoleUrl = `http://${reachableHost(HOST)}:${PORT}`

/**
 * Starts the engine and the hub, and keeps them running.
 * @param flags command line flags of Node
 */
export function startHubAndEngine(flags?: HeadendOptions['flags'], env: Readonly<Record<string, string>> = {}): void {
  startHeadend({ env: { PORT, HOST, LINK_PORT, FILES_PORT, HTTPS_PORT, DATA, ...env }, ...(flags && { flags }) })
}

/** Starts the demo devices unless FLEET is 0. If they exit, the hub continues. */
export function startFleet(hubUrl: string): void {
  if (Number(FLEET) === 0) return
  const fleet = startNode(['fleet/main.ts'], {
    env: { FLEET, DATA, HUB_LINK: `${reachableHost(HOST)}:${LINK_PORT}`, HUB_URL: hubUrl }
  })
  fleet.once('exit', (code, signal) => {
    if (!isStopping())
      console.error(`The demo fleet exited unexpectedly (${signal ?? `status ${code}`}). The hub continues.`)
  })
}

/** Prints the address of the console and the default login. */
export function printWelcome(): void {
  const lines = [
    `Console    ${consoleUrl}/`,
    'User       Admin',
    'Password   Admin  (until it is changed)',
    'Ctrl-C stops everything.'
  ]
  console.log(`\n${lines.map((line) => `  ${line}`).join('\n')}\n`)
}
