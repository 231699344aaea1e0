// Opens a store in memory with the configuration after an import, to compare channels and licence use.
import { openStore, type Store } from '../store/store.ts'
import { ExportError } from './archive.ts'
import { TABLE_NAMES, type Tables } from './tables.ts'

/** @returns a store that the caller closes. @throws ExportError if rows refer to others that are not there, or two have the same name */
export function openMemoryStore(tables: Tables): Store {
  const store = openStore(':memory:')
  const { database } = store
  try {
    database.transaction(() => {
      for (const { id } of [...tables.device, ...tables.input, ...tables.output])
        database.run('INSERT INTO node (id) VALUES (?)', id as number)
      for (const table of TABLE_NAMES)
        for (const row of tables[table]) {
          const names = Object.keys(row)
          const places = names.map(() => '?').join(', ')
          database.run(`INSERT INTO ${table} (${names.join(', ')}) VALUES (${places})`, ...Object.values(row))
        }
    })
  } catch (error) {
    store.close()
    if (/constraint failed/.test((error as Error).message)) throw new ExportError('inconsistent')
    throw error
  }
  return store
}
