// Folders for sockets and configurations of the programs that the hub runs: nobody else may look inside, and none outlives its hub for long.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/**
 * Makes one, short enough in name for the path of a socket. What hubs left behind that were killed is removed.
 * @param use letters that tell what it is for
 */
export function privateFolder(use: string): string {
  const begins = `headend-${use}-`
  for (const name of readdirSync(tmpdir())) {
    if (!name.startsWith(begins)) continue
    const pid = Number.parseInt(name.slice(begins.length), 10)
    if (pid !== process.pid && !runs(pid)) removeFolder(join(tmpdir(), name))
  }
  return mkdtempSync(join(tmpdir(), `${begins}${process.pid}-`))
}

/** Removes what is there and may be removed: another user's stays. */
export function removeFolder(path: string): void {
  try {
    rmSync(path, { recursive: true, force: true })
  } catch {}
}

function runs(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
