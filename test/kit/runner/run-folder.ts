// The temporary folder of a run, which holds one for each test file. A run removes its own at the end, and those of
// runs that were killed.
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'headend-test-'

/** Makes the folder of this run. Short, because the paths of sockets in it have at most 107 characters. */
export function makeRunFolder(): string {
  for (const name of readdirSync(tmpdir())) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? []
    if (pid && !isAlive(Number(pid))) remove(join(tmpdir(), name))
  }
  const folder = mkdtempSync(join(tmpdir(), `${PREFIX}${process.pid}-`))
  // Programs that run as another user read files in it.
  chmodSync(folder, 0o755)
  return folder
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Makes the temporary folder of a test file.
 * @param number of the file in this run. No other file has it: a program that outlives its test may write to the folder
 */
export function makeFileFolder(runFolder: string, number: number): string {
  const folder = join(runFolder, String(number))
  mkdirSync(folder)
  // As `/tmp`: programs that run as another user write to it, too.
  chmodSync(folder, 0o1777)
  return folder
}

/** Removes a folder. @returns the names of its entries */
export function removeFolder(folder: string): string[] {
  const names = readdirSync(folder)
  remove(folder)
  return names
}

function remove(folder: string): void {
  try {
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  } catch (error) {
    console.error(`A temporary folder cannot be removed: ${error}`)
  }
}
