// Stored configuration of channels. The stream engine has the observed state of a channel.
import { randomUUID } from 'node:crypto'
import type { SettingColumns } from '../../contract/setting.schema.ts'
import { CHANNEL_SETTINGS, type StoredChannelSettings } from '../../contract/stream/channel-settings.schema.ts'
import type { WantedHold } from '../../engine/interfaces/channel.ts'
import type { Database } from '../database/database.ts'
import { createQueryCache } from '../database/query-cache.ts'
import { assignments, readSetting, readSettings, toColumns } from './stored-settings.ts'

/** The columns of a channel: its own, and those of its settings. */
export type ChannelRow = {
  id: number
  name: string
  enable: number
  input_id: number | null
  /** JSON; empty: the failover rule chooses. */
  hold: string
} & SettingColumns<typeof CHANNEL_SETTINGS>

/** The settings of a channel, other than its backups. */
export const channelSettings = (row: ChannelRow): StoredChannelSettings => readSettings(CHANNEL_SETTINGS, row)

/** One setting of a channel. */
export const channelSetting = <Name extends keyof StoredChannelSettings>(
  row: ChannelRow,
  name: Name
): StoredChannelSettings[Name] => readSetting(CHANNEL_SETTINGS, name, row)

/** Keys of a channel, which are unique in the hub. */
export type ChannelKeys = Pick<StoredChannelSettings, 'play-key' | 'push-key'>

/** A new stream key. @param prefix the kind of the key */
export const newStreamKey = (prefix: string): string => `${prefix}-${randomUUID().toUpperCase()}`

/** Keys for a new channel. */
export const newChannelKeys = (): ChannelKeys => ({
  'play-key': newStreamKey(CHANNEL_SETTINGS['play-key'].key.prefix),
  'push-key': newStreamKey(CHANNEL_SETTINGS['push-key'].key.prefix)
})

/** What an operator has put on air; undefined if the failover rule chooses. */
export const holdOf = (row: ChannelRow): WantedHold | undefined => (row.hold ? JSON.parse(row.hold) : undefined)

/** Table and node column of each kind of output: those that users created, and devices. */
const OUTPUT_TABLES = [
  ['channel_output', 'output_id'],
  ['channel_device', 'device_id']
] as const

/** A device that plays a channel. */
export interface DeviceOutputRow {
  /** Node ID of the device. */
  id: number
  channel_id: number
  /** Whether the output is switched on. */
  enable: number
}

export type Channels = ChannelRepository & ChannelInputRepository & ChannelOutputRepository
type ChannelRepository = ReturnType<typeof channelRepository>
type ChannelInputRepository = ReturnType<typeof inputRepository>
type ChannelOutputRepository = ReturnType<typeof outputRepository>

export function channels(database: Database): Channels {
  return { ...channelRepository(database), ...inputRepository(database), ...outputRepository(database) }
}

function channelRepository(database: Database) {
  const rows = createQueryCache(database, ['channel'], (_all: 'all') =>
    database.all<ChannelRow>('SELECT * FROM channel ORDER BY id')
  )
  return {
    all: (): readonly ChannelRow[] => rows('all') ?? [],
    byId: (id: number) => database.get<ChannelRow>('SELECT * FROM channel WHERE id = ?', id),
    byName: (name: string) => database.get<ChannelRow>('SELECT * FROM channel WHERE name = ?', name),
    /** The channel with this play key or push key. Keys are unique in the hub. */
    byKey: (key: string) => database.get<ChannelRow>('SELECT * FROM channel WHERE play_key = ?1 OR push_key = ?1', key),
    /** @returns the new ID */
    add(name: string, keys: ChannelKeys): number {
      const columns = toColumns(CHANNEL_SETTINGS, keys)
      const names = Object.keys(columns).join(', ')
      return database.run(`INSERT INTO channel (name, ${names}) VALUES (?, ?, ?)`, name, ...Object.values(columns)).id
    },
    setName(id: number, name: string): void {
      database.run('UPDATE channel SET name = ? WHERE id = ?', name, id)
    },
    /** Stores the given settings, and removes those that are undefined. */
    setSettings(id: number, values: Partial<StoredChannelSettings>): void {
      const row = database.get<ChannelRow>('SELECT * FROM channel WHERE id = ?', id)
      const columns = toColumns(CHANNEL_SETTINGS, values, row)
      database.run(`UPDATE channel SET ${assignments(columns)} WHERE id = ?`, ...Object.values(columns), id)
    },
    /** A channel that is stopped forgets what an operator has put on air. */
    setEnable(id: number, enable: boolean): void {
      database.run("UPDATE channel SET enable = ?1, hold = iif(?1, hold, '') WHERE id = ?2", enable ? 1 : 0, id)
    },
    /** @param hold the failover rule chooses if undefined */
    setHold(id: number, hold?: WantedHold): void {
      database.run('UPDATE channel SET hold = ? WHERE id = ?', hold ? JSON.stringify(hold) : '', id)
    },
    remove(id: number): void {
      database.run('DELETE FROM channel WHERE id = ?', id)
    }
  }
}

function inputRepository(database: Database) {
  const selectNodeIds = (sql: string, id: number) =>
    database.all<{ node_id: number }>(sql, id).map(({ node_id }) => node_id)
  return {
    /** The channels that use a node as their input or as a backup. */
    byInput: (input: number) =>
      database.all<ChannelRow>(
        `SELECT * FROM channel WHERE input_id = ?1
         OR id IN (SELECT channel_id FROM channel_backup WHERE node_id = ?1) ORDER BY id`,
        input
      ),
    /** Node IDs of the input and all backups. */
    inputIds: (id: number) =>
      selectNodeIds(
        `SELECT input_id AS node_id FROM channel WHERE id = ?1 AND input_id IS NOT NULL
         UNION SELECT node_id FROM channel_backup WHERE channel_id = ?1`,
        id
      ),
    setInput(id: number, input: number | null): void {
      database.run('UPDATE channel SET input_id = ? WHERE id = ?', input, id)
    },
    /** Node IDs of the backups in failover order. */
    backupIds: (id: number) =>
      selectNodeIds('SELECT node_id FROM channel_backup WHERE channel_id = ? ORDER BY place', id),
    setBackups(id: number, nodes: readonly number[]): void {
      database.run('DELETE FROM channel_backup WHERE channel_id = ?', id)
      for (const [place, node] of nodes.entries())
        database.run('INSERT INTO channel_backup (channel_id, place, node_id) VALUES (?, ?, ?)', id, place, node)
    }
  }
}

function outputRepository(database: Database) {
  /** Runs a statement for each kind of output until one changes a row. @returns whether one did */
  const runForOutput = (sqlFor: (table: string, nodeColumn: string) => string, ...values: number[]) =>
    OUTPUT_TABLES.some(([table, nodeColumn]) => database.run(sqlFor(table, nodeColumn), ...values).changes > 0)
  return {
    /** IDs of the outputs that users created. */
    outputIds: (id: number) =>
      database
        .all<{ output_id: number }>('SELECT output_id FROM channel_output WHERE channel_id = ? ORDER BY rowid', id)
        .map((row) => row.output_id),
    addOutput(id: number, output: number): void {
      database.run('INSERT INTO channel_output (output_id, channel_id) VALUES (?, ?)', output, id)
    },
    /** The devices that play a channel, in the order in which they were added. */
    deviceOutputs: (id: number) =>
      database.all<DeviceOutputRow>(
        'SELECT device_id AS id, channel_id, enable FROM channel_device WHERE channel_id = ? ORDER BY rowid',
        id
      ),
    /** The channel output of a device; undefined if the device plays no channel. */
    deviceOutputOf: (device: number) =>
      database.get<DeviceOutputRow>(
        'SELECT device_id AS id, channel_id, enable FROM channel_device WHERE device_id = ?',
        device
      ),
    allDeviceOutputs: () =>
      database.all<DeviceOutputRow>('SELECT device_id AS id, channel_id, enable FROM channel_device'),
    addDeviceOutput(id: number, device: number): void {
      database.run('INSERT INTO channel_device (device_id, channel_id) VALUES (?, ?)', device, id)
    },
    /** @param output an output or a device. @returns whether it is an output of the channel */
    setOutputEnable: (id: number, output: number, enable: boolean): boolean =>
      runForOutput(
        (table, node) => `UPDATE ${table} SET enable = ? WHERE channel_id = ? AND ${node} = ?`,
        enable ? 1 : 0,
        id,
        output
      ),
    /** @param output an output or a device. @returns whether it was an output of the channel */
    removeOutput: (id: number, output: number): boolean =>
      runForOutput((table, node) => `DELETE FROM ${table} WHERE channel_id = ? AND ${node} = ?`, id, output)
  }
}
