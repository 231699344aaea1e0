// What the hub keeps of each device. What a device says of itself right now is not here: `hub/devices/registry.ts`.
import { ALL_GROUPS, type Visibility } from '../../contract/device/device.ts'
import type { DeviceHello } from '../../contract/device/link.ts'
import type { Database } from './database.ts'
import { createRows } from './device-rows.ts'

export interface DeviceRow {
  readonly id: number
  readonly sn: string
  readonly name: string
  readonly module: number
  readonly module_name: string
  readonly product_id: number
  readonly hardware_ver: string
  readonly firmware_ver: string
  readonly dir: number
  readonly api: DeviceHello['api']
  readonly preview: number
  readonly key_hash: string
  readonly reg_state: number
  readonly apply_date: number
  readonly offline_date: number
  readonly connect_ip: string
  readonly catalog_id: number
  readonly is_favorite: number
  readonly is_inherit: number
  readonly group_mask: number
  readonly usr_mask: number
}

export function devices(database: Database) {
  const rows = createRows<DeviceRow>(database)
  return {
    /** All, oldest first. */
    all: rows.all,
    bySerial: rows.bySerial,
    byId: rows.byId,
    /** Moves on with each write to any of them. */
    get version() {
      return rows.version
    },
    /** Ids of those written after a version; undefined when that can no longer be told. */
    touchedSince: rows.touchedSince,
    /** How many there are in a registration state. */
    countIn: (state: number) =>
      database.get<{ n: number }>('SELECT count(*) AS n FROM device WHERE reg_state = ?', state)?.n ?? 0,
    /** @returns the new node id */
    add(hello: DeviceHello, keyHash: string, state: number, address: string, now: number): number {
      const { id } = database.run('INSERT INTO node DEFAULT VALUES')
      database.run(
        `INSERT INTO device (id, sn, name, module, module_name, product_id, hardware_ver, firmware_ver, dir, api, preview,
          key_hash, reg_state, apply_date, connect_ip) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
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
        address
      )
      return id
    },
    /** Takes over what a known device says of itself when it dials in again. @returns whether anything differs */
    refresh(hello: DeviceHello, address: string): boolean {
      const values = [
        hello.name,
        hello['module-name'],
        hello['hardware-ver'],
        hello['firmware-ver'],
        hello.dir,
        hello.api,
        hello.preview ? 1 : 0,
        address
      ] as const
      return (
        database.run(
          `UPDATE device SET name = ?1, module_name = ?2, hardware_ver = ?3, firmware_ver = ?4, dir = ?5, api = ?6,
            preview = ?7, connect_ip = ?8 WHERE sn = ?9 AND (name, module_name, hardware_ver, firmware_ver, dir, api, preview,
            connect_ip) IS NOT (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)`,
          ...values,
          hello.sn
        ).changes > 0
      )
    },
    setName(sn: string, name: string): void {
      database.run('UPDATE device SET name = ? WHERE sn = ?', name, sn)
    },
    setState(sn: string, state: number): void {
      database.run('UPDATE device SET reg_state = ? WHERE sn = ?', state, sn)
    },
    /** Since when it is offline, milliseconds since the epoch; 0 = it is online. */
    setOffline(sn: string, since: number): void {
      database.run('UPDATE device SET offline_date = ? WHERE sn = ?', since, sn)
    },
    /** After a start of the hub no device is online yet: those that were are offline since then. */
    allOffline(since: number): void {
      database.run('UPDATE device SET offline_date = ? WHERE offline_date = 0', since)
    },
    /** Who may see it; without masks those it has stay as they are. */
    setSecurity(id: number, inherit: boolean, masks?: Visibility): void {
      database.run('UPDATE device SET is_inherit = ? WHERE id = ?', inherit ? 1 : 0, id)
      if (!masks) return
      const { 'group-mask': groups, 'usr-mask': users } = masks
      database.run('UPDATE device SET group_mask = ?, usr_mask = ? WHERE id = ?', groups, users, id)
    },
    /** Marks it for the user `bit`, or takes that user's mark away. */
    setFavorite(id: number, bit: number, favorite: boolean): void {
      database.run(`UPDATE device SET is_favorite = is_favorite ${favorite ? '| ?' : '& ~?'} WHERE id = ?`, bit, id)
    },
    /** Takes a user's bit out of everything, so that nobody who is given it later inherits what was his. */
    forgetUser(bit: number): void {
      database.run('UPDATE device SET usr_mask = usr_mask & ~?1, is_favorite = is_favorite & ~?1', bit)
    },
    /** The same for a user group. A mask of all groups, also of those to come, stays one. */
    forgetGroup(bit: number): void {
      database.run('UPDATE device SET group_mask = group_mask & ~? WHERE group_mask <> ?', bit, ALL_GROUPS)
    },
    remove(id: number): void {
      database.run('DELETE FROM device WHERE id = ?', id)
      database.run('DELETE FROM node WHERE id = ?', id)
    }
  }
}

export type Devices = ReturnType<typeof devices>
