// Starts the stream engine. Environment variables, with defaults:
// - DATA (./data): data folder; the socket is `engine/engine.sock` in it. ENGINE_SOCKET: another path of the socket
// - ENGINE_SOCKET_ACCESS (user): `user` lets only the user of the engine open the socket; `group` also its group, if
//   the hub runs as another user
// - ENGINE_BEFORE: path of the socket of the engine that has started this one, and hands its channels over
// - HEADEND_LAUNCHER: the script that has started this process from the newest release, and can start another one
// - NOTIFY_SOCKET: systemd sets it, and has to be told when another process takes the place of this one
// - HOST (127.0.0.1): address on which streams are received and served; `::` is all addresses, of IPv6 and IPv4
// No secret is in the arguments or the environment: the hub sends keys over the socket.
import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { listenAddress } from './access/listen-address.ts'
import { engineSocketPath } from './client/socket-path.ts'
import { startEngineWatchdog } from './process/engine-watchdog.ts'
import { findProgram } from './process/find-program.ts'
import { startEngineServer } from './server/engine-server.ts'
import { isSocketAccess, SocketRefusedError } from './server/private-socket.ts'

const { DATA = './data', ENGINE_SOCKET, ENGINE_SOCKET_ACCESS = 'user', HOST = '127.0.0.1' } = process.env
const { ENGINE_BEFORE, HEADEND_LAUNCHER, NOTIFY_SOCKET } = process.env
const host = listenAddress(HOST)
/** The program of systemd with which a service names its main process. */
const systemdNotify = NOTIFY_SOCKET === undefined ? undefined : findProgram('systemd-notify')
/** Exit status if only an operator can cure the cause (EX_CONFIG in sysexits.h). */
const EXIT_CONFIG = 78

process.title = 'headend-engine'

if (!isSocketAccess(ENGINE_SOCKET_ACCESS)) {
  console.error(`ENGINE_SOCKET_ACCESS must be user or group: ${ENGINE_SOCKET_ACCESS}`)
  process.exit(EXIT_CONFIG)
}
const socket = ENGINE_SOCKET ?? engineSocketPath(DATA)
const running = await startEngineServer({
  socket,
  socketAccess: ENGINE_SOCKET_ACCESS,
  instance: randomUUID(),
  version: JSON.parse(readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')).version,
  engine: { pushHost: host, outputHost: host, sharedHost: host, isGroupShared: ENGINE_SOCKET_ACCESS === 'group' },
  ...(ENGINE_BEFORE !== undefined && { before: ENGINE_BEFORE }),
  // The supervisor would start another engine when this one ends.
  ...(HEADEND_LAUNCHER !== undefined && systemdNotify !== undefined && { launcher: HEADEND_LAUNCHER }),
  onRetire: (pid) => void stop('The engine of another release goes on.', () => appoint(pid)),
  onRestart: () => void stop('The hub has another version: the engine restarts.'),
  onSocketTaken: () => void stop(`Another engine has taken ${socket}.`)
}).catch((error: Error): never => {
  console.error(`The engine cannot start: ${error.message}.`)
  process.exit(error instanceof SocketRefusedError ? EXIT_CONFIG : 1)
})

let isStopping = false

/**
 * Becomes the program that tells systemd to watch another process instead of this one. Only the process that systemd
 * watches may say so.
 */
function appoint(pid: number): void {
  if (systemdNotify) process.execve?.(systemdNotify, ['systemd-notify', `--pid=${pid}`], process.env)
}

/** Ends the engine and then this process. @param last called between the two */
async function stop(message?: string, last?: () => void): Promise<void> {
  if (isStopping) process.exit(1)
  isStopping = true
  if (message) console.error(message)
  await running.close()
  last?.()
  process.exit(0)
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void stop())
startEngineWatchdog()
console.log(`Engine: ${socket}`)
