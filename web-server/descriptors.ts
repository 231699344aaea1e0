// File descriptors of this process. Connections, devices, streams and the database share them.
import { readFileSync } from 'node:fs'

/** Assumed where the system does not tell: the usual limit of a service. */
const DEFAULT = 1024

/** The number of descriptors that the process may have open. */
export function descriptorLimit(): number {
  try {
    const [, limit] = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? []
    return Number(limit) || DEFAULT
  } catch {
    return DEFAULT
  }
}
