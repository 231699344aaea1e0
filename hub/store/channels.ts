// Channels as wanted: what they observe is the stream engine's.

import { SWITCH_AFTER, SWITCH_BACK } from '../../contract/limits.ts'
import type { ChannelNdi, SwitchRule } from '../../contract/stream/channel.ts'
import type { Schedule } from '../../contract/stream/schedule.ts'
import type { Database } from './database.ts'

export interface ChannelRow {
  id: number
  name: string
  enable: number
  play_key: string
  push_key: string
  input_id: number | null
  /** JSON; empty is the default. */
  switch: string
  slate: number
  schedule: string
  reach: string
  ndi: string
}

/** How a channel is reached at the hub's shared ports. */
export interface ChannelReach {
  /** How it can be played. */
  protocol: { rtmp: boolean; srt: boolean }
  /** From where it can be played and published; empty: from everywhere. */
  'allow-ip': string[]
}

export const reachOf = (row: ChannelRow): ChannelReach =>
  row.reach ? JSON.parse(row.reach) : { protocol: { rtmp: true, srt: true }, 'allow-ip': [] }

/** The NDI output that a channel has by itself, if it has one. */
export const ndiOf = (row: ChannelRow): ChannelNdi | undefined => (row.ndi ? JSON.parse(row.ndi) : undefined)

/** What of a channel's configuration says how it lives. */
export interface ChannelLife {
  switch: SwitchRule
  slate: boolean
  schedule: Schedule
}

const LIFE: ChannelLife = {
  switch: { 'after-s': SWITCH_AFTER.standard, back: 'first', 'back-after-s': SWITCH_BACK.standard },
  slate: false,
  schedule: { zone: 'UTC', rules: [] }
}

export function lifeOf(row: ChannelRow): ChannelLife {
  return {
    switch: row.switch ? JSON.parse(row.switch) : LIFE.switch,
    slate: row.slate === 1,
    schedule: row.schedule ? JSON.parse(row.schedule) : LIFE.schedule
  }
}

/** Where what is an output of a channel stands: what users made, and devices. */
const NODES = [
  ['channel_output', 'output_id'],
  ['channel_device', 'device_id']
] as const

/** A device that a channel plays on. */
export interface DeviceOutputRow {
  /** Of the device, as a node. */
  id: number
  channel_id: number
  /** Whether it is on there. */
  enable: number
}

export function channels(database: Database) {
  return {
    all: () => database.all<ChannelRow>('SELECT * FROM channel ORDER BY id'),
    byId: (id: number) => database.get<ChannelRow>('SELECT * FROM channel WHERE id = ?', id),
    byName: (name: string) => database.get<ChannelRow>('SELECT * FROM channel WHERE name = ?', name),
    /** The channel that uses `key`, as play or push key: no key may stand twice in the hub (reference 4.7). */
    byKey: (key: string) => database.get<ChannelRow>('SELECT * FROM channel WHERE play_key = ?1 OR push_key = ?1', key),
    /** The channels that have a node as their input or as a backup. */
    byInput: (input: number) =>
      database.all<ChannelRow>(
        `SELECT * FROM channel WHERE input_id = ?1
         OR id IN (SELECT channel_id FROM channel_backup WHERE node_id = ?1) ORDER BY id`,
        input
      ),
    add: (name: string, playKey: string, pushKey: string) =>
      database.run('INSERT INTO channel (name, play_key, push_key) VALUES (?, ?, ?)', name, playKey, pushKey).id,
    set(id: number, name: string, playKey: string, pushKey: string): void {
      database.run('UPDATE channel SET name = ?, play_key = ?, push_key = ? WHERE id = ?', name, playKey, pushKey, id)
    },
    setEnable(id: number, enable: boolean): void {
      database.run('UPDATE channel SET enable = ? WHERE id = ?', enable ? 1 : 0, id)
    },
    setInput(id: number, input: number | null): void {
      database.run('UPDATE channel SET input_id = ? WHERE id = ?', input, id)
    },
    setLife(id: number, life: ChannelLife): void {
      database.run(
        'UPDATE channel SET switch = ?, slate = ?, schedule = ? WHERE id = ?',
        JSON.stringify(life.switch),
        life.slate ? 1 : 0,
        JSON.stringify(life.schedule),
        id
      )
    },
    setReach(id: number, reach: ChannelReach): void {
      database.run('UPDATE channel SET reach = ? WHERE id = ?', JSON.stringify(reach), id)
    },
    /** @param ndi none takes it out */
    setNdi(id: number, ndi?: ChannelNdi): void {
      database.run('UPDATE channel SET ndi = ? WHERE id = ?', ndi ? JSON.stringify(ndi) : '', id)
    },
    /** Node ids, in the order in which they take over. */
    backupIds: (id: number) =>
      database
        .all<{ node_id: number }>('SELECT node_id FROM channel_backup WHERE channel_id = ? ORDER BY place', id)
        .map((row) => row.node_id),
    /** Node ids of all its inputs. */
    inputIds: (id: number) =>
      database
        .all<{ node_id: number }>(
          `SELECT input_id AS node_id FROM channel WHERE id = ?1 AND input_id IS NOT NULL
           UNION SELECT node_id FROM channel_backup WHERE channel_id = ?1`,
          id
        )
        .map((row) => row.node_id),
    setBackups(id: number, nodes: readonly number[]): void {
      database.run('DELETE FROM channel_backup WHERE channel_id = ?', id)
      for (const [place, node] of nodes.entries())
        database.run('INSERT INTO channel_backup (channel_id, place, node_id) VALUES (?, ?, ?)', id, place, node)
    },
    outputIds: (id: number) =>
      database
        .all<{ output_id: number }>('SELECT output_id FROM channel_output WHERE channel_id = ? ORDER BY rowid', id)
        .map((row) => row.output_id),
    addOutput(id: number, output: number): void {
      database.run('INSERT INTO channel_output (output_id, channel_id) VALUES (?, ?)', output, id)
    },
    /** The devices that a channel plays on, in the order in which they came. */
    devices: (id: number) =>
      database.all<DeviceOutputRow>(
        'SELECT device_id AS id, channel_id, enable FROM channel_device WHERE channel_id = ? ORDER BY rowid',
        id
      ),
    /** The channel that plays on a device. */
    byDevice: (device: number) =>
      database.get<DeviceOutputRow>(
        'SELECT device_id AS id, channel_id, enable FROM channel_device WHERE device_id = ?',
        device
      ),
    /** Of all channels. */
    players: () => database.all<DeviceOutputRow>('SELECT device_id AS id, channel_id, enable FROM channel_device'),
    addDevice(id: number, device: number): void {
      database.run('INSERT INTO channel_device (device_id, channel_id) VALUES (?, ?)', device, id)
    },
    /** @returns whether the output, which may be a device, is the channel's */
    setOutputEnable(id: number, output: number, enable: boolean): boolean {
      return NODES.some(
        ([table, node]) =>
          database.run(
            `UPDATE ${table} SET enable = ? WHERE channel_id = ? AND ${node} = ?`,
            enable ? 1 : 0,
            id,
            output
          ).changes > 0
      )
    },
    /** @returns as `setOutputEnable` */
    removeOutput(id: number, output: number): boolean {
      return NODES.some(
        ([table, node]) =>
          database.run(`DELETE FROM ${table} WHERE channel_id = ? AND ${node} = ?`, id, output).changes > 0
      )
    },
    remove(id: number): void {
      database.run('DELETE FROM channel WHERE id = ?', id)
    }
  }
}

export type Channels = ReturnType<typeof channels>
