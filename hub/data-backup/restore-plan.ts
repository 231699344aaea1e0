// The plan of a restore or reset whose checks are done: which entries of the data folder give way to which. It is
// carried out by renames, each of which can be repeated, so a restore that was interrupted is finished by the next
// restore or the next start of the hub.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile, syncPath } from '../../data-files/fsync.ts'
import { RESTORE_PLAN_FILE } from '../data-folder/entries.ts'

/** Names are entries of the data folder. */
export interface RestorePlan {
  /** Folder with the new entries. */
  staging: string
  /** Folder to which the old entries are moved. */
  replaced: string
  /** Entries that are moved there. */
  old: string[]
  /** The old entries are deleted at the end; otherwise they stay in `replaced`. */
  isDiscarded?: boolean
}

/** Writes the plan. From then on the restore happens, whatever interrupts it. */
export function writeRestorePlan(data: string, plan: RestorePlan): void {
  replaceFile(join(data, RESTORE_PLAN_FILE), JSON.stringify(plan))
}

/** Moves the old entries away and the new ones to their places. Each step is repeatable. */
function replaceEntries(data: string, { staging, replaced, old }: RestorePlan): void {
  const kept = join(data, replaced)
  mkdirSync(kept, { recursive: true, mode: 0o700 })
  for (const name of old) {
    // If the entry was moved before, the one that is there now is the restored one.
    const wasMoved = existsSync(join(kept, name))
    if (!wasMoved && existsSync(join(data, name))) renameSync(join(data, name), join(kept, name))
  }
  syncPath(kept)
  const newNames = existsSync(join(data, staging)) ? readdirSync(join(data, staging)) : []
  for (const name of newNames) renameSync(join(data, staging, name), join(data, name))
  syncPath(data)
  rmSync(join(data, staging), { recursive: true, force: true })
}

/**
 * Carries out the plan of a restore that has begun. Each step is repeatable. @returns the folder with the replaced
 * data, if there is any
 */
export function finishRestore(data: string): string | undefined {
  const planFile = join(data, RESTORE_PLAN_FILE)
  if (!existsSync(planFile)) return undefined
  const plan = JSON.parse(readFileSync(planFile, 'utf8')) as RestorePlan
  replaceEntries(data, plan)
  const kept = join(data, plan.replaced)
  if (plan.isDiscarded) {
    // Nothing of the new data is moved away if the deletion is interrupted and repeated.
    if (plan.old.length > 0) writeRestorePlan(data, { ...plan, old: [] })
    rmSync(kept, { recursive: true, force: true })
  }
  rmSync(planFile)
  syncPath(data)
  if (!existsSync(kept)) return undefined
  if (readdirSync(kept).length > 0) return kept
  rmSync(kept, { recursive: true })
  return undefined
}
