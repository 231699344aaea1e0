// Folders for what is being made, beside what is there. One whose maker was killed is removed by the next maker.
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'headend-pack-'
const FOLDER_NAME = /^headend-pack-(\d+)-/

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // There, but somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Removes what was left by makers that are gone. */
function removeStaleFolders(parent: string): void {
  for (const name of readdirSync(parent)) {
    const [, pid] = FOLDER_NAME.exec(name) ?? []
    if (!pid || isAlive(Number(pid))) continue
    try {
      rmSync(join(parent, name), { recursive: true, force: true })
    } catch {
      // Somebody else's, who will remove it.
    }
  }
}

/**
 * Does something in a folder of its own, which is then removed.
 * @param parent where it lies; the machine's place for such things
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
