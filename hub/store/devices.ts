// Stored data of devices. The current reports of a device are in `hub/devices/registry.ts`.

import { ALL_GROUPS, type Visibility } from '../../contract/access/visibility.ts'
import type { DeviceModel } from '../../contract/device/families.ts'
import type { DeviceHello } from '../../contract/device/link.ts'
import type { Database } from '../database/database.ts'
import { createDeviceCache, type DeviceCache } from './device-cache.ts'

export interface DeviceRow {
  readonly id: number
  readonly sn: string
  readonly name: string
  readonly module: number
  readonly module_name: string
  /** Empty if the device did not report a class. */
  readonly api_class: string
  readonly product_id: number
  readonly hardware_ver: string
  readonly firmware_ver: string
  readonly dir: number
  /** API of the hello. */
  readonly api: string
  readonly preview: number
  readonly key_hash: string
  readonly reg_state: number
  readonly apply_date: number
  readonly offline_date: number
  readonly connect_ip: string
  readonly catalog_id: number
  /** The name of a device that was offline when it got its place, until it has the name of the place; else empty. */
  readonly previous_name: string
  readonly is_favorite: number
  readonly is_inherit: number
  readonly group_mask: number
  readonly usr_mask: number
}

/** The model of a device, for the capabilities of its family. */
export const modelOf = (row: DeviceRow): DeviceModel => ({
  module: row.module,
  'product-id': row.product_id,
  'api-class': row.api_class
})

/** The columns that a device reports in its `hello` besides its name and serial number, and those about its link. */
export const REPORTED_COLUMNS = [
  'module',
  'module_name',
  'api_class',
  'product_id',
  'hardware_ver',
  'firmware_ver',
  'dir',
  'api',
  'preview',
  'key_hash',
  'offline_date',
  'connect_ip'
] as const satisfies readonly (keyof DeviceRow)[]

/** The columns that belong to the hardware. The others belong to its place: its name, its group and who sees it. */
const HARDWARE_COLUMNS = ['sn', ...REPORTED_COLUMNS, 'apply_date'] as const

export class Devices {
  readonly #database: Database
  readonly #cache: DeviceCache<DeviceRow>

  constructor(database: Database) {
    this.#database = database
    this.#cache = createDeviceCache<DeviceRow>(database)
  }

  /** All devices, oldest first. */
  all = (): readonly DeviceRow[] => this.#cache.all()

  bySerial = (sn: string): DeviceRow | undefined => this.#cache.bySerial(sn)

  byId = (id: number): DeviceRow | undefined => this.#cache.byId(id)

  /** Increases with each write to any device. */
  get version(): number {
    return this.#cache.version
  }

  /** IDs of the devices written after a version; undefined if they are no longer known. */
  changedSince(version: number): number[] | undefined {
    return this.#cache.changedSince(version)
  }

  /** Number of devices in a registration state. */
  countByState(state: number): number {
    return this.#database.get<{ n: number }>('SELECT count(*) AS n FROM device WHERE reg_state = ?', state)?.n ?? 0
  }

  /** @returns the new node ID */
  add(hello: DeviceHello, keyHash: string, state: number, address: string, now: number): number {
    const { id } = this.#database.run('INSERT INTO node DEFAULT VALUES')
    this.#database.run(
      `INSERT INTO device (id, sn, name, module, module_name, product_id, hardware_ver, firmware_ver, dir, api, preview,
        key_hash, reg_state, apply_date, connect_ip, api_class) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      id,
      hello.sn,
      hello.name,
      hello.module,
      hello['module-name'],
      hello['product-id'],
      hello['hardware-ver'],
      hello['firmware-ver'],
      hello.dir,
      hello.api,
      hello.preview ? 1 : 0,
      keyHash,
      state,
      now,
      address,
      hello['api-class'] ?? ''
    )
    return id
  }

  /** Stores the report of a known device when it connects again. @returns whether anything changed */
  updateFromHello(hello: DeviceHello, address: string): boolean {
    const { changes } = this.#database.run(
      `UPDATE device SET name = ?1, module_name = ?2, hardware_ver = ?3, firmware_ver = ?4, dir = ?5, api = ?6,
        preview = ?7, connect_ip = ?8, api_class = ?9 WHERE sn = ?10 AND (name, module_name, hardware_ver, firmware_ver,
        dir, api, preview, connect_ip, api_class) IS NOT (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)`,
      hello.name,
      hello['module-name'],
      hello['hardware-ver'],
      hello['firmware-ver'],
      hello.dir,
      hello.api,
      hello.preview ? 1 : 0,
      address,
      hello['api-class'] ?? '',
      hello.sn
    )
    return changes > 0
  }

  setName(sn: string, name: string): void {
    this.#database.run('UPDATE device SET name = ? WHERE sn = ?', name, sn)
  }

  /** @param name empty if the device has the name of its place */
  setPreviousName(sn: string, name: string): void {
    this.#database.run('UPDATE device SET previous_name = ? WHERE sn = ?', name, sn)
  }

  /** @param hash of the key with which the device identifies itself */
  setKey(sn: string, hash: string): void {
    this.#database.run('UPDATE device SET key_hash = ? WHERE sn = ?', hash, sn)
  }

  setRegistrationState(sn: string, state: number): void {
    this.#database.run('UPDATE device SET reg_state = ? WHERE sn = ?', state, sn)
  }

  /** @param since milliseconds since the epoch; 0 = the device is online */
  setOfflineSince(sn: string, since: number): void {
    this.#database.run('UPDATE device SET offline_date = ? WHERE sn = ?', since, sn)
  }

  /** After a start of the hub no device is online yet: sets the devices that were online offline. */
  markAllOffline(since: number): void {
    this.#database.run('UPDATE device SET offline_date = ? WHERE offline_date = 0', since)
  }

  /** @param masks keeps the stored masks if undefined */
  setVisibility(id: number, inherit: boolean, masks?: Visibility): void {
    this.#database.run('UPDATE device SET is_inherit = ? WHERE id = ?', inherit ? 1 : 0, id)
    if (!masks) return
    const { 'group-mask': groups, 'usr-mask': users } = masks
    this.#database.run('UPDATE device SET group_mask = ?, usr_mask = ? WHERE id = ?', groups, users, id)
  }

  /** @param bit the user's ID */
  setFavorite(id: number, bit: number, favorite: boolean): void {
    const operator = favorite ? '| ?' : '& ~?'
    this.#database.run(`UPDATE device SET is_favorite = is_favorite ${operator} WHERE id = ?`, bit, id)
  }

  /** Removes a user's bit from all masks, so that the next user with this ID does not inherit their access. */
  removeUserFromMasks(bit: number): void {
    this.#database.run('UPDATE device SET usr_mask = usr_mask & ~?1, is_favorite = is_favorite & ~?1', bit)
  }

  /** Removes a user group's bit from all masks, except masks of all groups, which include future ones. */
  removeGroupFromMasks(bit: number): void {
    this.#database.run('UPDATE device SET group_mask = group_mask & ~? WHERE group_mask <> ?', bit, ALL_GROUPS)
  }

  /** Exchanges the hardware of two rows. All that refers to a row, such as a channel, then has the other device. */
  exchange(first: DeviceRow, second: DeviceRow): void {
    const assignments = HARDWARE_COLUMNS.map((column) => `${column} = ?`).join(', ')
    const put = (id: number, row: DeviceRow) =>
      this.#database.run(
        `UPDATE device SET ${assignments} WHERE id = ?`,
        ...HARDWARE_COLUMNS.map((column) => row[column]),
        id
      )
    // Serial numbers are unique, also in between.
    put(first.id, { ...first, sn: '' })
    put(second.id, first)
    put(first.id, second)
  }

  remove(id: number): void {
    this.#database.run('DELETE FROM device WHERE id = ?', id)
    this.#database.run('DELETE FROM node WHERE id = ?', id)
  }
}
