// What an upgrade of the whole hub has on disk, in the folder `upgrade` of the data folder
// (docs/architecture/upgrade.md). Each file is replaced atomically, so a power cut leaves the state before a step or
// after it.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import * as z from 'zod'
import { TRIAL_CHECKS } from '../../../contract/update.ts'
import { replaceFile, syncPath } from '../../../data-files/fsync.ts'
import { UPGRADE_FOLDER } from '../../data-folder/entries.ts'

/** A channel that was on air when the upgrade began. */
const TrialChannel = z.object({ id: z.int(), name: z.string() })

/**
 * The trial of a release that has begun. Phases:
 * - `begun`: the data is the data of the release before
 * - `running`: the release before has kept a copy of it, and the release on trial may have changed it
 * - `failed`: the copy is being put back
 */
const Trial = z.object({
  version: z.string(),
  /** Version of the release before, which runs the trial. */
  from: z.string(),
  /** Number of the engine protocol of that version. */
  protocol: z.int(),
  /** Folder of the release on trial. */
  folder: z.string(),
  phase: z.enum(['begun', 'running', 'failed']),
  channels: z.array(TrialChannel),
  /** Version of the release from which streams run; the update service keeps it. */
  engine: z.string().optional(),
  /** The release is the one before, and gets the data that it had. */
  revert: z.literal(true).optional(),
  /** How often the release was started. */
  starts: z.int()
})
export type Trial = z.infer<typeof Trial>

const TrialFailure = z.object({
  version: z.string(),
  /** Milliseconds since the epoch. */
  time: z.int(),
  check: z.enum(TRIAL_CHECKS),
  /** Names of the channels that carried no stream. */
  channels: z.array(z.string()).optional(),
  /** The last lines of the log of the release. */
  lines: z.array(z.string())
})
/** Why the last trial failed. */
export type TrialFailure = z.infer<typeof TrialFailure>

const Former = z.object({ version: z.string(), time: z.int(), protocol: z.int() })
/** The release before the one in use, whose data is kept. */
export type Former = z.infer<typeof Former>

const FILES = { trial: Trial, failure: TrialFailure, former: Former } as const
type Name = keyof typeof FILES

export class UpgradeFiles {
  readonly #folder: string

  /** @param data the data folder */
  constructor(data: string) {
    this.#folder = join(data, UPGRADE_FOLDER)
  }

  pathOf(name: string): string {
    return join(this.#folder, name)
  }

  /** Creates the folder. @returns its path */
  open(): string {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 })
    return this.#folder
  }

  /** @returns undefined if there is no such file, or it is damaged */
  read<N extends Name>(name: N): z.infer<(typeof FILES)[N]> | undefined {
    const path = this.pathOf(`${name}.json`)
    if (!existsSync(path)) return undefined
    try {
      const parsed = FILES[name].safeParse(JSON.parse(readFileSync(path, 'utf8')))
      return parsed.data as z.infer<(typeof FILES)[N]> | undefined
    } catch {
      return undefined
    }
  }

  write<N extends Name>(name: N, value: z.infer<(typeof FILES)[N]>): void {
    this.open()
    replaceFile(this.pathOf(`${name}.json`), JSON.stringify(value))
  }

  remove(...names: string[]): void {
    for (const name of names) rmSync(this.pathOf(name), { recursive: true, force: true })
    if (existsSync(this.#folder)) syncPath(this.#folder)
  }
}
