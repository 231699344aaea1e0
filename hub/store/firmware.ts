// Metadata of firmware files. The files themselves are in `hub/firmware/folder.ts`.
import { REGISTRATION_STATE } from '../../contract/device/device.ts'
import { isInteractive } from '../../contract/device/families.ts'
import type { FirmwareInfo } from '../../contract/firmware.ts'
import { compareVersions, fitsDevice, formatVersion, modelKey } from '../../contract/mwf.ts'
import type { Database } from '../database/database.ts'
import { createQueryCache } from '../database/query-cache.ts'
import { type DeviceRow, modelOf } from './devices.ts'

export interface FirmwareRow {
  id: number
  /** File name in the hub's firmware folder. */
  file: string
  /** File name of the upload. */
  name: string
  product_id: number
  product_name: string
  /** `product_name` in the spelling of file names, the same for all spellings of a model. */
  model: string
  hardware_ver: string
  major: number
  minor: number
  build: number
  /** Seconds since the epoch. */
  build_time: number
  test: number
  size: number
  sha256: string
  /** Milliseconds since the epoch. */
  added: number
}

interface NewFirmware {
  file: string
  name: string
  info: FirmwareInfo
  size: number
  sha256: string
}

export function firmwareInfoOf(row: FirmwareRow): FirmwareInfo {
  return {
    'product-id': row.product_id,
    'product-name': row.product_name,
    'firmware-id': row.test,
    'marjor-ver': row.major,
    'minor-ver': row.minor,
    'build-number': row.build,
    'build-time': row.build_time,
    'hardware-ver': row.hardware_ver
  }
}

/** The properties of a device that decide which firmware fits it. */
export const firmwareTargetOf = (row: DeviceRow) => ({
  'product-id': row.product_id,
  'module-name': row.module_name,
  'hardware-ver': row.hardware_ver
})

/**
 * Creates a lookup of the firmware updates of devices among all firmware files. It remembers the update of each row,
 * which is another object after a change of the device: every status request asks for all devices.
 */
function createUpdateLookup(files: readonly FirmwareRow[]): (row: DeviceRow) => string | undefined {
  const releases = files.filter(({ test }) => !test).map(firmwareInfoOf)
  const known = new WeakMap<DeviceRow, { update: string | undefined }>()
  const find = (row: DeviceRow): string | undefined => {
    if (row.reg_state !== REGISTRATION_STATE.accepted || !isInteractive(modelOf(row))) return undefined
    const target = firmwareTargetOf(row)
    const versions = releases.filter((file) => fitsDevice(file, target)).map(formatVersion)
    const newest = versions.sort(compareVersions).at(-1)
    return newest !== undefined && compareVersions(newest, row.firmware_ver) > 0 ? newest : undefined
  }
  return (row) => {
    if (releases.length === 0) return undefined
    const remembered = known.get(row) ?? { update: find(row) }
    known.set(row, remembered)
    return remembered.update
  }
}

export function firmware(database: Database) {
  const files = createQueryCache(database, ['firmware'], (_all: 'all') => {
    const rows = database.all<FirmwareRow>(
      'SELECT * FROM firmware ORDER BY model, hardware_ver, major DESC, minor DESC, build DESC'
    )
    return { rows, updateFor: createUpdateLookup(rows) }
  })
  return {
    /** Sorted by product and hardware version, newest firmware version first. */
    all: (): readonly FirmwareRow[] => files('all')?.rows ?? [],
    /**
     * The version of the newest release that fits an accepted device, if it is newer than the firmware of the device.
     */
    updateFor: (row: DeviceRow): string | undefined => files('all')?.updateFor(row),
    byId: (id: number) => database.get<FirmwareRow>('SELECT * FROM firmware WHERE id = ?', id),
    /** The stored file with the same version for the same product and hardware. */
    findSameVersion: (info: FirmwareInfo) =>
      database.get<FirmwareRow>(
        'SELECT * FROM firmware WHERE (model, hardware_ver, major, minor, build) = (?, ?, ?, ?, ?)',
        modelKey(info['product-name']),
        info['hardware-ver'],
        info['marjor-ver'],
        info['minor-ver'],
        info['build-number']
      ),
    /** @returns the new ID */
    add({ file, name, info, size, sha256 }: NewFirmware, now: number): number {
      return database.run(
        `INSERT INTO firmware (file, name, product_id, product_name, model, hardware_ver, major, minor, build, build_time, test,
          size, sha256, added) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        file,
        name,
        info['product-id'],
        info['product-name'],
        modelKey(info['product-name']),
        info['hardware-ver'],
        info['marjor-ver'],
        info['minor-ver'],
        info['build-number'],
        info['build-time'],
        info['firmware-id'] ? 1 : 0,
        size,
        sha256,
        now
      ).id
    },
    remove(id: number): void {
      database.run('DELETE FROM firmware WHERE id = ?', id)
    }
  }
}

export type FirmwareStore = ReturnType<typeof firmware>
