// Creates the firmware components: the folder of files, uploads, and rollouts.
import type { DeviceLinks } from '../devices/link/links.ts'
import type { Registry } from '../devices/registry.ts'
import type { Store } from '../store/store.ts'
import { DeviceUpdater, UPDATE_TIMING, type UpdateTiming } from './device-update.ts'
import { FirmwareFolder } from './folder.ts'
import { Rollouts } from './rollouts.ts'
import { Uploads } from './uploads.ts'

export interface FirmwareOptions {
  /** The hub's data folder. */
  data: string
  store: Store
  links: Pick<DeviceLinks, 'request' | 'upload'>
  registry: Pick<Registry, 'liveState'>
  /** Free bytes; by default those of the file system. */
  freeSpace?: () => Promise<number>
  timing?: Partial<UpdateTiming>
}

/** Milliseconds for which an incomplete upload is kept after its last chunk. */
const UPLOAD_MAX_AGE = 24 * 3_600_000
/** Milliseconds between removals of stale uploads. */
const CLEANUP_INTERVAL = 3_600_000

export type FirmwareServices = ReturnType<typeof createFirmware>

export function createFirmware({ data, store, links, registry, freeSpace, timing }: FirmwareOptions) {
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
  return {
    folder,
    uploads: new Uploads(folder, freeSpace),
    rollouts,
    close(): void {
      clearInterval(cleanupTimer)
      rollouts.close()
      folder.close()
    }
  }
}
