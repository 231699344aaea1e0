// Moves the data of one node from SQLite to PostgreSQL, while the node is stopped: `make cloud-move`.
// It reads DATABASE_URL and CLOUD_DATA (options.ts). The database must be empty. The key file (cloud.key) is not in the
// database: each node needs it.
import { readStateOptions } from './options.ts'
import { moveToPostgres } from './store/move-rows.ts'

try {
  const { data, databaseUrl } = readStateOptions(process.env)
  if (!databaseUrl) throw new Error('DATABASE_URL is missing')
  for (const { name, rows } of await moveToPostgres(data, databaseUrl)) console.log(`${name}: ${rows}`)
  console.log('All rows were moved. Give each node the key file, and start them with DATABASE_URL.')
} catch (error) {
  console.error(`Nothing was moved: ${(error as Error).message}`)
  process.exitCode = 1
}
