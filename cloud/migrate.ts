// Prepares a database of the cloud, so that its nodes need no user who owns tables: `make cloud-migrate`.
// It reads DATABASE_URL and APPLICATION_DATABASE_URL (options.ts), runs the migrations that are missing, and lets the
// user of the second address work as the program.
import { readDatabaseAddresses } from './options.ts'
import { preparePostgres } from './store/postgres.ts'

try {
  const { databaseUrl, applicationUrl } = readDatabaseAddresses(process.env)
  if (!databaseUrl) throw new Error('DATABASE_URL is missing')
  await preparePostgres(databaseUrl, applicationUrl)
  console.log('The database has every migration.')
} catch (error) {
  console.error(`The database was not prepared: ${(error as Error).message}`)
  process.exitCode = 1
}
