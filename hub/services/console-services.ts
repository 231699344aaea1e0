// The files of the console that the hub serves, and their updates.
import { createConsoleFiles } from '../http/console-files.ts'
import type { Store } from '../store/store.ts'
import { createConsoleUpdater } from '../upgrade/console-updater.ts'
import type { HubOptions } from './options.ts'

const DEFAULT_DIST = 'dist'

/** @param version of the hub */
export function createConsoleServices(
  { changes, logEvent }: Pick<Store, 'changes' | 'logEvent'>,
  { data, dist = DEFAULT_DIST, dev, development, consoleUpdater }: HubOptions,
  version: string
) {
  const consoleFiles = createConsoleFiles(dist, dev, development)
  return {
    consoleFiles,
    consoleUpdater: createConsoleUpdater({
      data,
      dist,
      version,
      trusted: [],
      onChange: () => changes.markChanged('status'),
      logEvent,
      serveFolder: consoleFiles.switchTo,
      ...consoleUpdater
    })
  }
}

export type ConsoleServices = ReturnType<typeof createConsoleServices>
