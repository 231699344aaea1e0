// The Unix socket of the engine. Only the user who runs the engine can open it, and only one engine has it.
import { chmodSync, lstatSync, mkdirSync, rmSync, statSync } from 'node:fs'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { dirname } from 'node:path'

/** Bytes of a path that a Unix socket can have (sun_path without the final zero). */
const PATH_MAX = 107
/** Milliseconds between checks that the path still leads to this socket. */
const CHECK_INTERVAL = 2000
/** Milliseconds for a connection to an existing socket. */
const PROBE_TIMEOUT = 1000

/** The socket cannot be opened for a reason that only an operator can change. */
export class SocketRefusedError extends Error {}

/**
 * Listens on a socket with mode 0600 in a folder with mode 0700. Replaces the socket of an engine that has ended.
 * @param onTaken another process has replaced the socket
 * @returns a function that ends the check for `onTaken`
 * @throws SocketRefusedError if another engine uses it, the path is too long, or the folder belongs to another user
 */
export async function listenOnPrivateSocket(server: Server, path: string, onTaken: () => void): Promise<() => void> {
  if (Buffer.byteLength(path) > PATH_MAX)
    throw new SocketRefusedError(`The path of the socket is longer than ${PATH_MAX} bytes: ${path}`)
  prepareFolder(dirname(path))
  if (await isInUse(path)) throw new SocketRefusedError(`Another engine uses ${path}`)
  rmSync(path, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })
  chmodSync(path, 0o600)
  // Two engines that start at the same time may both find an old socket. The one whose socket was replaced ends.
  const { ino } = statSync(path)
  const timer = setInterval(() => {
    if (statSync(path, { throwIfNoEntry: false })?.ino === ino) return
    clearInterval(timer)
    onTaken()
  }, CHECK_INTERVAL)
  return () => clearInterval(timer)
}

function prepareFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const { uid, mode } = lstatSync(folder)
  if (uid !== process.getuid?.()) throw new SocketRefusedError(`${folder} belongs to another user`)
  if ((mode & 0o077) !== 0) chmodSync(folder, 0o700)
}

/** Whether a process listens on the socket, also if it is stopped. */
function isInUse(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path)
    const finish = (result: boolean) => {
      socket.destroy()
      resolve(result)
    }
    socket.setTimeout(PROBE_TIMEOUT, () => finish(true))
    socket.once('connect', () => finish(true))
    socket.once('error', ({ code }: NodeJS.ErrnoException) => finish(code !== 'ECONNREFUSED' && code !== 'ENOENT'))
  })
}
