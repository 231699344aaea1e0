// The confirmed ports on disk. Replaced atomically, and durable when `save` returns.
import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { parseStored, type StoredPorts } from './protocol.ts'

/** All ports are open, as before the first change. */
export const OPEN: StoredPorts = { id: '0'.repeat(16), mode: 1, ranges: [], console: [] }

export interface PortStore {
  /** @throws Error if the disk fails */
  load(): StoredPorts
  /** @throws Error if the disk fails; the former ports are then still stored */
  save(ports: StoredPorts): void
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  fsyncSync(handle)
  closeSync(handle)
}

/** @param report gets a message if the file is damaged; all ports are then open */
export function portStore(folder: string, report: (message: string) => void): PortStore {
  const path = join(folder, 'ports.json')
  return {
    load() {
      let text: string
      try {
        text = readFileSync(path, 'utf8')
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return OPEN
        throw error
      }
      const stored = parseStored(text)
      if (!stored) report(`${path} is damaged: all ports are open`)
      return stored ?? OPEN
    },
    save(ports) {
      const handle = openSync(`${path}.new`, 'w', 0o600)
      try {
        writeSync(handle, JSON.stringify(ports))
        fsyncSync(handle)
      } finally {
        closeSync(handle)
      }
      renameSync(`${path}.new`, path)
      syncFolder(folder)
    }
  }
}
