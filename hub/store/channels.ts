// Stored configuration of channels. The stream engine has the observed state of a channel.
import { DEFAULT_HEALTH_BOUNDS, type HealthBounds } from '../../contract/health.ts'
import { SWITCH_AFTER, SWITCH_BACK } from '../../contract/limits.ts'
import type { ChannelNdi, SwitchRule } from '../../contract/stream/channel.ts'
import type { Schedule } from '../../contract/stream/schedule.ts'
import type { WantedHold } from '../../engine/interfaces/channel.ts'
import type { Database } from '../database/database.ts'
import { createQueryCache } from '../database/query-cache.ts'

export interface ChannelRow {
  id: number
  name: string
  enable: number
  play_key: string
  push_key: string
  input_id: number | null
  /** The columns from here on are JSON, except `slate`; empty = default. */
  switch: string
  slate: number
  schedule: string
  reach: string
  ndi: string
  hold: string
  health: string
}

/** Access to a channel at the shared ports of the hub. */
interface SharedPortAccess {
  /** Protocols over which the channel can be played. */
  protocol: { rtmp: boolean; srt: boolean }
  /** Addresses that may play and publish; empty = all. */
  'allow-ip': string[]
  /** Whether a new publisher replaces one that is still sending. */
  'replace-publisher': boolean
}

export const sharedPortAccessOf = (row: ChannelRow): SharedPortAccess => ({
  protocol: { rtmp: true, srt: true },
  'allow-ip': [],
  'replace-publisher': false,
  ...(row.reach && JSON.parse(row.reach))
})

/** The NDI output of the channel itself, if it has one. */
export const ndiOutputOf = (row: ChannelRow): ChannelNdi | undefined => (row.ndi ? JSON.parse(row.ndi) : undefined)

/** What an operator has put on air; undefined if the failover rule chooses. */
export const holdOf = (row: ChannelRow): WantedHold | undefined => (row.hold ? JSON.parse(row.hold) : undefined)

/** Failover rule, slate, schedule and bounds of health of a channel. */
interface ChannelLifeCycle {
  switch: SwitchRule
  slate: boolean
  schedule: Schedule
  health: HealthBounds
}

const DEFAULT_SWITCH: SwitchRule = {
  'after-s': SWITCH_AFTER.default,
  back: 'first',
  'back-after-s': SWITCH_BACK.default
}
const DEFAULT_SCHEDULE: Schedule = { zone: 'UTC', rules: [] }

export function lifeCycleOf(row: ChannelRow): ChannelLifeCycle {
  return {
    switch: row.switch ? JSON.parse(row.switch) : DEFAULT_SWITCH,
    slate: row.slate === 1,
    schedule: row.schedule ? JSON.parse(row.schedule) : DEFAULT_SCHEDULE,
    health: row.health ? JSON.parse(row.health) : DEFAULT_HEALTH_BOUNDS
  }
}

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
    add: (name: string, playKey: string, pushKey: string) =>
      database.run('INSERT INTO channel (name, play_key, push_key) VALUES (?, ?, ?)', name, playKey, pushKey).id,
    set(id: number, name: string, playKey: string, pushKey: string): void {
      database.run('UPDATE channel SET name = ?, play_key = ?, push_key = ? WHERE id = ?', name, playKey, pushKey, id)
    },
    /** A channel that is stopped forgets what an operator has put on air. */
    setEnable(id: number, enable: boolean): void {
      database.run("UPDATE channel SET enable = ?1, hold = iif(?1, hold, '') WHERE id = ?2", enable ? 1 : 0, id)
    },
    /** @param hold the failover rule chooses if undefined */
    setHold(id: number, hold?: WantedHold): void {
      database.run('UPDATE channel SET hold = ? WHERE id = ?', hold ? JSON.stringify(hold) : '', id)
    },
    setLifeCycle(id: number, lifeCycle: ChannelLifeCycle): void {
      database.run(
        'UPDATE channel SET switch = ?, slate = ?, schedule = ?, health = ? WHERE id = ?',
        JSON.stringify(lifeCycle.switch),
        lifeCycle.slate ? 1 : 0,
        JSON.stringify(lifeCycle.schedule),
        JSON.stringify(lifeCycle.health),
        id
      )
    },
    setSharedPortAccess(id: number, access: SharedPortAccess): void {
      database.run('UPDATE channel SET reach = ? WHERE id = ?', JSON.stringify(access), id)
    },
    /** @param ndi removes the NDI output if undefined */
    setNdi(id: number, ndi?: ChannelNdi): void {
      database.run('UPDATE channel SET ndi = ? WHERE id = ?', ndi ? JSON.stringify(ndi) : '', id)
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
