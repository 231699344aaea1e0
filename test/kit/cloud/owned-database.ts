// A database whose owner is no superuser: for him, too, row-level security holds.
import pg from 'pg'
import type { PostgresServer } from './postgres.ts'

/** Runs SQL over a connection of its own. */
export async function runSql(url: string, ...statements: string[]): Promise<void> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    for (const statement of statements) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** The same database with another user. */
export const asUser = (url: string, user: string) => url.replace('postgres://postgres@', `postgres://${user}@`)

export const nameOfDatabase = (url: string) => new URL(url.replace('@/', '@host/')).pathname.slice(1)

/** @returns the address of an empty database, with its owner */
export async function createOwnedDatabase(server: PostgresServer): Promise<string> {
  const url = await server.createDatabase()
  const name = nameOfDatabase(url)
  const owner = `owner_${name}`
  await runSql(url, `create role ${owner} login createrole`, `alter database ${name} owner to ${owner}`)
  return asUser(url, owner)
}
