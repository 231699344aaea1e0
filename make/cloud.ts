// `make cloud`: runs a node of the cloud until Ctrl-C.
import { startNode, stopOnSignals } from '../supervisor/processes.ts'
import { chooseFreePort } from './free-port.ts'
import { reachableHost, waitUntilReachable } from './reachable.ts'

const { HOST = '127.0.0.1', PORT = '3100', LINK_PORT = '8070', HTTPS, DATABASE_URL } = process.env

stopOnSignals()
const port = await chooseFreePort(Number(PORT), HOST)
const linkPort = await chooseFreePort(Number(LINK_PORT), HOST, [port])
const cloud = startNode(['cloud/main.ts'], { env: { HOST, PORT: String(port), LINK_PORT: String(linkPort) } })
cloud.once('exit', (code) => process.exit(code ?? 1))
const url = `${HTTPS === '1' ? 'https' : 'http'}://${reachableHost(HOST)}:${port}`
// It opens after the port for browsers, whose certificate this machine may not trust.
await waitUntilReachable(`http://${reachableHost(HOST)}:${linkPort}`)
const lines = [
  `Cloud      ${url}`,
  `Hubs       ${reachableHost(HOST)}:${linkPort}`,
  `Database   ${DATABASE_URL ? 'PostgreSQL' : 'SQLite'}`,
  'User       Admin',
  'Password   Admin  (until it is changed)',
  'Ctrl-C stops it.'
]
console.log(`\n${lines.map((line) => `  ${line}`).join('\n')}\n`)
