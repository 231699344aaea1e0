// Everything about firmware in one place: the files, their uploads, the rollouts.

import type { DeviceLinks } from '../devices/link/links.ts'
import type { Registry } from '../devices/registry.ts'
import type { Store } from '../store/store.ts'
import { openFolder } from './folder.ts'
import { createRollouts } from './rollouts.ts'
import { createUpdater, TIMING, type UpdateTiming } from './update.ts'
import { createUploads } from './uploads.ts'

export interface FirmwareOptions {
  /** The hub's folder. */
  data: string
  store: Store
  links: Pick<DeviceLinks, 'request' | 'upload'>
  registry: Registry
  /** Bytes that are free, where not the file system is to be asked. */
  free?: () => Promise<number>
  timing?: Partial<UpdateTiming>
}

/** Milliseconds for which an upload is kept that nothing more comes of, and between two looks for such. */
const UPLOAD_KEPT = 24 * 3_600_000
const CLEAN_EVERY = 3_600_000

export type FirmwareParts = ReturnType<typeof createFirmware>

export function createFirmware({ data, store, links, registry, free, timing }: FirmwareOptions) {
  const folder = openFolder(data)
  const idOf = (file: string) => file.replace(/\.mwf$/, '')
  const clean = () => folder.clean(UPLOAD_KEPT, new Set(store.firmware.all().map(({ file }) => idOf(file))))
  clean()
  const cleaning = setInterval(clean, CLEAN_EVERY).unref()
  const updater = createUpdater({
    links,
    linkOf: (sn) => registry.live(sn)?.since ?? 0,
    versionOf: (sn) => store.devices.bySerial(sn)?.firmware_ver,
    apiOf: (sn) => store.devices.bySerial(sn)?.api,
    timing: { ...TIMING, ...timing }
  })
  return {
    folder,
    uploads: createUploads(folder, free),
    rollouts: createRollouts({ store, updater, pathOf: (file) => folder.path(idOf(file)) }),
    close(): void {
      clearInterval(cleaning)
      this.rollouts.close()
      folder.close()
    }
  }
}
