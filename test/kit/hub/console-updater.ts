// A console updater with real files, two signed test updates, and helpers to inspect it.
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { ConsoleUse, UpdateStatus } from '../../../contract/update.ts'
import { UploadRefused } from '../../../hub/firmware/uploads.ts'
import { ConsoleUpdater, type ConsoleUpdaterOptions } from '../../../hub/upgrade/console-updater.ts'
import { DEVELOPMENT_KEY } from '../../../pack/keys.ts'
import { createTestUpdate, writeConsole } from './console-update.ts'

/** Temporary folder of all updaters of a test file. */
export const folder = mkdtempSync(join(tmpdir(), 'headend-console-'))

/** Folder of the built-in console. */
export const dist = join(folder, 'dist')
writeConsole('0', dist)

export const ONE = createTestUpdate('1')
export const TWO = createTestUpdate('2', { version: '1.0.1' })
/** File name of the script of a console. */
export const script = (mark: string) => `app-${mark.repeat(8)}.js`

let hubCount = 0
const openUpdaters: ConsoleUpdater[] = []

export function closeUpdaters(): void {
  for (const updater of openUpdaters.splice(0)) updater.close()
}

export function removeFolder(): void {
  rmSync(folder, { recursive: true, force: true })
}

export interface TestUpdater extends ConsoleUpdater {
  data: string
  events: string[]
  /** Mark of the console that is served. */
  servedMark(): string
  uploadBytes(bytes: Uint8Array): ReturnType<ConsoleUpdater['upload']>
}

/** Starts a console updater on a data folder, as a hub does. */
export function startUpdater(
  data = join(folder, `hub-${hubCount++}`),
  options: Partial<ConsoleUpdaterOptions> = {}
): TestUpdater {
  const events: string[] = []
  let root = dist
  const updater = new ConsoleUpdater({
    data,
    dist,
    version: '0.9.0',
    trusted: [DEVELOPMENT_KEY],
    onChange() {},
    logEvent: ({ event, detail }) => events.push(`${event} ${detail}`),
    serveFolder(served) {
      root = served
    },
    ...options
  })
  openUpdaters.push(updater)
  updater.start()
  return Object.assign(updater, {
    data,
    events,
    servedMark: () => /console (.)$/.exec(readFileSync(join(root, 'index.html'), 'utf8'))?.[1] ?? '',
    uploadBytes: (bytes: Uint8Array) => updater.upload(bytes.length, async (write) => write(bytes))
  })
}

export async function installUpdate(updater: TestUpdater, bytes: Uint8Array, force = false): Promise<void> {
  updater.install((await updater.uploadBytes(bytes)).id, force)
}

/** The code and fault with which an operation is refused. */
export async function refusal(
  operation: Promise<unknown> | (() => unknown)
): Promise<{ code: number; fault: unknown }> {
  try {
    await (typeof operation === 'function' ? operation() : operation)
  } catch (error) {
    if (error instanceof UploadRefused) return { code: error.code, fault: error.extra['update-fault'] }
    throw error
  }
  throw new Error('The operation was not refused.')
}

/** Names of files in the console folder of a hub. */
export const listFiles = (data: string): string[] =>
  existsSync(join(data, 'console')) ? readdirSync(join(data, 'console')).sort() : []

export const describeSlots = ({ consoles }: UpdateStatus) =>
  consoles.map(({ slot, version, use }) => `${slot} ${version} ${use}`)

/** The slot of the console with this use. */
export const slotWithUse = (updater: ConsoleUpdater, use: ConsoleUse) =>
  updater.status().consoles.find((entry) => entry.use === use)?.slot
