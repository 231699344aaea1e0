// Messages to destinations of notifications: the queue of undelivered messages, and the delivery log.
import type { DeliveryState } from '../../contract/alert/destination.ts'
import type { Translation } from '../../contract/text/language.ts'
import type { Database } from '../database/database.ts'

/** Maximum number of lines of the delivery log. */
const LOG_MAX = 10_000

/** An answer of the other end, or a sentence of the hub in both languages. */
export type Answer = string | Translation

export interface NewDelivery {
  destination: { id: number; name: string }
  /** Name of the rule; empty for a test of the destination. */
  rule: string
  /** The message, as JSON. */
  message: string
}

export interface StoredDelivery {
  id: number
  destination_id: number
  /** Name of the destination when the message was made. */
  destination: string
  rule: string
  message: string
  /** All times are in milliseconds since the epoch. */
  created: number
  state: DeliveryState
  attempts: number
  time: number
  next: number
  /** JSON of `Answer`. */
  answer: string
}

/** Outcome of an attempt. */
export interface Attempt {
  state: DeliveryState
  answer: Answer
  time: number
  /** With the state `waiting`: when the next attempt is due. */
  next?: number
}

export function alertDeliveries(database: Database) {
  return {
    /** @returns the ID. The first attempt is due at once */
    add({ destination, rule, message }: NewDelivery, now: number): number {
      const { id } = database.run(
        `INSERT INTO alert_delivery (destination_id, destination, rule, message, created, state, next)
          VALUES (?, ?, ?, ?, ?, 'waiting', ?)`,
        destination.id,
        destination.name,
        rule,
        message,
        now,
        now
      )
      database.run("DELETE FROM alert_delivery WHERE id <= ? AND state <> 'waiting'", id - LOG_MAX)
      return id
    },
    /** Adds a message for which an attempt was made outside the queue, with its outcome. */
    addTried(delivery: NewDelivery, attempt: Attempt): void {
      this.note(this.add(delivery, attempt.time), attempt)
    },
    /** The oldest waiting message of each destination. Later messages wait until it is delivered or given up. */
    heads: () =>
      database.all<StoredDelivery>(
        `SELECT * FROM alert_delivery WHERE id IN
          (SELECT min(id) FROM alert_delivery WHERE state = 'waiting' GROUP BY destination_id) ORDER BY id`
      ),
    /** Stores the outcome of an attempt. */
    note(id: number, { state, answer, time, next = 0 }: Attempt): void {
      database.run(
        'UPDATE alert_delivery SET state = ?, answer = ?, time = ?, next = ?, attempts = attempts + 1 WHERE id = ?',
        state,
        JSON.stringify(answer),
        time,
        next,
        id
      )
    },
    /** Gives up the waiting messages of a destination, except the newest. @returns how many */
    giveUp(destination: number, answer: Answer, { keep, now }: { keep: number; now: number }): number {
      return database.run(
        `UPDATE alert_delivery SET state = 'failed', answer = ?1, time = ?2 WHERE id IN (SELECT id FROM alert_delivery
          WHERE destination_id = ?3 AND state = 'waiting' ORDER BY id DESC LIMIT -1 OFFSET ?4)`,
        JSON.stringify(answer),
        now,
        destination,
        keep
      ).changes
    },
    /** Makes waiting messages due. @param destination all if undefined */
    makeDue(destination: number | undefined, now: number): void {
      database.run(
        "UPDATE alert_delivery SET next = ?1 WHERE state = 'waiting' AND (?2 IS NULL OR destination_id = ?2)",
        now,
        destination ?? null
      )
    },
    countWaiting: (destination: number): number =>
      database.get<{ n: number }>(
        "SELECT count(*) AS n FROM alert_delivery WHERE destination_id = ? AND state = 'waiting'",
        destination
      )?.n ?? 0,
    /** The last message to a destination for which an attempt was made. */
    lastAttempt: (destination: number) =>
      database.get<StoredDelivery>(
        'SELECT * FROM alert_delivery WHERE destination_id = ? AND time > 0 ORDER BY time DESC, id DESC LIMIT 1',
        destination
      ),
    /** A page of the log, the newest first. @param destination all if undefined */
    page(destination: number | undefined, start: number, count: number): { total: number; list: StoredDelivery[] } {
      const where = destination === undefined ? '?1 = 0' : 'destination_id = ?1'
      const id = destination ?? 0
      const total = database.get<{ n: number }>(`SELECT count(*) AS n FROM alert_delivery WHERE ${where}`, id)?.n ?? 0
      const list = database.all<StoredDelivery>(
        `SELECT * FROM alert_delivery WHERE ${where} ORDER BY id DESC LIMIT ?2 OFFSET ?3`,
        id,
        count,
        start
      )
      return { total, list }
    }
  }
}

export type AlertDeliveries = ReturnType<typeof alertDeliveries>
