// The Unix socket of the engine. Only one engine can use it, and only the user of the engine, or also its group, can
// open it.
import { chmodSync, linkSync, lstatSync, mkdirSync, rmSync, statSync } from 'node:fs'
import type { Server } from 'node:http'
import { connect } from 'node:net'
import { dirname } from 'node:path'

/** Bytes of a path that a Unix socket can have (sun_path without the final zero). */
const PATH_MAX = 107
/** Milliseconds between checks that the path still leads to this socket. */
const CHECK_INTERVAL = 2000
/** Milliseconds between checks whether the engine before has ended. */
const SUCCESSION_INTERVAL = 100
/** Milliseconds for a connection to an existing socket. */
const PROBE_TIMEOUT = 1000

/** File permissions of the folder and the socket, for each `SocketAccess`. */
const MODES = {
  user: { folder: 0o700, socket: 0o600 },
  group: { folder: 0o750, socket: 0o660 }
} as const

/**
 * `user`: only the user of the engine may open the socket. `group`: its group may, too, so that the hub can run as
 * another user.
 */
export type SocketAccess = keyof typeof MODES

export const isSocketAccess = (value: string): value is SocketAccess => Object.hasOwn(MODES, value)

/** The socket cannot be opened for a reason that only an operator can change. */
export class SocketRefusedError extends Error {}

/**
 * Listens on a socket in a folder to which other users have no access. Replaces the socket of an engine that has ended.
 * @param onTaken another process has replaced the socket
 * @returns a function that ends the check for `onTaken`
 * @throws SocketRefusedError if another engine uses it, the path is too long, or the folder belongs to another user
 */
export async function listenOnPrivateSocket(
  server: Server,
  path: string,
  onTaken: () => void,
  access: SocketAccess = 'user'
): Promise<() => void> {
  if (Buffer.byteLength(path) > PATH_MAX)
    throw new SocketRefusedError(`The path of the socket is longer than ${PATH_MAX} bytes: ${path}`)
  const modes = MODES[access]
  prepareFolder(dirname(path), modes.folder)
  if (await isInUse(path)) throw new SocketRefusedError(`Another engine uses ${path}`)
  rmSync(path, { force: true })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(path, () => {
      server.off('error', reject)
      resolve()
    })
  })
  chmodSync(path, modes.socket)
  return watchPath(path, onTaken)
}

/**
 * Waits until the engine at another path has ended, and then listens there, too.
 * @param path of the socket of this engine, in the same folder
 * @param onTaken another process has replaced the socket at the other path
 * @returns a function that ends the check
 */
export function succeedSocket(path: string, before: string, onTaken: () => void): () => void {
  let isEnded = false
  let end = () => {}
  const check = async () => {
    if (isEnded) return
    if (await isInUse(before)) {
      setTimeout(check, SUCCESSION_INTERVAL).unref()
      return
    }
    rmSync(before, { force: true })
    linkSync(path, before)
    end = watchPath(before, onTaken)
  }
  void check()
  return () => {
    isEnded = true
    end()
  }
}

/** @returns a function that ends the check */
function watchPath(path: string, onTaken: () => void): () => void {
  // Two engines that start at the same time may both find an old socket. The one whose socket was replaced ends.
  const { ino } = statSync(path)
  const timer = setInterval(() => {
    if (statSync(path, { throwIfNoEntry: false })?.ino === ino) return
    clearInterval(timer)
    onTaken()
  }, CHECK_INTERVAL)
  return () => clearInterval(timer)
}

/** @param folderMode permissions of the folder. Further permissions of an existing folder are removed. */
function prepareFolder(folder: string, folderMode: number): void {
  mkdirSync(folder, { recursive: true, mode: folderMode })
  const { uid, mode } = lstatSync(folder)
  if (uid !== process.getuid?.()) throw new SocketRefusedError(`${folder} belongs to another user`)
  if ((mode & 0o777 & ~folderMode) !== 0) chmodSync(folder, folderMode)
}

/** Whether a process listens on the socket, also if it is stopped. */
export function isInUse(path: string): Promise<boolean> {
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
