import { Refusal } from '../pack/refusal.ts'

/** Runs a verb. A refusal is said and makes the status 1; anything else is a fault of ours and keeps its stack. */
export function runVerb(verb: () => void): void {
  try {
    verb()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}
