// Where a node of the cloud has its state, as its programs read it from the environment:
// - DATABASE_URL: address of PostgreSQL, with the user who owns the tables; without it the state is in SQLite
// - APPLICATION_DATABASE_URL: the same with a user who owns no table, as whom the program then works; DATABASE_URL is
//   then for migrations only, and absent where `make cloud-migrate` has run them
// - CLOUD_DATA (./cloud-data): folder for SQLite and for the key file
// - KEY_FILE (cloud.key in CLOUD_DATA): the key that encrypts stored secrets, the same file on every node
import { mkdirSync } from 'node:fs'
import { resolve } from 'node:path'

export interface StateOptions {
  data: string
  databaseUrl?: string
  applicationUrl?: string
  keyFile?: string
}

/** Reads the options, and creates the folder. */
export function readStateOptions({
  CLOUD_DATA = './cloud-data',
  DATABASE_URL,
  APPLICATION_DATABASE_URL,
  KEY_FILE
}: NodeJS.ProcessEnv): StateOptions {
  const data = resolve(CLOUD_DATA)
  mkdirSync(data, { recursive: true, mode: 0o700 })
  return {
    data,
    ...(KEY_FILE && { keyFile: resolve(KEY_FILE) }),
    ...(DATABASE_URL && { databaseUrl: DATABASE_URL }),
    ...(APPLICATION_DATABASE_URL && { applicationUrl: APPLICATION_DATABASE_URL })
  }
}
