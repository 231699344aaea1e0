// A process that loses power at a step of its work on files: from the given change of the file system on, none is
// carried out.
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const CHANGES = ['renameSync', 'rmSync', 'mkdirSync', 'writeFileSync'] as const

class PowerLostError extends Error {}

/**
 * Runs `work`, and ends it before its change number `step` of the file system, from 0.
 * @returns whether it was ended; false if it has fewer steps
 */
export function losePowerAt(step: number, work: () => unknown): boolean {
  const originals = CHANGES.map((name) => fs[name])
  let count = 0
  for (const [index, name] of CHANGES.entries()) {
    const original = originals[index] as (...args: unknown[]) => unknown
    Object.assign(fs, {
      [name](...args: unknown[]) {
        if (count >= step) throw new PowerLostError()
        count++
        return original(...args)
      }
    })
  }
  syncBuiltinESMExports()
  try {
    work()
    return false
  } catch (error) {
    if (!(error instanceof PowerLostError)) throw error
    return true
  } finally {
    for (const [index, name] of CHANGES.entries()) Object.assign(fs, { [name]: originals[index] })
    syncBuiltinESMExports()
  }
}
