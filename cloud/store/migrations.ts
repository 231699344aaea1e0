// The migrations of the store, in their order. A released one never changes. Both databases run the same ones; what
// only PostgreSQL has is in `row-security.ts`. Its row-level security also holds for the owner of the tables, as whom
// migrations run: one that changes rows has to enter each organisation.
import { type Kysely, sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { NEVER_EXPIRES } from '../../contract/access/token.ts'
import { LOG_INFO } from '../../contract/log.ts'
import { createLogTrimming } from './log-retention.ts'
import {
  applicationRole,
  createApplicationRole,
  type DatabaseKind,
  grantTable,
  revealPresentedToken,
  secureTable
} from './row-security.ts'

type AnyDatabase = Kysely<unknown>

const ORGANISATION = 'organisation'

/** Begins a table: every row has an organisation. */
const table = (db: AnyDatabase, name: string) =>
  db.schema.createTable(name).addColumn(ORGANISATION, 'text', (column) => column.notNull())

/** Begins a table whose rows are deleted with their organisation. */
const ownedTable = (db: AnyDatabase, name: string) =>
  table(db, name).addForeignKeyConstraint(
    `${name}_organisation`,
    [ORGANISATION],
    'organisations',
    [ORGANISATION],
    (constraint) => constraint.onDelete('cascade')
  )

/** Lets no row of SQLite move to another organisation, which the policies of PostgreSQL do not let it either. */
async function keepOrganisation(db: AnyDatabase, name: string): Promise<void> {
  await sql`create trigger ${sql.id(`${name}_keep_organisation`)} before update of organisation on ${sql.table(name)}
    begin select raise(abort, 'a row cannot move to another organisation'); end`.execute(db)
}

async function createFirstTables(db: AnyDatabase, kind: DatabaseKind): Promise<void> {
  await table(db, 'organisations')
    .addColumn('invitation', 'text', (column) => column.notNull())
    .addColumn('created', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('organisations_key', [ORGANISATION])
    .execute()
  await ownedTable(db, 'user_groups')
    .addColumn('id', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('type', 'integer', (column) => column.notNull())
    .addColumn('permission', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('user_groups_key', [ORGANISATION, 'id'])
    .addUniqueConstraint('user_groups_name', [ORGANISATION, 'name'])
    .execute()
  await ownedTable(db, 'users')
    .addColumn('id', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('group_id', 'integer', (column) => column.notNull())
    .addColumn('password_hash', 'text', (column) => column.notNull())
    .addColumn('default_password', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('users_key', [ORGANISATION, 'id'])
    .addUniqueConstraint('users_name', [ORGANISATION, 'name'])
    .addForeignKeyConstraint('users_group', [ORGANISATION, 'group_id'], 'user_groups', [ORGANISATION, 'id'])
    .execute()
  await ownedTable(db, 'sessions')
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('user_id', 'integer', (column) => column.notNull())
    .addColumn('created', 'bigint', (column) => column.notNull())
    .addColumn('last_used', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('sessions_key', [ORGANISATION, 'hash'])
    .addForeignKeyConstraint('sessions_user', [ORGANISATION, 'user_id'], 'users', [ORGANISATION, 'id'], (constraint) =>
      constraint.onDelete('cascade')
    )
    .execute()
  await ownedTable(db, 'hubs')
    .addColumn('sn', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('key_hash', 'text', (column) => column.notNull())
    .addColumn('state', 'integer', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('registered', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('hubs_key', [ORGANISATION, 'sn'])
    .execute()
  await ownedTable(db, 'log_entries')
    .addColumn('id', kind === 'postgres' ? 'bigserial' : 'integer', (column) => column.primaryKey())
    .addColumn('time', 'bigint', (column) => column.notNull())
    .addColumn('user_name', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('event', 'text', (column) => column.notNull())
    .addColumn('detail', 'text', (column) => column.notNull())
    .addColumn('result', 'integer', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('log_entries_time').on('log_entries').columns([ORGANISATION, 'time']).execute()
  const changeable = ['organisations', 'user_groups', 'users', 'sessions', 'hubs']
  if (kind === 'sqlite') {
    for (const name of [...changeable, 'log_entries']) await keepOrganisation(db, name)
    return
  }
  await createApplicationRole(db)
  for (const name of changeable) await secureTable(db, name, ['select', 'insert', 'update', 'delete'])
  // Nobody changes or deletes a line of the log.
  await secureTable(db, 'log_entries', ['select', 'insert'])
  await sql`grant usage on sequence log_entries_id_seq to ${sql.id(await applicationRole(db))}`.execute(db)
}

async function createSigningKeys(db: AnyDatabase, kind: DatabaseKind): Promise<void> {
  await db.schema
    .createTable('signing_keys')
    .addColumn('number', 'integer', (column) => column.primaryKey())
    .addColumn('public_key', 'text', (column) => column.notNull())
    .addColumn('private_key', 'text', (column) => column.notNull())
    .addColumn('signature', 'text', (column) => column.notNull())
    .addColumn('created', 'bigint', (column) => column.notNull())
    .execute()
  if (kind === 'postgres') await grantTable(db, 'signing_keys', ['select', 'insert'])
}

/** Adds columns with defaults. */
async function addColumns(db: AnyDatabase, name: string, columns: Record<string, 'text' | 'bigint'>): Promise<void> {
  for (const [column, type] of Object.entries(columns))
    await db.schema
      .alterTable(name)
      .addColumn(column, type, (builder) => builder.notNull().defaultTo(type === 'text' ? '' : 0))
      .execute()
}

/** Runs a change of rows of every organisation, which row-level security does not let the owner of a table see. */
async function changeAllRows(db: AnyDatabase, kind: DatabaseKind, name: string, change: () => Promise<unknown>) {
  const secure = (mode: 'force' | 'no force') =>
    sql`alter table ${sql.table(name)} ${sql.raw(mode)} row level security`.execute(db)
  if (kind === 'postgres') await secure('no force')
  await change()
  if (kind === 'postgres') await secure('force')
}

/** Users, groups, sessions and the log as on a hub. The id of a user becomes one bit of a mask. */
async function extendAccounts(db: AnyDatabase, kind: DatabaseKind): Promise<void> {
  await changeAllRows(db, kind, 'sessions', () => sql`delete from sessions`.execute(db))
  if (kind === 'postgres') {
    await sql`alter table sessions alter column user_id type bigint`.execute(db)
    await sql`alter table users alter column id type bigint`.execute(db)
  }
  await changeAllRows(db, kind, 'users', async () => {
    // Negative at first, because a new id may be the old one of another user.
    await sql`update users set id = -(cast(1 as bigint) << (cast(id as integer) - 1))`.execute(db)
    await sql`update users set id = -id`.execute(db)
  })
  const counters = {
    last_login: 'bigint',
    guest: 'bigint',
    second_factor_since: 'bigint',
    second_factor_step: 'bigint'
  }
  await addColumns(db, 'users', { nick: 'text', second_factor: 'text', ...(counters as Record<string, 'bigint'>) })
  await db.schema
    .alterTable('users')
    .addColumn('expires', 'bigint', (column) => column.notNull().defaultTo(NEVER_EXPIRES))
    .execute()
  await addColumns(db, 'user_groups', { description: 'text', require_second_factor: 'bigint' })
  await addColumns(db, 'sessions', { id: 'bigint', authenticated: 'bigint', address: 'text', agent: 'text' })
  await db.schema.createIndex('sessions_id').unique().on('sessions').columns([ORGANISATION, 'id']).execute()
  await addColumns(db, 'log_entries', { sn: 'text', token: 'text' })
  await db.schema
    .alterTable('log_entries')
    .addColumn('level', 'bigint', (column) => column.notNull().defaultTo(LOG_INFO))
    .execute()
  await ownedTable(db, 'settings')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('value', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('settings_key', [ORGANISATION, 'name'])
    .execute()
  await protect(db, kind, ['settings'])
}

/** Groups of hubs, and who sees hubs and groups. All hubs are visible to every user until somebody limits it. */
async function createCatalogs(db: AnyDatabase, kind: DatabaseKind): Promise<void> {
  const masks = { group_mask: 'bigint', usr_mask: 'bigint' } as const
  await ownedTable(db, 'catalogs')
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('parent_id', 'bigint', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('created', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('catalogs_key', [ORGANISATION, 'id'])
    .addUniqueConstraint('catalogs_name', [ORGANISATION, 'name'])
    .execute()
  await addColumns(db, 'hubs', { label: 'text', catalog_id: 'bigint', favorites: 'bigint', ...masks })
  await addColumns(db, 'catalogs', masks)
  for (const name of ['hubs', 'catalogs'])
    await db.schema
      .alterTable(name)
      .addColumn('is_inherit', 'bigint', (column) => column.notNull().defaultTo(1))
      .execute()
  await protect(db, kind, ['catalogs'])
}

/** Rows that belong to a user, and are deleted with the user. */
const userTable = (db: AnyDatabase, name: string) =>
  ownedTable(db, name)
    .addColumn('user_id', 'bigint', (column) => column.notNull())
    .addForeignKeyConstraint(`${name}_user`, [ORGANISATION, 'user_id'], 'users', [ORGANISATION, 'id'], (constraint) =>
      constraint.onDelete('cascade')
    )
    .addColumn('hash', 'text', (column) => column.notNull())

async function createSecrets(db: AnyDatabase, kind: DatabaseKind): Promise<void> {
  await userTable(db, 'recovery_codes')
    .addPrimaryKeyConstraint('recovery_codes_key', [ORGANISATION, 'user_id', 'hash'])
    .execute()
  await userTable(db, 'tokens')
    .addColumn('id', 'bigint', (column) => column.notNull())
    .addColumn('begin', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('created', 'bigint', (column) => column.notNull())
    .addColumn('expires', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('tokens_key', [ORGANISATION, 'id'])
    .addUniqueConstraint('tokens_hash', ['hash'])
    .execute()
  await addColumns(db, 'tokens', { used: 'bigint', used_address: 'text' })
  await protect(db, kind, ['recovery_codes', 'tokens'])
  if (kind === 'postgres') await revealPresentedToken(db)
}

/** Lets the program check that no migration is missing when it does not run them itself. */
async function revealMigrations(db: AnyDatabase, kind: DatabaseKind): Promise<void> {
  if (kind === 'postgres') await grantTable(db, 'kysely_migration', ['select'])
}

/** Protects new tables whose rows change. */
async function protect(db: AnyDatabase, kind: DatabaseKind, names: readonly string[]): Promise<void> {
  for (const name of names)
    if (kind === 'sqlite') await keepOrganisation(db, name)
    else await secureTable(db, name, ['select', 'insert', 'update', 'delete'])
}

async function createHubSessions(db: AnyDatabase, kind: DatabaseKind): Promise<void> {
  await ownedTable(db, 'hub_sessions')
    .addColumn('hash', 'text', (column) => column.notNull())
    .addColumn('session', 'text', (column) => column.notNull())
    .addColumn('sn', 'text', (column) => column.notNull())
    .addColumn('is_ticket', 'integer', (column) => column.notNull())
    .addColumn('created', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('hub_sessions_key', [ORGANISATION, 'hash'])
    .addForeignKeyConstraint(
      'hub_sessions_session',
      [ORGANISATION, 'session'],
      'sessions',
      [ORGANISATION, 'hash'],
      (constraint) => constraint.onDelete('cascade')
    )
    .addForeignKeyConstraint('hub_sessions_hub', [ORGANISATION, 'sn'], 'hubs', [ORGANISATION, 'sn'], (constraint) =>
      constraint.onDelete('cascade')
    )
    .execute()
  await db.schema.createIndex('hub_sessions_session').on('hub_sessions').columns([ORGANISATION, 'session']).execute()
  await protect(db, kind, ['hub_sessions'])
}

async function createNodes(db: AnyDatabase, kind: DatabaseKind): Promise<void> {
  await db.schema
    .createTable('nodes')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('heartbeat', 'bigint', (column) => column.notNull())
    .execute()
  if (kind === 'postgres') await grantTable(db, 'nodes', ['select', 'insert', 'update', 'delete'])
}

/** The last digest of each hub, and when it was connected last. */
async function createDigests(db: AnyDatabase, kind: DatabaseKind): Promise<void> {
  await addColumns(db, 'hubs', { last_seen: 'bigint' })
  await ownedTable(db, 'digests')
    .addColumn('sn', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('received', 'bigint', (column) => column.notNull())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('digests_key', [ORGANISATION, 'sn'])
    .addForeignKeyConstraint('digests_hub', [ORGANISATION, 'sn'], 'hubs', [ORGANISATION, 'sn'], (constraint) =>
      constraint.onDelete('cascade')
    )
    .execute()
  await protect(db, kind, ['digests'])
}

/** The links of hubs at all nodes, and the revisions that all nodes share. */
async function createLinks(db: AnyDatabase, kind: DatabaseKind): Promise<void> {
  await addColumns(db, 'nodes', { peer_address: 'text', pin: 'text', signature: 'text' })
  await db.schema
    .createTable('links')
    .addColumn('epoch', kind === 'postgres' ? 'bigserial' : 'integer', (column) => column.primaryKey())
    .addColumn('node', 'text', (column) => column.notNull().references('nodes.id').onDelete('cascade'))
    .addColumn(ORGANISATION, 'text', (column) => column.notNull())
    .addColumn('sn', 'text', (column) => column.notNull())
    .addColumn('instance', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('is_held', 'integer', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('links_node').on('links').columns(['node', ORGANISATION]).execute()
  await db.schema
    .createTable('revisions')
    .addColumn(ORGANISATION, 'text', (column) => column.primaryKey())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .execute()
  if (kind === 'sqlite') return
  await grantTable(db, 'links', ['select', 'insert', 'delete'])
  await grantTable(db, 'revisions', ['select', 'insert', 'update'])
  await sql`grant usage on sequence links_epoch_seq to ${sql.id(await applicationRole(db))}`.execute(db)
}

async function createRollouts(db: AnyDatabase, kind: DatabaseKind): Promise<void> {
  const [text, number] = ['text', 'bigint'] as const
  await ownedTable(db, 'rollouts')
    .addColumn('id', number, (column) => column.notNull())
    .addPrimaryKeyConstraint('rollouts_key', [ORGANISATION, 'id'])
    .execute()
  await addColumns(db, 'rollouts', {
    ...{ version: text, user_id: number, user_name: text, address: text },
    ...{ created: number, approved: number, ended: number, state: text, cause: text },
    ...{ first: number, growth: number, wave_max: number, pause_minutes: number, stop_after: number },
    ...{ interrupt: number, wave: number, wave_ended: number, forgiven: number, node: text, epoch: number }
  })
  await ownedTable(db, 'rollout_hubs')
    .addColumn('rollout_id', number, (column) => column.notNull())
    .addColumn('sn', text, (column) => column.notNull())
    .addPrimaryKeyConstraint('rollout_hubs_key', [ORGANISATION, 'rollout_id', 'sn'])
    .addForeignKeyConstraint(
      'rollout_hubs_rollout',
      [ORGANISATION, 'rollout_id'],
      'rollouts',
      [ORGANISATION, 'id'],
      (constraint) => constraint.onDelete('cascade')
    )
    .execute()
  await addColumns(db, 'rollout_hubs', {
    ...{ position: number, name: text, state: text, step: text, progress: number, wave: number },
    ...{ from_version: text, version: text, cause: text, result: number, detail_en: text, detail_zh: text },
    ...{ started: number, changed: number, ended: number }
  })
  await protect(db, kind, ['rollouts', 'rollout_hubs'])
  await db.schema
    .createTable('rollout_queue')
    .addColumn(ORGANISATION, text, (column) => column.notNull())
    .addColumn('id', number, (column) => column.notNull())
    .addPrimaryKeyConstraint('rollout_queue_key', [ORGANISATION, 'id'])
    .execute()
  if (kind === 'postgres') await grantTable(db, 'rollout_queue', ['select', 'insert', 'delete'])
}

/** The migrations by number. */
export const migrationsFor = (kind: DatabaseKind): Record<string, Migration> => ({
  '0001': { up: (db) => createFirstTables(db, kind) },
  '0002': { up: (db) => createSigningKeys(db, kind) },
  '0003': { up: (db) => extendAccounts(db, kind) },
  '0004': { up: (db) => createCatalogs(db, kind) },
  '0005': { up: (db) => createSecrets(db, kind) },
  '0006': { up: (db) => revealMigrations(db, kind) },
  '0007': { up: (db) => createHubSessions(db, kind) },
  '0008': { up: (db) => createNodes(db, kind) },
  '0009': { up: (db) => addColumns(db, 'hub_sessions', { target: 'text' }) },
  '0010': { up: (db) => createDigests(db, kind) },
  '0011': { up: (db) => createLinks(db, kind) },
  '0012': { up: (db) => createRollouts(db, kind) },
  '0013': { up: async (db) => void (kind === 'postgres' && (await createLogTrimming(db))) }
})
