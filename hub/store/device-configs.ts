// Stream configurations of single devices (docs/wire.md, Devices). They are few and part of each device list, so they
// are kept in memory.
import type { DeviceConfig } from '../../contract/device/config.ts'
import type { Database } from '../database/database.ts'

export function deviceConfigs(database: Database) {
  let cache: Map<number, DeviceConfig> | undefined
  // Also after a rollback of a transaction in which they were read.
  database.watchTable('device_config', () => {
    cache = undefined
  })

  function readAll(): Map<number, DeviceConfig> {
    cache ??= new Map(
      database
        .all<{ id: number; config: string }>('SELECT device_id AS id, config FROM device_config')
        .map(({ id, config }) => [id, JSON.parse(config)])
    )
    return cache
  }

  return {
    /** The configuration of a device; undefined if the global one applies. Device IDs are never reused. */
    get: (id: number): DeviceConfig | undefined => readAll().get(id),
    /** Stores a configuration, or removes it if it is empty. Called within a transaction. */
    set(id: number, config: DeviceConfig): void {
      database.run('DELETE FROM device_config WHERE device_id = ?', id)
      if (Object.keys(config).length > 0)
        database.run('INSERT INTO device_config (device_id, config) VALUES (?, ?)', id, JSON.stringify(config))
    }
  }
}

export type DeviceConfigs = ReturnType<typeof deviceConfigs>
