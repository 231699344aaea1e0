// The rows of all devices in memory: clients request device lists many times a second, and SQLite needs 20 ms to read
// thousands of rows. Database triggers report the rows that a statement touched, so that no write can be missed.
import type { Database } from '../database/database.ts'

/** If more rows changed, the whole table is read again instead of single rows. */
const SINGLE_READS_MAX = 200
/** Changed devices remembered for `changedSince`. */
const CHANGED_MAX = 10_000

/** @param Row a row of the table `device` */
export function createDeviceCache<Row extends { readonly id: number; readonly sn: string }>(
  database: Database
): DeviceCache<Row> {
  return new DeviceCache<Row>(database)
}

export class DeviceCache<Row extends { readonly id: number; readonly sn: string }> {
  readonly #database: Database
  readonly #byId = new Map<number, Row>()
  readonly #bySerial = new Map<string, Row>()
  readonly #staleIds = new Set<number>()
  #isLoaded = false
  #version = 0
  /** Changes up to this version are not known one by one. */
  #floor = 0
  /** Version of the last change by device ID, oldest first. */
  readonly #changed = new Map<number, number>()
  /** All rows in order; undefined until `all` is called after a change. */
  #list: readonly Row[] | undefined

  constructor(database: Database) {
    this.#database = database
    database.watchTable('device', (id) => this.#rowChanged(id))
  }

  all(): readonly Row[] {
    this.#refresh()
    this.#list ??= [...this.#byId.values()]
    return this.#list
  }

  bySerial(sn: string): Row | undefined {
    this.#refresh()
    return this.#bySerial.get(sn)
  }

  byId(id: number): Row | undefined {
    this.#refresh()
    return this.#byId.get(id)
  }

  /** IDs of the devices written after a version; undefined if they are no longer known. */
  changedSince(since: number): number[] | undefined {
    if (since < this.#floor) return undefined
    if (since === this.#version) return []
    return [...this.#changed].filter(([, version]) => version > since).map(([id]) => id)
  }

  /** Increases with each write to the table. */
  get version(): number {
    return this.#version
  }

  /** @param id undefined after a rollback: any row may have changed */
  #rowChanged(id: number | undefined): void {
    this.#version++
    this.#list = undefined
    if (id === undefined) {
      this.#isLoaded = false
      this.#floor = this.#version
      this.#changed.clear()
      return
    }
    this.#staleIds.add(id)
    // Inserts the ID at the end.
    this.#changed.delete(id)
    this.#changed.set(id, this.#version)
    const [oldest] = this.#changed
    if (this.#changed.size <= CHANGED_MAX || !oldest) return
    this.#floor = oldest[1]
    this.#changed.delete(oldest[0])
  }

  #refresh(): void {
    if (this.#isLoaded && this.#staleIds.size === 0) return
    if (this.#isLoaded && this.#staleIds.size <= SINGLE_READS_MAX) {
      for (const id of this.#staleIds) this.#readRow(id)
    } else {
      this.#byId.clear()
      this.#bySerial.clear()
      for (const row of this.#database.all<Row>('SELECT * FROM device ORDER BY id')) this.#store(row)
      this.#isLoaded = true
    }
    this.#staleIds.clear()
  }

  #readRow(id: number): void {
    const previous = this.#byId.get(id)
    // Another row may have taken over the serial number.
    if (previous && this.#bySerial.get(previous.sn)?.id === id) this.#bySerial.delete(previous.sn)
    const row = this.#database.get<Row>('SELECT * FROM device WHERE id = ?', id)
    if (row) this.#store(row)
    else this.#byId.delete(id)
  }

  #store(row: Row): void {
    this.#byId.set(row.id, row)
    this.#bySerial.set(row.sn, row)
  }
}
