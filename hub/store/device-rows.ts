// The rows of all devices, held in memory: lists are asked for many times a second, and reading thousands of rows takes SQLite 20 ms.
// The database itself says which rows a statement touched, so that no write can be forgotten here.
import type { Database } from './database.ts'

/** Touched rows above which all are read again, instead of each by itself. */
const ONE_BY_ONE = 200
/** Devices remembered as written. */
const TOUCHED_MAX = 10_000

/** @param Row a row of the table `device` */
export function createRows<Row extends { readonly id: number; readonly sn: string }>(database: Database) {
  const byId = new Map<number, Row>()
  const bySerial = new Map<string, Row>()
  const stale = new Set<number>()
  let loaded = false
  let version = 0
  /** The version up to which it is not known which ones were written, and the last one of each written after that. */
  let floor = 0
  const touched = new Map<number, number>()
  /** The rows in their order, made when they are asked for. */
  let list: readonly Row[] | undefined

  database.follow('device', (id) => {
    version++
    list = undefined
    if (id === undefined) {
      loaded = false
      floor = version
      touched.clear()
    } else {
      stale.add(id)
      // The newest come last.
      touched.delete(id)
      touched.set(id, version)
      const [oldest] = touched
      if (touched.size <= TOUCHED_MAX || !oldest) return
      floor = oldest[1]
      touched.delete(oldest[0])
    }
  })

  function put(row: Row): void {
    byId.set(row.id, row)
    bySerial.set(row.sn, row)
  }

  function readAgain(id: number): void {
    const before = byId.get(id)
    if (before) bySerial.delete(before.sn)
    const row = database.get<Row>('SELECT * FROM device WHERE id = ?', id)
    if (row) put(row)
    else byId.delete(id)
  }

  function refresh(): void {
    if (loaded && stale.size === 0) return
    if (loaded && stale.size <= ONE_BY_ONE) {
      for (const id of stale) readAgain(id)
    } else {
      byId.clear()
      bySerial.clear()
      for (const row of database.all<Row>('SELECT * FROM device ORDER BY id')) put(row)
      loaded = true
    }
    stale.clear()
  }

  return {
    all(): readonly Row[] {
      refresh()
      list ??= [...byId.values()]
      return list
    },
    bySerial(sn: string): Row | undefined {
      refresh()
      return bySerial.get(sn)
    },
    byId(id: number): Row | undefined {
      refresh()
      return byId.get(id)
    },
    touchedSince(since: number): number[] | undefined {
      if (since < floor) return undefined
      return since === version ? [] : [...touched].filter(([, at]) => at > since).map(([id]) => id)
    },
    get version() {
      return version
    }
  }
}
