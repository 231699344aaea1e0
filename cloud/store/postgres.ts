// Connections to PostgreSQL: of the owner of the tables, who runs migrations, and of the program.
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { logger } from '../../process-log/logger.ts'
import { migrate } from './migrate.ts'
import { migrationsFor } from './migrations.ts'
import { applicationRole } from './row-security.ts'
import type { Tables } from './tables.ts'

/** The oldest PostgreSQL that the store works with, as `server_version_num` has it. */
const POSTGRES_MIN = 150_000
/** Connections of one node to PostgreSQL. */
const CONNECTIONS_MAX = 10
/** Milliseconds to wait for a connection, and for the answer to a query. */
const CONNECTION_TIMEOUT = 5000
const QUERY_TIMEOUT = 10_000

/** Numbers of PostgreSQL that JavaScript can represent: counters, times and permission masks. */
const NUMBER_TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser
}

export function openPostgres(databaseUrl: string, role?: string): Kysely<Tables> {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: role === undefined ? 1 : CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECTION_TIMEOUT,
    query_timeout: role === undefined ? undefined : QUERY_TIMEOUT,
    types: NUMBER_TYPES,
    // The pool drops a connection that fails meanwhile. Kysely would keep it from being used again for ever.
    ...(role !== undefined && {
      onConnect: async (client: pg.ClientBase) => void (await client.query(`set role ${pg.escapeIdentifier(role)}`))
    })
  })
  // The pool replaces a connection that ends while it is idle.
  pool.on('error', (error) => logger.warn('Connection to PostgreSQL ended', { reason: error.message }))
  // One that ends while a transaction has it fails the next query of the transaction.
  pool.on('connect', (client) => client.on('error', () => {}))
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
}

/** Codes of PostgreSQL and of the system for a connection that has ended, as after a restart of the server. */
const ENDED = ['57P01', '57P02', '08003', '08006', 'ECONNRESET', 'EPIPE']

/** Whether a query failed because its connection had ended. */
export const isConnectionEnded = (error: unknown): boolean =>
  error instanceof Error &&
  (('code' in error && ENDED.includes(String(error.code))) ||
    /^Connection terminated|is not queryable$/.test(error.message))

/** Codes of a server that cannot be reached, that starts or ends, that has no connection left, or that is a standby. */
const UNAVAILABLE = [
  ...['ECONNREFUSED', 'ENOENT', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN'],
  ...['57P03', '53300', '25006']
]

/** Whether a transaction failed because the database cannot be used at present. */
export const isUnavailable = (error: unknown): boolean =>
  isConnectionEnded(error) ||
  (error instanceof Error &&
    (('code' in error && UNAVAILABLE.includes(String(error.code))) || /timeout/i.test(error.message)))

const roleOf = (database: Kysely<Tables>) => applicationRole(database as unknown as Kysely<unknown>)

/** A user of PostgreSQL as whom the program is to work. */
interface Login {
  name: string
  /** Whether row-level security does not hold for the user, or the user can become somebody for whom it does not. */
  isPrivileged: boolean
  isMember: boolean
}

async function readLogin(database: Kysely<Tables>, role: string): Promise<Login> {
  const { rows } = await sql<Login>`
    select session_user as name,
      exists (select from pg_roles where pg_has_role(session_user, oid, 'member') and (rolsuper or rolbypassrls)) or
      exists (select from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
        and pg_has_role(session_user, relowner, 'member')) as "isPrivileged",
      exists (select from pg_roles where rolname = ${role} and pg_has_role(session_user, oid, 'member')) as "isMember"
  `.execute(database)
  if (!rows[0]) throw new Error('PostgreSQL does not say who is connected')
  return rows[0]
}

/** @throws Error if the user of the application could see rows of every organisation */
function requireUnprivileged({ name, isPrivileged }: Login): void {
  if (isPrivileged)
    throw new Error(`The user ${name} of APPLICATION_DATABASE_URL must own no table and bypass no row security`)
}

/**
 * Prepares the database as the owner of its tables: runs the migrations that it lacks.
 * @param applicationUrl the address with the user of the program, who then becomes a member of its role
 */
export async function preparePostgres(databaseUrl: string, applicationUrl?: string): Promise<void> {
  const owner = openPostgres(databaseUrl)
  try {
    const { rows } = await sql<{ version: string }>`select current_setting('server_version_num') as version`.execute(
      owner
    )
    if (Number(rows[0]?.version) < POSTGRES_MIN)
      throw new Error(`PostgreSQL ${POSTGRES_MIN / 10_000} or newer is needed; the server has ${rows[0]?.version}`)
    await migrate(owner, 'postgres')
    if (applicationUrl === undefined) return
    const role = await roleOf(owner)
    const application = openPostgres(applicationUrl)
    try {
      const login = await readLogin(application, role)
      requireUnprivileged(login)
      if (!login.isMember) await sql`grant ${sql.id(role)} to ${sql.id(login.name)}`.execute(owner)
    } finally {
      await application.destroy()
    }
  } finally {
    await owner.destroy()
  }
}

/** @throws Error if the database lacks a migration */
async function requireMigrations(database: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration`.execute(database)
  const missing = Object.keys(migrationsFor('postgres')).filter((name) => !rows.some((row) => row.name === name))
  if (missing.length > 0)
    throw new Error(`The database lacks the migrations ${missing.join(', ')}: run make cloud-migrate`)
}

/**
 * The connections with which the program works.
 * @param isApplication whether the address has a user of the application, not the owner
 * @throws Error if the user of the application may do more than the program needs, or a migration is missing
 */
export async function openApplication(url: string, isApplication: boolean): Promise<Kysely<Tables>> {
  const first = openPostgres(url)
  let role: string
  try {
    role = await roleOf(first)
    if (isApplication) {
      const login = await readLogin(first, role)
      requireUnprivileged(login)
      if (!login.isMember) throw new Error(`The user ${login.name} is no member of ${role}: run make cloud-migrate`)
    }
  } finally {
    await first.destroy()
  }
  const database = openPostgres(url, role)
  try {
    if (isApplication) await requireMigrations(database)
  } catch (error) {
    await database.destroy()
    throw error
  }
  return database
}
