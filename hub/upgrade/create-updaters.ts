// Creates what updates the console and the whole hub.

import { Subfolder } from '../../data-files/subfolder.ts'
import type { EngineClient } from '../../engine/interfaces/engine-client.ts'
import { ENGINE_PROTOCOL } from '../../engine/interfaces/wire.ts'
import { VERSION } from '../../web-server/version.ts'
import { UPGRADE_FOLDER } from '../data-folder/entries.ts'
import type { Lifetime } from '../lifetime.ts'
import type { Store } from '../store/store.ts'
import { ConsoleUpdater, type ConsoleUpdaterOptions } from './console-updater.ts'
import { OnlineUpgrade } from './online-upgrade.ts'
import { ReleaseUpgrade, type ReleaseUpgradeOptions } from './release-upgrade.ts'
import { SwitchOver } from './switch-over.ts'
import { channelsOnAir } from './trial/trial-report.ts'

interface UpdaterParts {
  store: Store
  lifetime: Lifetime
  engine: EngineClient
  console: Pick<ConsoleUpdaterOptions, 'data' | 'dist' | 'serveFolder'> & Partial<ConsoleUpdaterOptions>
  release: Pick<ReleaseUpgradeOptions, 'updater' | 'trial' | 'endProcess'> & { hardware: string | undefined }
}

export function createUpdaters({ store, lifetime, engine, console, release }: UpdaterParts) {
  const onChange = () => store.changes.markChanged('status')
  const { hardware, ...options } = release
  const releases = lifetime.add(
    new ReleaseUpgrade({
      ...options,
      data: console.data === ':memory:' ? undefined : console.data,
      version: VERSION,
      trusted: console.trusted ?? [],
      machine: { architecture: process.arch, hardware },
      engineProtocol: ENGINE_PROTOCOL,
      engineVersion: engine.version,
      channelsOnAir: () => channelsOnAir({ store, engine }),
      onChange
    })
  )
  const { logEvent } = store
  const consoleUpdater = lifetime.add(
    new ConsoleUpdater({ version: VERSION, trusted: [], releases, onChange, logEvent, ...console })
  )
  const folder = lifetime.add(new Subfolder(console.data, UPGRADE_FOLDER))
  const onlineUpgrade = lifetime.add(
    new OnlineUpgrade({
      store,
      version: VERSION,
      trusted: console.trusted ?? [],
      folder,
      offersReleases: () => releases.isPossible,
      upload: (size, source) => consoleUpdater.upload(size, source),
      onChange
    })
  )
  consoleUpdater.offerOnline(onlineUpgrade)
  const switchOver = new SwitchOver({ engine, logEvent, onChange })
  return { releases, consoleUpdater, onlineUpgrade, switchOver }
}
