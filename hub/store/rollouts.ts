// Firmware rollouts, and the update state of each of their devices. The progress within a step is not stored:
// `hub/firmware/rollouts.ts`.
import { CANCELED } from '../../contract/codes.ts'
import { DEVICE_UPDATE_STATE, type RolloutState } from '../../contract/rollout.ts'
import type { Database } from '../database/database.ts'
import { createQueryCache } from '../database/query-cache.ts'

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
  /** Failures that no longer count towards `stop_after`. */
  forgiven: number
  /** Number of waves started. */
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
  /** A value of `DEVICE_UPDATE_STATE`. */
  state: number
  reason: number
  from_ver: string
  wave: number
  /** Times the update was started; more than one after a restart of the hub. */
  attempts: number
  started: number
  ended: number
}

/** Numbers of a rollout's devices. */
export interface RolloutCounts {
  total: number
  waiting: number
  active: number
  done: number
  failed: number
  cancelled: number
  /** Active, or part of a started wave and waiting. */
  started: number
}

/** Finished rollouts that are kept. */
const FINISHED_MAX = 200

/** A list of values, so that SQLite uses the index: most rows are idle, and device lists often query the others. */
const NOT_IDLE = Object.values(DEVICE_UPDATE_STATE).filter((state) => state !== DEVICE_UPDATE_STATE.idle)
const IS_STARTED = `(state > ${DEVICE_UPDATE_STATE.waiting} OR (state = ${DEVICE_UPDATE_STATE.waiting} AND wave > 0))`

export type Rollouts = RolloutRepository & RolloutDeviceRepository
type RolloutRepository = ReturnType<typeof rolloutRepository>
type RolloutDeviceRepository = ReturnType<typeof deviceRepository>

export function rollouts(database: Database): Rollouts {
  return { ...rolloutRepository(database), ...deviceRepository(database) }
}

/** @returns the new ID */
function insertRollout(database: Database, row: NewRollout): number {
  return database.run(
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
  ).id
}

function rolloutRepository(database: Database) {
  return {
    /** Newest first. */
    all: () => database.all<RolloutRow>('SELECT * FROM rollout ORDER BY id DESC'),
    byId: (id: number) => database.get<RolloutRow>('SELECT * FROM rollout WHERE id = ?', id),
    /** Rollouts that are not finished. */
    unfinished: () =>
      database.all<RolloutRow>("SELECT * FROM rollout WHERE state NOT IN ('done', 'cancelled') ORDER BY id"),
    /** Rollouts of a firmware file that are not finished. */
    unfinishedWithFirmware: (firmwareId: number) =>
      database.all<RolloutRow>(
        "SELECT * FROM rollout WHERE firmware_id = ? AND state NOT IN ('done', 'cancelled')",
        firmwareId
      ),
    /** Adds a rollout and removes the oldest finished ones beyond the limit. @returns the new ID */
    add(row: NewRollout, devices: readonly { sn: string; version: string }[]): number {
      const id = insertRollout(database, row)
      for (const [place, { sn, version }] of devices.entries())
        database.run(
          'INSERT INTO rollout_device (rollout_id, place, sn, state, from_ver) VALUES (?, ?, ?, ?, ?)',
          id,
          place,
          sn,
          DEVICE_UPDATE_STATE.waiting,
          version
        )
      database.run(
        `DELETE FROM rollout WHERE id IN (
          SELECT id FROM rollout WHERE state IN ('done', 'cancelled') ORDER BY id DESC LIMIT -1 OFFSET ?)`,
        FINISHED_MAX
      )
      return id
    },
    counts(id: number): RolloutCounts {
      const row = database.get<Record<keyof RolloutCounts, number>>(
        `SELECT count(*) AS total, count(*) FILTER (WHERE state = 1) AS waiting, count(*) FILTER (WHERE state > 1) AS active,
          count(*) FILTER (WHERE state = 0) AS done, count(*) FILTER (WHERE state < 0 AND reason <> ?) AS failed,
          count(*) FILTER (WHERE state < 0 AND reason = ?) AS cancelled, count(*) FILTER (WHERE ${IS_STARTED}) AS started
          FROM rollout_device WHERE rollout_id = ?`,
        CANCELED,
        CANCELED,
        id
      )
      return row as RolloutCounts
    },
    setState(id: number, state: RolloutState, ended: number): void {
      database.run('UPDATE rollout SET state = ?, ended = ? WHERE id = ?', state, ended, id)
    },
    /** The first `failures` failures no longer count towards `stop_after`. */
    ignoreFailures(id: number, failures: number): void {
      database.run('UPDATE rollout SET forgiven = ? WHERE id = ?', failures, id)
    },
    /** Starts a wave of these devices. */
    startWave(id: number, wave: number, serials: readonly string[]): void {
      database.run('UPDATE rollout SET waves = ? WHERE id = ?', wave, id)
      for (const sn of serials)
        database.run('UPDATE rollout_device SET wave = ?, attempts = 0 WHERE rollout_id = ? AND sn = ?', wave, id, sn)
    },
    /** Pauses or stops a rollout: updates that have not begun wait until it is resumed. */
    suspend(id: number, state: 'paused' | 'stopped'): void {
      database.run('UPDATE rollout SET state = ? WHERE id = ?', state, id)
      database.run(
        'UPDATE rollout_device SET wave = 0 WHERE rollout_id = ? AND state = ?',
        id,
        DEVICE_UPDATE_STATE.waiting
      )
    },
    remove(id: number): void {
      database.run('DELETE FROM rollout WHERE id = ?', id)
    }
  }
}

function deviceRepository(database: Database) {
  const currentUpdates = createQueryCache(database, ['rollout_device'], (_all: 'all') =>
    database.all<RolloutDeviceRow>(
      `SELECT * FROM rollout_device AS one WHERE state IN (${NOT_IDLE}) AND reason <> ? AND NOT EXISTS (
        SELECT 1 FROM rollout_device AS other WHERE other.sn = one.sn AND other.rollout_id > one.rollout_id)`,
      CANCELED
    )
  )
  // Asked for each offline device of a channel whenever the channel is observed.
  const updatingDevices = createQueryCache(
    database,
    ['rollout_device'],
    (_all: 'all'): ReadonlySet<string> =>
      new Set(
        (currentUpdates('all') ?? []).flatMap(({ sn, state }) => (state >= DEVICE_UPDATE_STATE.updating ? [sn] : []))
      )
  )
  return {
    /** The devices of a rollout in order. */
    devices: (id: number) =>
      database.all<RolloutDeviceRow>('SELECT * FROM rollout_device WHERE rollout_id = ? ORDER BY place', id),
    device: (id: number, sn: string) =>
      database.get<RolloutDeviceRow>('SELECT * FROM rollout_device WHERE rollout_id = ? AND sn = ?', id, sn),
    /** Whether any device is being updated. */
    isUpdating: () =>
      database.get('SELECT 1 FROM rollout_device WHERE state > ?', DEVICE_UPDATE_STATE.waiting) !== undefined,
    /** Whether an update of the device waits or runs, in any rollout. */
    isDeviceBusy: (sn: string) =>
      database.get('SELECT 1 FROM rollout_device WHERE sn = ? AND state > 0', sn) !== undefined,
    /** The devices of a rollout whose wave or update has started. */
    startedDevices: (id: number) =>
      database.all<RolloutDeviceRow>(`SELECT * FROM rollout_device WHERE rollout_id = ? AND ${IS_STARTED}`, id),
    /** The next `count` waiting devices. */
    nextWaiting: (id: number, count: number) =>
      database.all<RolloutDeviceRow>(
        'SELECT * FROM rollout_device WHERE rollout_id = ? AND state = ? ORDER BY place LIMIT ?',
        id,
        DEVICE_UPDATE_STATE.waiting,
        count
      ),
    /** Updates that wait or run, and failed updates if no later rollout contains the device. */
    currentUpdates: (): readonly RolloutDeviceRow[] => currentUpdates('all') ?? [],
    /** Serial numbers of the devices whose update runs. */
    updatingDevices: (): ReadonlySet<string> => updatingDevices('all') ?? new Set(),
    /** Marks the update of a device as started, and counts the attempt. */
    startDevice(id: number, sn: string, started: number): void {
      database.run(
        `UPDATE rollout_device SET state = max(state, ?), attempts = attempts + 1, started = ?
          WHERE rollout_id = ? AND sn = ?`,
        DEVICE_UPDATE_STATE.updating,
        started,
        id,
        sn
      )
    },
    /** Lets a device whose update failed wait again. */
    requeueDevice(id: number, sn: string): void {
      database.run(
        `UPDATE rollout_device SET state = ?, reason = 0, wave = 0, attempts = 0, started = 0, ended = 0
          WHERE rollout_id = ? AND sn = ? AND state = ?`,
        DEVICE_UPDATE_STATE.waiting,
        id,
        sn,
        DEVICE_UPDATE_STATE.failed
      )
    },
    /** @param ended milliseconds since the epoch at which the update ended; 0 = it runs */
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
    /** Cancels the updates that have not begun. @returns their number */
    cancelWaiting(id: number, now: number): number {
      return database.run(
        'UPDATE rollout_device SET state = ?, reason = ?, ended = ? WHERE rollout_id = ? AND state = ?',
        DEVICE_UPDATE_STATE.failed,
        CANCELED,
        now,
        id,
        DEVICE_UPDATE_STATE.waiting
      ).changes
    }
  }
}
