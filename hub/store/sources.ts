// Inputs and outputs created by users.
import type { OutputConfig } from '../../contract/stream/source.ts'
import type { Database } from '../database/database.ts'
import { createQueryCache } from '../database/query-cache.ts'

export interface InputRow {
  id: number
  name: string
  protocol: number
  url: string
  /** Number of the program to receive; null: all. */
  program: number | null
}

export interface OutputRow {
  id: number
  name: string
  protocol: number
  config: OutputConfig
  /** The channel that uses the output. */
  channel_id: number | null
  /** Whether the output is switched on in that channel. */
  enable: number | null
}

interface StoredOutputRow extends Omit<OutputRow, 'config'> {
  config: string
}

const SELECT_OUTPUT = `SELECT output.*, channel_output.channel_id, channel_output.enable FROM output
  LEFT JOIN channel_output ON channel_output.output_id = output.id`

const parseRow = (row: StoredOutputRow): OutputRow => ({ ...row, config: JSON.parse(row.config) })

export function sources(database: Database) {
  const selectOutputs = (suffix: string, ...values: (string | number)[]) =>
    database.all<StoredOutputRow>(`${SELECT_OUTPUT} ${suffix}`, ...values).map(parseRow)
  const outputCount = createQueryCache(database, ['output'], (_all: 'all') =>
    database.get<{ n: number }>('SELECT count(*) AS n FROM output')
  )
  return {
    inputs: () => database.all<InputRow>('SELECT * FROM input ORDER BY id'),
    input: (id: number) => database.get<InputRow>('SELECT * FROM input WHERE id = ?', id),
    inputByName: (name: string) => database.get<InputRow>('SELECT * FROM input WHERE name = ?', name),
    /** @returns the new node ID */
    addInput({ name, protocol, url, program }: Omit<InputRow, 'id'>): number {
      const { id } = database.run('INSERT INTO node DEFAULT VALUES')
      const values = [id, name, protocol, url, program]
      database.run('INSERT INTO input (id, name, protocol, url, program) VALUES (?, ?, ?, ?, ?)', ...values)
      return id
    },
    setInput({ id, name, protocol, url, program }: InputRow): void {
      const values = [name, protocol, url, program, id]
      database.run('UPDATE input SET name = ?, protocol = ?, url = ?, program = ? WHERE id = ?', ...values)
    },
    removeInput(id: number): void {
      database.run('DELETE FROM input WHERE id = ?', id)
      database.run('DELETE FROM node WHERE id = ?', id)
    },
    outputs: () => selectOutputs('ORDER BY output.id'),
    countOutputs: () => outputCount('all')?.n ?? 0,
    output: (id: number) => selectOutputs('WHERE output.id = ?', id)[0],
    outputByName: (name: string) => selectOutputs('WHERE output.name = ?', name)[0],
    /** @returns the new node ID */
    addOutput(name: string, protocol: number, config: object): number {
      const { id } = database.run('INSERT INTO node DEFAULT VALUES')
      database.run(
        'INSERT INTO output (id, name, protocol, config) VALUES (?, ?, ?, ?)',
        id,
        name,
        protocol,
        JSON.stringify(config)
      )
      return id
    },
    setOutput(id: number, name: string, protocol: number, config: object): void {
      database.run(
        'UPDATE output SET name = ?, protocol = ?, config = ? WHERE id = ?',
        name,
        protocol,
        JSON.stringify(config),
        id
      )
    },
    removeOutput(id: number): void {
      database.run('DELETE FROM output WHERE id = ?', id)
      database.run('DELETE FROM node WHERE id = ?', id)
    }
  }
}

export type Sources = ReturnType<typeof sources>
