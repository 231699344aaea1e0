import { randomBytes } from 'node:crypto'
import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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
