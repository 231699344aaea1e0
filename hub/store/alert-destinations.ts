// Destinations of notifications. The secret fields of their configuration are stored encrypted.
import type { Encryption } from '../../data-files/encryption.ts'
import type { Database } from '../database/database.ts'
import { createQueryCache } from '../database/query-cache.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** A destination without its secrets. */
export interface StoredDestination {
  id: number
  name: string
  type: string
  enable: boolean
  language: 'en' | 'zh'
  /** The fields that are not secret. */
  config: JsonObject
}

export interface NewDestination extends Omit<StoredDestination, 'id'> {
  secrets: JsonObject
}

interface DestinationRow {
  id: number
  name: string
  type: string
  enable: number
  language: 'en' | 'zh'
  config: string
  secret: string
}

const ownerOf = (id: number) => `alert destination ${id}`

export function alertDestinations(database: Database, encryption: Encryption) {
  const all = createQueryCache(database, ['alert_destination'], (_all: 'all') =>
    database
      .all<DestinationRow>('SELECT * FROM alert_destination ORDER BY id')
      .map(({ secret: _, enable, config, ...row }) => ({ ...row, enable: enable === 1, config: JSON.parse(config) }))
  )
  const list = (): readonly StoredDestination[] => all('all') ?? []
  function write(id: number, { name, enable, language, config, secrets }: NewDestination): void {
    database.run(
      'UPDATE alert_destination SET name = ?, enable = ?, language = ?, config = ?, secret = ? WHERE id = ?',
      name,
      enable ? 1 : 0,
      language,
      JSON.stringify(config),
      encryption.encrypt(JSON.stringify(secrets), ownerOf(id)),
      id
    )
  }
  return {
    all: list,
    byId: (id: number) => list().find((destination) => destination.id === id),
    /** The secret fields. They are empty if they were encrypted with another key. */
    secrets(id: number): JsonObject {
      const row = database.get<{ secret: string }>('SELECT secret FROM alert_destination WHERE id = ?', id)
      return JSON.parse((row && encryption.decrypt(row.secret, ownerOf(id))) ?? '{}')
    },
    /** @returns the new ID */
    add(destination: NewDestination): number {
      const { id } = database.run(
        "INSERT INTO alert_destination (name, type, enable, language, config, secret) VALUES (?, ?, 0, '', '{}', '')",
        destination.name,
        destination.type
      )
      write(id, destination)
      return id
    },
    set: write,
    remove(id: number): void {
      database.run('DELETE FROM alert_destination WHERE id = ?', id)
    }
  }
}

export type AlertDestinations = ReturnType<typeof alertDestinations>
