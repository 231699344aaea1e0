// Temporary folders. A folder whose process was killed is removed by the next process.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'headend-pack-'
const FOLDER_NAME = /^headend-pack-(\d+)-/

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // The process exists, but belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Removes the folders of processes that no longer run. */
function removeStaleFolders(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = FOLDER_NAME.exec(name) ?? []
    if (!pid || isAlive(Number(pid))) continue
    try {
      rmSync(join(parent, name), { recursive: true, force: true })
    } catch {
      // Belongs to another user, who will remove it.
    }
  }
}

/**
 * Calls `work` with a new temporary folder and removes the folder afterwards.
 * @param parent folder that contains it; the system's folder for temporary files by default
 */
export function withTemporaryFolder<Result>(work: (folder: string) => Result, parent = tmpdir()): Result {
  mkdirSync(parent, { recursive: true })
  removeStaleFolders(parent)
  const folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`))
  try {
    return work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
