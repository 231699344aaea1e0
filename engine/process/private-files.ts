// Temporary folders with mode 0700 for sockets and configuration files of child processes.

import { randomBytes } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, readdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Creates a folder whose path is short enough for a Unix socket. Also removes such folders of processes that no longer
 * run.
 * @param purpose letters that become part of the name
 */
export function createPrivateFolder(purpose: string): string {
  const prefix = `headend-${purpose}-`
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(prefix)) continue
    const pid = Number.parseInt(name.slice(prefix.length), 10)
    if (Number.isInteger(pid) && pid !== process.pid && !isRunning(pid)) removeFolder(join(tmpdir(), name))
  }
  return mkdtempSync(join(tmpdir(), `${prefix}${process.pid}-`))
}

/** Removes a folder with its files. Errors, such as a folder of another user, are ignored. */
export function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {}
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Writes text to a temporary file, removes its name, and returns a descriptor for reading. */
export function openPrivateFile(text: string): number {
  const path = join(tmpdir(), `headend-${randomBytes(16).toString('hex')}`)
  const writer = openSync(path, 'wx', 0o600)
  try {
    writeSync(writer, text)
    return openSync(path, 'r')
  } finally {
    closeSync(writer)
    rmSync(path)
  }
}
