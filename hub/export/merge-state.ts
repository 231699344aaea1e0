// State of one merge: both configurations, the result, and notes.
import type { ExportPart, ImportNote, ImportNoteKind } from '../../contract/backup/export.ts'
import type { ExportData } from './collect.ts'
import { emptyTables, keyOf, type Row, type TableName, type Tables } from './tables.ts'

export interface MergeRequest {
  local: Tables
  imported: ExportData
  parts: ReadonlySet<ExportPart>
  /** Name of the user who imports and is never locked out. */
  importer: string
  /** Hash of a password that nobody knows, for users without one. */
  unusablePassword: string
}

/** State of one merge. */
export class Merge {
  readonly local: Tables
  readonly imported: Tables
  readonly parts: ReadonlySet<ExportPart>
  readonly importer: string
  readonly unusablePassword: string
  readonly result = emptyTables()
  readonly #withheld: ReadonlyMap<string, ReadonlySet<string>>
  readonly #devices: ReadonlyMap<Row[string] | undefined, Row>
  readonly #notes = new Map<ImportNoteKind, Set<string>>()

  constructor({ local, imported, parts, importer, unusablePassword }: MergeRequest) {
    this.local = local
    this.imported = imported.tables
    this.#withheld = new Map(Object.entries(imported.withheld).map(([table, keys]) => [table, new Set(keys)]))
    this.#devices = new Map(local.device.map((row) => [row.sn, row]))
    this.parts = parts
    this.importer = importer
    this.unusablePassword = unusablePassword
  }

  /** The rows of a table that are taken over, from where its part comes. */
  rows(table: TableName, part: ExportPart): Row[] {
    return (this.parts.has(part) ? this.imported : this.local)[table].map((row) => ({ ...row }))
  }

  /** Whether the export lacks the secrets of this row. */
  isWithheld(table: TableName, row: Row): boolean {
    return this.#withheld.get(table)?.has(keyOf(table, row)) ?? false
  }

  /** The device of this hub with a serial number. */
  localDevice(serial: Row[string] | undefined): Row | undefined {
    return this.#devices.get(serial)
  }

  note(kind: ImportNoteKind, name: string): void {
    this.#notes.set(kind, (this.#notes.get(kind) ?? new Set()).add(name))
  }

  notes(): ImportNote[] {
    return [...this.#notes].map(([note, names]) => ({ note, names: [...names] }))
  }
}
