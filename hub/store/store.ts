// All that the hub keeps, behind one door: the repositories, the change counter, and writes that leave a line in the log.
import { join } from 'node:path'
import type { LogEvent } from '../../contract/events.ts'
import { LOG_INFO } from '../../contract/log.ts'
import { type Catalogs, catalogs } from './catalogs.ts'
import { type Changes, createChanges } from './changes.ts'
import { type Channels, channels } from './channels.ts'
import { type Database, openDatabase } from './database.ts'
import { type DeviceAddresses, deviceAddresses } from './device-addresses.ts'
import { type DeviceConfigs, deviceConfigs } from './device-configs.ts'
import { type Devices, devices } from './devices.ts'
import { type FirmwareStore, firmware } from './firmware.ts'
import { type Logs, logs } from './logs.ts'
import { type Rollouts, rollouts } from './rollouts.ts'
import { type SettingsStore, settings } from './settings.ts'
import { type Sources, sources } from './sources.ts'
import { type Tokens, tokens } from './tokens.ts'
import { type Users, users } from './users.ts'

/** A line of the event log as it is written: its time is now, its level information unless given. */
export interface EventLine {
  event: LogEvent
  detail?: string
  level?: number
  /** With a serial it goes to the device log, without to the system log. */
  sn?: string
}

export interface Store {
  readonly database: Database
  readonly changes: Changes
  readonly users: Users
  readonly tokens: Tokens
  readonly devices: Devices
  readonly deviceConfigs: DeviceConfigs
  readonly deviceAddresses: DeviceAddresses
  readonly catalogs: Catalogs
  readonly sources: Sources
  readonly channels: Channels
  readonly firmware: FirmwareStore
  readonly rollouts: Rollouts
  readonly logs: Logs
  readonly settings: SettingsStore
  /**
   * Writes down what happened. Inside a transaction it is part of it, else it is gathered with what else comes. Of a device's refused
   * attempts only so many a minute.
   */
  note(line: EventLine): void
  close(): void
}

/** @param data folder of the database file; `:memory:` for tests that need no file */
export function openStore(data: string): Store {
  const database = openDatabase(data === ':memory:' ? data : join(data, 'headend.sqlite'))
  const changes = createChanges()
  const configured = settings(database)
  const log = logs(database, () => configured.get('log'))
  return {
    database,
    changes,
    users: users(database),
    tokens: tokens(database),
    devices: devices(database),
    deviceConfigs: deviceConfigs(database),
    deviceAddresses: deviceAddresses(database, data),
    catalogs: catalogs(database),
    sources: sources(database),
    channels: channels(database),
    firmware: firmware(database),
    rollouts: rollouts(database),
    logs: log,
    settings: configured,
    note({ event, detail = '', level = LOG_INFO, sn = '' }) {
      const line = { time: Date.now(), level, event, detail, sn }
      if (database.soon(() => log.addEvent(sn ? 'device' : 'system', line))) changes.bump('log')
    },
    close: () => database.close()
  }
}
