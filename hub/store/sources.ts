// Inputs and outputs created by users.
import type { SettingColumns } from '../../contract/setting.schema.ts'
import { INPUT_SETTINGS, type InputSettings } from '../../contract/stream/input-settings.schema.ts'
import type { OutputConfig } from '../../contract/stream/source.ts'
import type { Database } from '../database/database.ts'
import { createQueryCache } from '../database/query-cache.ts'
import { assignments, readSettings, toColumns } from './stored-settings.ts'

/** The columns of an input: its own, and those of its settings. */
export type InputRow = { id: number; name: string; protocol: number } & SettingColumns<typeof INPUT_SETTINGS>

/** An input to store. */
export interface InputFields {
  name: string
  protocol: number
  settings: InputSettings
}

/** The settings of an input. */
export const inputSettings = (row: InputRow): InputSettings => readSettings(INPUT_SETTINGS, row)

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

const NO_SETTINGS = Object.fromEntries(Object.keys(INPUT_SETTINGS).map((name) => [name, undefined]))

const SELECT_OUTPUT = `SELECT output.*, channel_output.channel_id, channel_output.enable FROM output
  LEFT JOIN channel_output ON channel_output.output_id = output.id`

const parseRow = (row: StoredOutputRow): OutputRow => ({ ...row, config: JSON.parse(row.config) })

export function sources(database: Database) {
  const selectOutputs = (suffix: string, ...values: (string | number)[]) =>
    database.all<StoredOutputRow>(`${SELECT_OUTPUT} ${suffix}`, ...values).map(parseRow)
  const outputCount = createQueryCache(database, ['output'], (_all: 'all') =>
    database.get<{ n: number }>('SELECT count(*) AS n FROM output')
  )
  const outputs = createQueryCache(database, ['output', 'channel_output'], (_all: 'all') =>
    selectOutputs('ORDER BY output.id')
  )
  return {
    inputs: () => database.all<InputRow>('SELECT * FROM input ORDER BY id'),
    input: (id: number) => database.get<InputRow>('SELECT * FROM input WHERE id = ?', id),
    inputByName: (name: string) => database.get<InputRow>('SELECT * FROM input WHERE name = ?', name),
    /** @returns the new node ID */
    addInput({ name, protocol, settings }: InputFields): number {
      const { id } = database.run('INSERT INTO node DEFAULT VALUES')
      const columns = { id, name, protocol, ...toColumns(INPUT_SETTINGS, settings) }
      const places = Object.keys(columns).map(() => '?')
      database.run(`INSERT INTO input (${Object.keys(columns)}) VALUES (${places})`, ...Object.values(columns))
      return id
    },
    /** Replaces all settings: those that are absent are removed. */
    setInput(id: number, { name, protocol, settings }: InputFields): void {
      const columns = { name, protocol, ...toColumns(INPUT_SETTINGS, { ...NO_SETTINGS, ...settings }) }
      database.run(`UPDATE input SET ${assignments(columns)} WHERE id = ?`, ...Object.values(columns), id)
    },
    removeInput(id: number): void {
      database.run('DELETE FROM input WHERE id = ?', id)
      database.run('DELETE FROM node WHERE id = ?', id)
    },
    outputs: (): readonly OutputRow[] => outputs('all') ?? [],
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
