// Matrices of the NDI router: wanted routes, locks, salvos and scheduled takes.
import type { PanelSettings, SalvoFields, Take } from '../../contract/ndi/router.ts'
import type { Database } from '../database/database.ts'

export interface SourceRow {
  position: number
  label: string
  name: string
}

export interface DestinationRow {
  position: number
  label: string
  /** Position of the wanted source; 0 = none. */
  source: number
  /** When the source was taken, in milliseconds since the epoch; 0 = never. */
  taken: number
  taken_by: string
  /** Empty: not locked. */
  locked_by: string
}

export interface StoredUndo {
  by: string
  /** Milliseconds since the epoch. */
  at: number
  takes: Take[]
}

export interface StoredSalvo extends SalvoFields {
  id: number
}

export interface StoredScheduledTake extends SalvoFields {
  id: number
  matrix: number
  /** Milliseconds since the epoch. */
  at: number
  by: string
  /** Name of the access token with which a program of the user scheduled it. */
  token?: string | undefined
}

export interface StoredMatrix {
  id: number
  name: string
  machine: string
  panel: PanelSettings
  undo: StoredUndo | undefined
  sources: SourceRow[]
  destinations: DestinationRow[]
}

interface MatrixRow {
  id: number
  name: string
  machine: string
  /** JSON. */
  panel: string
  /** JSON; empty: there is nothing to undo. */
  undo: string
}

interface TakesRow {
  id: number
  matrix_id: number
  name: string
  /** JSON. */
  takes: string
}

type ScheduledRow = TakesRow & { at: number; by_user: string; token: string }

const toSalvo = ({ id, name, takes }: TakesRow): StoredSalvo => ({ id, name, takes: JSON.parse(takes) })
const toScheduled = ({
  id,
  matrix_id: matrix,
  at,
  name,
  by_user: by,
  token,
  takes
}: ScheduledRow): StoredScheduledTake => ({
  id,
  matrix,
  at,
  name,
  by,
  ...(token && { token }),
  takes: JSON.parse(takes)
})

export class Matrices {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  /** By ID. */
  all(): StoredMatrix[] {
    return this.#database.all<MatrixRow>('SELECT * FROM ndi_matrix ORDER BY id').map((row) => this.#toMatrix(row))
  }

  byId(id: number): StoredMatrix | undefined {
    const row = this.#database.get<MatrixRow>('SELECT * FROM ndi_matrix WHERE id = ?', id)
    return row && this.#toMatrix(row)
  }

  exists(id: number): boolean {
    return this.#database.get('SELECT 1 FROM ndi_matrix WHERE id = ?', id) !== undefined
  }

  /** Whether another matrix has a name or base name. Case does not count. */
  hasOther(id: number | undefined, field: 'name' | 'machine', value: string): boolean {
    return this.all().some((matrix) => matrix.id !== id && matrix[field].toLowerCase() === value.toLowerCase())
  }

  /** @returns the new ID */
  add(name: string, machine: string, panel: PanelSettings): number {
    const sql = "INSERT INTO ndi_matrix (name, machine, panel, undo) VALUES (?, ?, ?, '')"
    return this.#database.run(sql, name, machine, JSON.stringify(panel)).id
  }

  setNames(id: number, name: string, machine: string): void {
    this.#database.run('UPDATE ndi_matrix SET name = ?, machine = ? WHERE id = ?', name, machine, id)
  }

  setPanel(id: number, panel: PanelSettings): void {
    this.#database.run('UPDATE ndi_matrix SET panel = ? WHERE id = ?', JSON.stringify(panel), id)
  }

  setUndo(id: number, undo: StoredUndo | undefined): void {
    this.#database.run('UPDATE ndi_matrix SET undo = ? WHERE id = ?', undo ? JSON.stringify(undo) : '', id)
  }

  remove(id: number): void {
    this.#database.run('DELETE FROM ndi_matrix WHERE id = ?', id)
  }

  replaceSources(id: number, rows: readonly SourceRow[]): void {
    this.#database.run('DELETE FROM ndi_matrix_source WHERE matrix_id = ?', id)
    const sql = 'INSERT INTO ndi_matrix_source (matrix_id, position, label, name) VALUES (?, ?, ?, ?)'
    for (const { position, label, name } of rows) this.#database.run(sql, id, position, label, name)
  }

  replaceDestinations(id: number, rows: readonly DestinationRow[]): void {
    this.#database.run('DELETE FROM ndi_matrix_destination WHERE matrix_id = ?', id)
    for (const row of rows)
      this.#database.run(
        `INSERT INTO ndi_matrix_destination (matrix_id, position, label, source, taken, taken_by, locked_by)
          VALUES (?, ?, ?, ?, ?, ?, ?)`,
        ...[id, row.position, row.label, row.source, row.taken, row.taken_by, row.locked_by]
      )
  }

  /** Stores wanted routes. @param now milliseconds since the epoch */
  take(id: number, takes: readonly Take[], by: string, now: number): void {
    const sql =
      'UPDATE ndi_matrix_destination SET source = ?, taken = ?, taken_by = ? WHERE matrix_id = ? AND position = ?'
    for (const { destination, source } of takes) this.#database.run(sql, source, now, by, id, destination)
  }

  /** @param owner empty: unlocks */
  lock(id: number, destination: number, owner: string): void {
    const sql = 'UPDATE ndi_matrix_destination SET locked_by = ? WHERE matrix_id = ? AND position = ?'
    this.#database.run(sql, owner, id, destination)
  }

  /** In the order in which they were added. */
  salvos(matrix: number): StoredSalvo[] {
    return this.#database.all<TakesRow>('SELECT * FROM ndi_salvo WHERE matrix_id = ? ORDER BY id', matrix).map(toSalvo)
  }

  /** @returns the new ID */
  addSalvo(matrix: number, { name, takes }: SalvoFields): number {
    const sql = 'INSERT INTO ndi_salvo (matrix_id, name, takes) VALUES (?, ?, ?)'
    return this.#database.run(sql, matrix, name, JSON.stringify(takes)).id
  }

  setSalvo({ id, name, takes }: StoredSalvo): void {
    this.#database.run('UPDATE ndi_salvo SET name = ?, takes = ? WHERE id = ?', name, JSON.stringify(takes), id)
  }

  removeSalvo(id: number): void {
    this.#database.run('DELETE FROM ndi_salvo WHERE id = ?', id)
  }

  /** Next first. */
  scheduled(matrix: number): StoredScheduledTake[] {
    return this.#database
      .all<ScheduledRow>('SELECT * FROM ndi_scheduled_take WHERE matrix_id = ? ORDER BY at, id', matrix)
      .map(toScheduled)
  }

  /** The scheduled takes of all matrices, next first. */
  allScheduled(): StoredScheduledTake[] {
    return this.#database.all<ScheduledRow>('SELECT * FROM ndi_scheduled_take ORDER BY at, id').map(toScheduled)
  }

  /** @returns the new ID */
  schedule({ matrix, at, name, by, token = '', takes }: Omit<StoredScheduledTake, 'id'>): number {
    const sql = 'INSERT INTO ndi_scheduled_take (matrix_id, at, name, by_user, token, takes) VALUES (?, ?, ?, ?, ?, ?)'
    return this.#database.run(sql, matrix, at, name, by, token, JSON.stringify(takes)).id
  }

  setScheduledTakes(id: number, takes: readonly Take[]): void {
    this.#database.run('UPDATE ndi_scheduled_take SET takes = ? WHERE id = ?', JSON.stringify(takes), id)
  }

  removeScheduled(id: number): void {
    this.#database.run('DELETE FROM ndi_scheduled_take WHERE id = ?', id)
  }

  #toMatrix({ id, name, machine, panel, undo }: MatrixRow): StoredMatrix {
    return {
      id,
      name,
      machine,
      panel: JSON.parse(panel),
      undo: undo === '' ? undefined : JSON.parse(undo),
      sources: this.#database.all<SourceRow>(
        'SELECT position, label, name FROM ndi_matrix_source WHERE matrix_id = ? ORDER BY position',
        id
      ),
      destinations: this.#database.all<DestinationRow>(
        `SELECT position, label, source, taken, taken_by, locked_by FROM ndi_matrix_destination
          WHERE matrix_id = ? ORDER BY position`,
        id
      )
    }
  }
}
