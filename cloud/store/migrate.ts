// Runs the migrations of the store.
import type { Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { migrationsFor } from './migrations.ts'
import type { DatabaseKind } from './row-security.ts'
import type { Tables } from './tables.ts'

/**
 * Runs the migrations that the database does not have, once, however many nodes start. A database with migrations of
 * the next release is left as it is, because nodes of both run together.
 * @throws the error of a migration
 */
export async function migrate(database: Kysely<Tables>, kind: DatabaseKind): Promise<void> {
  const migrations = migrationsFor(kind)
  const migrator = new Migrator({ db: database, provider: { getMigrations: async () => migrations } })
  const known = await migrator.getMigrations()
  if (known.every(({ executedAt }) => executedAt !== undefined)) return
  const { error } = await migrator.migrateToLatest()
  if (error) throw error
}
