// The temporary folder of a run, which holds one for each test file. A run removes its own at the end, and those of
// runs that were killed.
import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statfsSync,
  writeFileSync
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const PREFIX = 'headend-test-'

/** Where Linux keeps files in memory. */
const MEMORY_FOLDER = '/dev/shm'

/** Bytes that must be free in memory: several times what the files of a whole run take at a time. */
const MEMORY_MIN = 2 * 2 ** 30

/** Whether files in memory have enough space, and may be programs. */
function isMemoryUsable(): boolean {
  const probe = join(MEMORY_FOLDER, `${PREFIX}${process.pid}-probe`)
  try {
    const { bavail, bsize } = statfsSync(MEMORY_FOLDER)
    if (Math.min(bavail * bsize, process.availableMemory()) < MEMORY_MIN) return false
    writeFileSync(probe, '', { mode: 0o700 })
    // Fails for every user where the file system forbids programs.
    accessSync(probe, constants.X_OK)
    return true
  } catch {
    return false
  } finally {
    rmSync(probe, { force: true })
  }
}

/**
 * The folder in which runs have theirs: that of TMPDIR if it is set. Otherwise one in memory, because databases that
 * write to a disk take a quarter of the processor time of all tests.
 */
const findRunsFolder = () => (!process.env.TMPDIR && isMemoryUsable() ? MEMORY_FOLDER : tmpdir())

/** Makes the folder of this run. Short, because the paths of sockets in it have at most 107 characters. */
export function makeRunFolder(): string {
  const parent = findRunsFolder()
  for (const name of readdirSync(parent)) {
    const [, pid] = new RegExp(`^${PREFIX}(\\d+)-`).exec(name) ?? []
    if (pid && !isAlive(Number(pid))) remove(join(parent, name))
  }
  const folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`))
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
