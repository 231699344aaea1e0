// Makes a backup from within the hub, in a process of its own (see `create.ts`).
import { execFile } from 'node:child_process'
import { resolve } from 'node:path'
import { promisify } from 'node:util'

const PROGRAM = resolve(import.meta.dirname, '../backup-data.ts')

/**
 * Backs up a data folder to a file.
 * @returns the summary, one line
 * @throws Error whose message says why there is no backup
 */
export async function runBackup(data: string, target: string): Promise<string> {
  try {
    const { stdout } = await promisify(execFile)(process.execPath, [PROGRAM, target], {
      env: { ...process.env, DATA: data }
    })
    return stdout.trim()
  } catch (error) {
    throw new Error((error as { stderr?: string }).stderr?.trim() || (error as Error).message)
  }
}
