// The machine that a licence is for.
import { createHash, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** Separates this use of the machine's id from others, as its manual asks for. */
const PURPOSE = 'headend licence'
const MACHINE_ID_FILES = ['/etc/machine-id', '/var/lib/dbus/machine-id']

/**
 * Fingerprint of this machine: 32 hexadecimal digits from its machine id, which itself is not shown to anybody. A
 * machine without an id has another fingerprint after each start, so that no licence fits.
 */
export function machineFingerprint(): string {
  const id = MACHINE_ID_FILES.map(readId).find(Boolean) ?? randomUUID()
  return createHash('sha256').update(`${PURPOSE}\0${id}`).digest('hex').slice(0, 32)
}

function readId(path: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return ''
  }
}
