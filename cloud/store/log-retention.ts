// Which lines of the log of an organisation are removed. In PostgreSQL the program may only add lines, so a function of
// the owner of the tables removes them: it takes no argument, and the rule and the clock are the database's own.
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { LOG_DAYS, LOG_LINES } from '../../contract/limits.ts'
import { applicationRole, ORGANISATION_SETTING } from './row-security.ts'

const DAY = 86_400_000

/** The time of the oldest of the newest `count` lines of an organisation; null if there are fewer. */
const timeOfKept = (organisation: RawBuilder<string>, count: number) => sql`(
  select time from log_entries where organisation = ${organisation} order by time desc limit 1 offset ${sql.lit(count - 1)})`

/**
 * Removes what is older than 365 days; of what is older than 90 days all but the newest 100,000 lines; and all but the
 * newest 1,000,000.
 * @param now milliseconds since the epoch
 */
const removeOldLines = (organisation: RawBuilder<string>, now: RawBuilder<number>) => sql`
  delete from log_entries where organisation = ${organisation} and (
    time < ${now} - ${sql.lit(LOG_DAYS.default * DAY)}
    or (time < ${now} - ${sql.lit(LOG_DAYS.min * DAY)} and time < ${timeOfKept(organisation, LOG_LINES.default)})
    or time < ${timeOfKept(organisation, LOG_LINES.max)})`

/** Lets the program of PostgreSQL remove old lines of the organisation of its transaction, and nothing else. */
export async function createLogTrimming(db: Kysely<unknown>): Promise<void> {
  const organisation = sql<string>`current_setting(${sql.lit(ORGANISATION_SETTING)}, true)`
  const now = sql<number>`(extract(epoch from clock_timestamp()) * 1000)`
  await sql`create function trim_log() returns void language sql security definer set search_path = public, pg_temp
    as $trim$ ${removeOldLines(organisation, now)} $trim$`.execute(db)
  await sql`revoke all on function trim_log() from public`.execute(db)
  await sql`grant execute on function trim_log() to ${sql.id(await applicationRole(db))}`.execute(db)
}

/** Removes old lines of an organisation in PostgreSQL: that of the transaction. */
export const trimInPostgres = (db: Kysely<never>) => sql`select trim_log()`.execute(db)

/** Removes old lines of an organisation in SQLite. */
export const trimInSqlite = (db: Kysely<never>, organisation: string) =>
  removeOldLines(sql<string>`${organisation}`, sql<number>`${Date.now()}`).execute(db)
