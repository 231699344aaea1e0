// Rollouts and how far each of their devices is. What changes within a step (percent) is not kept: `hub/firmware/rollouts.ts`.
import { CANCELED } from '../../contract/codes.ts'
import { type RolloutState, UPDATE } from '../../contract/firmware.ts'
import type { Database } from './database.ts'

export interface RolloutRow {
  id: number
  firmware_id: number
  product_name: string
  hardware_ver: string
  version: string
  test: number
  state: RolloutState
  user: string
  first: number
  wave: number
  stop_after: number
  /** Failures that no longer count. */
  forgiven: number
  /** Waves begun. */
  waves: number
  /** Milliseconds since the epoch. */
  created: number
  ended: number
}

export type NewRollout = Omit<RolloutRow, 'id' | 'state' | 'forgiven' | 'waves' | 'ended'>

export interface RolloutDeviceRow {
  rollout_id: number
  place: number
  sn: string
  /** `UPDATE` */
  state: number
  reason: number
  from_ver: string
  wave: number
  /** Times it was begun; more than once when the hub went away in between. */
  attempts: number
  started: number
  ended: number
}

/** How many of a rollout's devices there are, and how they stand. */
export interface Tally {
  total: number
  waiting: number
  active: number
  done: number
  failed: number
  cancelled: number
  /** Active, or waiting for nothing but their turn. */
  begun: number
}

/** Rollouts that are over and kept. */
const KEPT = 200

/** Named one by one, so that the index is used: most rows are idle, and lists of devices ask for the others all the time. */
const NOT_IDLE = Object.values(UPDATE).filter((state) => state !== UPDATE.idle)
const BEGUN = `(state > ${UPDATE.waiting} OR (state = ${UPDATE.waiting} AND wave > 0))`

export function rollouts(database: Database) {
  return {
    /** Newest first. */
    all: () => database.all<RolloutRow>('SELECT * FROM rollout ORDER BY id DESC'),
    byId: (id: number) => database.get<RolloutRow>('SELECT * FROM rollout WHERE id = ?', id),
    /** Those that are not over. */
    open: () => database.all<RolloutRow>("SELECT * FROM rollout WHERE state NOT IN ('done', 'cancelled') ORDER BY id"),
    /** Those that are not over and need this file. */
    using: (firmwareId: number) =>
      database.all<RolloutRow>(
        "SELECT * FROM rollout WHERE firmware_id = ? AND state NOT IN ('done', 'cancelled')",
        firmwareId
      ),
    /** The oldest ones that are over go, when there are many. @returns the new id */
    add(row: NewRollout, devices: readonly { sn: string; version: string }[]): number {
      const { id } = database.run(
        `INSERT INTO rollout (firmware_id, product_name, hardware_ver, version, test, state, user, first, wave, stop_after,
          created) VALUES (?, ?, ?, ?, ?, 'running', ?, ?, ?, ?, ?)`,
        row.firmware_id,
        row.product_name,
        row.hardware_ver,
        row.version,
        row.test,
        row.user,
        row.first,
        row.wave,
        row.stop_after,
        row.created
      )
      for (const [place, { sn, version }] of devices.entries())
        database.run(
          'INSERT INTO rollout_device (rollout_id, place, sn, state, from_ver) VALUES (?, ?, ?, ?, ?)',
          id,
          place,
          sn,
          UPDATE.waiting,
          version
        )
      database.run(
        `DELETE FROM rollout WHERE id IN (
          SELECT id FROM rollout WHERE state IN ('done', 'cancelled') ORDER BY id DESC LIMIT -1 OFFSET ?)`,
        KEPT
      )
      return id
    },
    /** In their order. */
    devices: (id: number) =>
      database.all<RolloutDeviceRow>('SELECT * FROM rollout_device WHERE rollout_id = ? ORDER BY place', id),
    device: (id: number, sn: string) =>
      database.get<RolloutDeviceRow>('SELECT * FROM rollout_device WHERE rollout_id = ? AND sn = ?', id, sn),
    /** Whether an update of the device waits or is under way. */
    busy: (sn: string) => database.get('SELECT 1 FROM rollout_device WHERE sn = ? AND state > 0', sn) !== undefined,
    /** Its devices whose update has begun. */
    begun: (id: number) =>
      database.all<RolloutDeviceRow>(`SELECT * FROM rollout_device WHERE rollout_id = ? AND ${BEGUN}`, id),
    /** The next ones that wait. */
    next: (id: number, count: number) =>
      database.all<RolloutDeviceRow>(
        'SELECT * FROM rollout_device WHERE rollout_id = ? AND state = ? ORDER BY place LIMIT ?',
        id,
        UPDATE.waiting,
        count
      ),
    tally(id: number): Tally {
      const row = database.get<Record<keyof Tally, number>>(
        `SELECT count(*) AS total, count(*) FILTER (WHERE state = 1) AS waiting, count(*) FILTER (WHERE state > 1) AS active,
          count(*) FILTER (WHERE state = 0) AS done, count(*) FILTER (WHERE state < 0 AND reason <> ?) AS failed,
          count(*) FILTER (WHERE state < 0 AND reason = ?) AS cancelled, count(*) FILTER (WHERE ${BEGUN}) AS begun
          FROM rollout_device WHERE rollout_id = ?`,
        CANCELED,
        CANCELED,
        id
      )
      return row as Tally
    },
    /** Updates that wait, are under way, or failed and were not followed by another. */
    current: () =>
      database.all<RolloutDeviceRow>(
        `SELECT * FROM rollout_device AS one WHERE state IN (${NOT_IDLE}) AND reason <> ? AND NOT EXISTS (
          SELECT 1 FROM rollout_device AS other WHERE other.sn = one.sn AND other.rollout_id > one.rollout_id)`,
        CANCELED
      ),
    setState(id: number, state: RolloutState, ended: number): void {
      database.run('UPDATE rollout SET state = ?, ended = ? WHERE id = ?', state, ended, id)
    },
    /** Failures so far no longer count. */
    forgive(id: number, failures: number): void {
      database.run('UPDATE rollout SET forgiven = ? WHERE id = ?', failures, id)
    },
    /** These devices may begin: they wait for their turn only. */
    beginWave(id: number, wave: number, serials: readonly string[]): void {
      database.run('UPDATE rollout SET waves = ? WHERE id = ?', wave, id)
      for (const sn of serials)
        database.run('UPDATE rollout_device SET wave = ?, attempts = 0 WHERE rollout_id = ? AND sn = ?', wave, id, sn)
    },
    /** What has not begun begins no more until further notice. */
    hold(id: number, state: 'paused' | 'stopped'): void {
      database.run('UPDATE rollout SET state = ? WHERE id = ?', state, id)
      database.run('UPDATE rollout_device SET wave = 0 WHERE rollout_id = ? AND state = ?', id, UPDATE.waiting)
    },
    /** Its turn has come, for the first time or once more. */
    begin(id: number, sn: string, started: number): void {
      database.run(
        `UPDATE rollout_device SET state = max(state, ?), attempts = attempts + 1, started = ?
          WHERE rollout_id = ? AND sn = ?`,
        UPDATE.updating,
        started,
        id,
        sn
      )
    },
    /** What has ended, and not well, waits once more. */
    waitAgain(id: number, sn: string): void {
      database.run(
        `UPDATE rollout_device SET state = ?, reason = 0, wave = 0, attempts = 0, started = 0, ended = 0
          WHERE rollout_id = ? AND sn = ? AND state = ?`,
        UPDATE.waiting,
        id,
        sn,
        UPDATE.failed
      )
    },
    /** The device is at another step. With `ended` it has come to its end. */
    setDevice(id: number, sn: string, state: number, reason = 0, ended = 0): void {
      database.run(
        'UPDATE rollout_device SET state = ?, reason = ?, ended = ? WHERE rollout_id = ? AND sn = ?',
        state,
        reason,
        ended,
        id,
        sn
      )
    },
    /** Cancels what has not begun. @returns how many there were */
    cancelWaiting(id: number, now: number): number {
      return database.run(
        'UPDATE rollout_device SET state = ?, reason = ?, ended = ? WHERE rollout_id = ? AND state = ?',
        UPDATE.failed,
        CANCELED,
        now,
        id,
        UPDATE.waiting
      ).changes
    },
    remove(id: number): void {
      database.run('DELETE FROM rollout WHERE id = ?', id)
    }
  }
}

export type Rollouts = ReturnType<typeof rollouts>
