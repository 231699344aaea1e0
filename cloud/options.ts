// Where a node of the cloud has its state, as its programs read it from the environment:
// - DATABASE_URL: address of PostgreSQL, with the user who owns the tables; without it the state is in SQLite
// - APPLICATION_DATABASE_URL: the same with a user who owns no table, as whom the program then works; DATABASE_URL is
//   then for migrations only, and absent where `make cloud-migrate` has run them
// - DATABASE_URL_FILE, APPLICATION_DATABASE_URL_FILE: files with these addresses, which contain passwords
// - CLOUD_DATA (./cloud-data): folder for SQLite and for the key file
// - KEY_FILE (cloud.key in CLOUD_DATA): the key that encrypts stored secrets, the same file on every node
import { mkdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'

export interface DatabaseAddresses {
  databaseUrl?: string
  applicationUrl?: string
}

export interface StateOptions extends DatabaseAddresses {
  data: string
  keyFile?: string
}

/** Reads a variable, or the file that another variable names. @throws Error if both are set, or the file is empty */
function readSecret(env: NodeJS.ProcessEnv, name: string): string | undefined {
  const path = env[`${name}_FILE`]
  if (!path) return env[name] || undefined
  if (env[name]) throw new Error(`${name} and ${name}_FILE are both set`)
  const secret = readFileSync(path, 'utf8').trim()
  if (!secret) throw new Error(`${path} is empty, the file of ${name}_FILE`)
  return secret
}

/** Reads the addresses of PostgreSQL. @throws Error if a file cannot be read */
export function readDatabaseAddresses(env: NodeJS.ProcessEnv): DatabaseAddresses {
  const databaseUrl = readSecret(env, 'DATABASE_URL')
  const applicationUrl = readSecret(env, 'APPLICATION_DATABASE_URL')
  return { ...(databaseUrl && { databaseUrl }), ...(applicationUrl && { applicationUrl }) }
}

/** Reads the options, and creates the folder. */
export function readStateOptions(env: NodeJS.ProcessEnv): StateOptions {
  const { CLOUD_DATA = './cloud-data', KEY_FILE } = env
  const data = resolve(CLOUD_DATA)
  mkdirSync(data, { recursive: true, mode: 0o700 })
  return { data, ...(KEY_FILE && { keyFile: resolve(KEY_FILE) }), ...readDatabaseAddresses(env) }
}
