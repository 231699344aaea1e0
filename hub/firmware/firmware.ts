// Creates the firmware components: the folder of files, uploads, and rollouts.
import type { KeyObject } from 'node:crypto'
import type { DeviceLinks } from '../devices/link/links.ts'
import type { Registry } from '../devices/registry.ts'
import type { Store } from '../store/store.ts'
import { DeviceUpdater, UPDATE_TIMING, type UpdateTiming } from './device-update.ts'
import { FirmwareFolder } from './folder.ts'
import { OnlineFirmware } from './online-firmware.ts'
import { Rollouts } from './rollouts.ts'
import { Uploads } from './uploads.ts'

/** Notifies clients that other devices may have a firmware update now, and of their number. */
export function markUpdatesChanged({ changes }: Pick<Store, 'changes'>): void {
  changes.resetTopic('device')
  changes.markChanged('status')
}

/** Notifies clients of a new firmware file. */
export function markFirmwareAdded(store: Pick<Store, 'changes'>, id: number): void {
  store.changes.markChanged('firmware', id)
  markUpdatesChanged(store)
}

export interface FirmwareOptions {
  /** The hub's data folder. */
  data: string
  store: Store
  links: Pick<DeviceLinks, 'request' | 'upload'>
  registry: Pick<Registry, 'liveState'>
  /** Keys whose lists of releases are accepted; none by default. */
  trusted?: readonly KeyObject[]
  /** Free bytes; by default those of the file system. */
  freeSpace?: () => Promise<number>
  timing?: Partial<UpdateTiming>
}

/** Milliseconds for which an incomplete upload is kept after its last chunk. */
const UPLOAD_MAX_AGE = 24 * 3_600_000
/** Milliseconds between removals of stale uploads. */
const CLEANUP_INTERVAL = 3_600_000

export type FirmwareServices = ReturnType<typeof createFirmware>

export function createFirmware(options: FirmwareOptions) {
  const { data, store, links, registry, trusted = [], freeSpace, timing } = options
  const folder = new FirmwareFolder(data)
  const fileId = (file: string) => file.replace(/\.mwf$/, '')
  const removeStale = () =>
    folder.removeStale(UPLOAD_MAX_AGE, new Set(store.firmware.all().map(({ file }) => fileId(file))))
  removeStale()
  const cleanupTimer = setInterval(removeStale, CLEANUP_INTERVAL).unref()
  const updater = new DeviceUpdater({
    links,
    linkIdOf: (sn) => registry.liveState(sn)?.onlineSince ?? 0,
    versionOf: (sn) => store.devices.bySerial(sn)?.firmware_ver,
    apiOf: (sn) => store.devices.bySerial(sn)?.api,
    timing: { ...UPDATE_TIMING, ...timing }
  })
  const rollouts = new Rollouts({ store, updater, pathOf: (file) => folder.path(fileId(file)) })
  const online = new OnlineFirmware({
    store,
    folder,
    trusted,
    freeSpace: freeSpace ?? folder.freeSpace,
    add(id, name, file) {
      const row = store.database.transaction(() => store.firmware.add({ file: `${id}.mwf`, name, ...file }, Date.now()))
      markFirmwareAdded(store, row)
    },
    onChange: () => store.changes.resetTopic('firmware')
  })
  return {
    folder,
    uploads: new Uploads(folder, freeSpace),
    rollouts,
    online,
    close(): void {
      clearInterval(cleanupTimer)
      online.close()
      rollouts.close()
      folder.close()
    }
  }
}
