// Channels as wanted: what they observe is the stream engine's.
import type { Database } from './database.ts'

export interface ChannelRow {
  id: number
  name: string
  enable: number
  play_key: string
  push_key: string
  input_id: number | null
}

export function channels(database: Database) {
  return {
    all: () => database.all<ChannelRow>('SELECT * FROM channel ORDER BY id'),
    byId: (id: number) => database.get<ChannelRow>('SELECT * FROM channel WHERE id = ?', id),
    byName: (name: string) => database.get<ChannelRow>('SELECT * FROM channel WHERE name = ?', name),
    /** The channel that uses `key`, as play or push key: no key may stand twice in the hub (reference 4.7). */
    byKey: (key: string) => database.get<ChannelRow>('SELECT * FROM channel WHERE play_key = ?1 OR push_key = ?1', key),
    byInput: (input: number) => database.all<ChannelRow>('SELECT * FROM channel WHERE input_id = ? ORDER BY id', input),
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
    outputIds: (id: number) =>
      database
        .all<{ output_id: number }>('SELECT output_id FROM channel_output WHERE channel_id = ? ORDER BY rowid', id)
        .map((row) => row.output_id),
    addOutput(id: number, output: number): void {
      database.run('INSERT INTO channel_output (output_id, channel_id) VALUES (?, ?)', output, id)
    },
    removeOutput(id: number, output: number): boolean {
      return database.run('DELETE FROM channel_output WHERE channel_id = ? AND output_id = ?', id, output).changes > 0
    },
    remove(id: number): void {
      database.run('DELETE FROM channel WHERE id = ?', id)
    }
  }
}

export type Channels = ReturnType<typeof channels>
