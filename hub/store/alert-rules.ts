// Rules of notifications, the alarms that they have raised, and the objects in maintenance.
import type { RuleOptions } from '../../contract/alert/rule.ts'
import type { Database } from '../database/database.ts'
import { createQueryCache } from '../database/query-cache.ts'

export interface StoredRule extends RuleOptions {
  id: number
  name: string
}

/** An alarm (`hub/alerts/alarm.ts`), as it is stored. */
export interface StoredAlarm {
  id: string
  rule: number
  /** JSON. */
  state: string
}

export type MaintainedKind = 'channel' | 'device' | 'tag'

export interface MaintenanceRow {
  id: number
  kind: MaintainedKind
  /** ID, or serial number of a device. */
  object: string
  since: number
  /** In milliseconds since the epoch, as `since`. */
  until: number
  note: string
  by_user: string
}

export function alertRules(database: Database) {
  const all = createQueryCache(database, ['alert_rule'], (_all: 'all') =>
    database
      .all<{ id: number; name: string; options: string }>('SELECT * FROM alert_rule ORDER BY id')
      .map(({ id, name, options }): StoredRule => ({ id, name, ...JSON.parse(options) }))
  )
  const maintenance = createQueryCache(database, ['alert_maintenance'], (_all: 'all') =>
    database.all<MaintenanceRow>('SELECT * FROM alert_maintenance ORDER BY until, id')
  )
  return {
    all: (): readonly StoredRule[] => all('all') ?? [],
    /** @returns the new ID */
    add: (name: string, options: RuleOptions): number =>
      database.run('INSERT INTO alert_rule (name, options) VALUES (?, ?)', name, JSON.stringify(options)).id,
    set(id: number, name: string, options: RuleOptions): void {
      database.run('UPDATE alert_rule SET name = ?, options = ? WHERE id = ?', name, JSON.stringify(options), id)
    },
    remove(id: number): void {
      database.run('DELETE FROM alert_rule WHERE id = ?', id)
    },
    alarms: () => database.all<StoredAlarm>('SELECT id, rule_id AS rule, state FROM alert_alarm ORDER BY rowid'),
    putAlarm({ id, rule, state }: StoredAlarm): void {
      database.run(
        // The rule may have been deleted, if the write was deferred.
        `INSERT INTO alert_alarm (id, rule_id, state) SELECT ?1, ?2, ?3 FROM alert_rule WHERE id = ?2
          ON CONFLICT (id) DO UPDATE SET state = excluded.state`,
        id,
        rule,
        state
      )
    },
    removeAlarm(id: string): void {
      database.run('DELETE FROM alert_alarm WHERE id = ?', id)
    },
    /** The objects in maintenance at a time, the one whose maintenance ends first at the beginning. */
    maintained: (now: number): readonly MaintenanceRow[] =>
      (maintenance('all') ?? []).filter(({ until }) => until > now),
    /** @returns the ID of the maintenance, which an object that is already in maintenance keeps */
    maintain(row: Omit<MaintenanceRow, 'id'>): number {
      // Deletes the maintenances that have ended.
      database.run('DELETE FROM alert_maintenance WHERE until <= ?', row.since)
      const found = database.get<{ id: number }>(
        `INSERT INTO alert_maintenance (kind, object, since, until, note, by_user) VALUES (?, ?, ?, ?, ?, ?)
          ON CONFLICT (kind, object) DO UPDATE SET until = excluded.until, note = excluded.note, by_user = excluded.by_user
          RETURNING id`,
        row.kind,
        row.object,
        row.since,
        row.until,
        row.note,
        row.by_user
      )
      return found?.id ?? 0
    },
    endMaintenance(id: number): void {
      database.run('DELETE FROM alert_maintenance WHERE id = ?', id)
    }
  }
}

export type AlertRules = ReturnType<typeof alertRules>
