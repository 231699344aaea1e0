// Connection configurations of devices (reference 4.6). Few devices have one of their own: held in memory, since lists tell of each.
import type { DeviceConfig } from '../../contract/device/config.ts'
import type { Database } from './database.ts'

export function deviceConfigs(database: Database) {
  let held: Map<number, DeviceConfig> | undefined

  function all(): Map<number, DeviceConfig> {
    held ??= new Map(
      database
        .all<{ id: number; config: string }>('SELECT device_id AS id, config FROM device_config')
        .map(({ id, config }) => [id, JSON.parse(config)])
    )
    return held
  }

  return {
    /** By the device's id; undefined where the global one applies. Ids are never given twice. */
    of: (id: number): DeviceConfig | undefined => all().get(id),
    /** An empty one is none. Within a transaction. */
    set(id: number, config: DeviceConfig): void {
      // Read again when it is asked for next: the transaction may be taken back.
      held = undefined
      database.run('DELETE FROM device_config WHERE device_id = ?', id)
      if (Object.keys(config).length > 0)
        database.run('INSERT INTO device_config (device_id, config) VALUES (?, ?)', id, JSON.stringify(config))
    }
  }
}

export type DeviceConfigs = ReturnType<typeof deviceConfigs>
