// Data that will replace what the data folder has, for example after a reset: it is prepared beside the current data,
// and takes its place at the next start of the hub. Until `commit` nothing has changed; after it the replacement
// happens, whatever interrupts it.
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { syncTree } from '../../data-files/fsync.ts'
import { REPLACED_PREFIX, RESTORE_PLAN_FILE, STAGING_PREFIX } from '../data-folder/entries.ts'
import { fileTime } from '../database/copies.ts'
import { writeRestorePlan } from './restore-plan.ts'

export interface CommitOptions {
  /** Entries of the data folder that give way. An entry that is neither among them nor new stays. */
  old: string[]
  /** Whether the old entries are deleted; otherwise they stay in a folder whose name starts with `replaced-`. */
  isDiscarded: boolean
}

/** A name that is free in a folder: two replacements within a second have different ones. */
function uniqueName(folder: string, name: string): string {
  let free = name
  for (let n = 2; existsSync(join(folder, free)); n++) free = `${name}-${n}`
  return free
}

/** Deletes prepared data that was never committed. */
export function removeStaging(data: string): void {
  if (existsSync(join(data, RESTORE_PLAN_FILE))) return
  for (const name of readdirSync(data))
    if (name.startsWith(STAGING_PREFIX) || name === `${RESTORE_PLAN_FILE}.part`)
      rmSync(join(data, name), { recursive: true, force: true })
}

export class DataReplacement {
  readonly #data: string
  readonly #staging: string
  readonly #replaced: string
  /** Folder for the new entries. */
  readonly folder: string

  /** @param data the data folder, whose lock the caller has */
  constructor(data: string) {
    const time = fileTime()
    this.#data = data
    this.#staging = uniqueName(data, `${STAGING_PREFIX}${time}`)
    this.#replaced = uniqueName(data, `${REPLACED_PREFIX}${time}`)
    this.folder = join(data, this.#staging)
    mkdirSync(this.folder, { mode: 0o700 })
  }

  /** Lets the new entries replace the old ones at the next start of the hub, or with `finishRestore`. */
  commit(options: CommitOptions): void {
    syncTree(this.folder)
    writeRestorePlan(this.#data, { staging: this.#staging, replaced: this.#replaced, ...options })
  }

  discard(): void {
    rmSync(this.folder, { recursive: true, force: true })
  }
}
