// Makes changes of the operation log visible: each line has the hash of its content and of the line before it. Somebody
// who can write the database can compute new hashes, so they are compared with the copy at a syslog server.
import { createHash } from 'node:crypto'
import { SUCCESS } from '../../contract/codes.ts'
import { clearLog, type LogType } from '../../contract/log.ts'
import type { Database } from '../database/database.ts'

/** The fields of a line that are hashed, in this order. */
export interface ChainedLine {
  time: number
  user: string
  ip: string
  event: string
  detail: string
  code: number
  objects: string
  /** Name of the access token with which the user's program made the change; empty for sessions. */
  token: string
}

interface StoredLine extends ChainedLine {
  id: number
  hash: string
  /** Hash of the line before, of lines about a cleared log. */
  previous: string
}

/** Somebody has cleared a log. */
export interface Clearing {
  time: number
  user: string
  ip: string
  log: LogType
}

export interface ChainCheck {
  /** Number of lines with a hash. */
  lines: number
  /**
   * ID of the oldest line that does not follow from the one before it; 0 if lines at the end are missing. Absent: the
   * log is intact.
   */
  brokenId?: number
  /** Newest first, at most `CLEARINGS_MAX`. */
  clearings: Clearing[]
}

/** Clearings in a check. */
const CLEARINGS_MAX = 100

/** The lines about cleared logs. They stay when the operation log is cleared. */
const CLEARING = `event = '${clearLog.path}' AND code = ${SUCCESS}`

const isClearing = ({ event, code }: Pick<ChainedLine, 'event' | 'code'>) => event === clearLog.path && code === SUCCESS

/** Lines read at once. */
const CHUNK = 1000

/**
 * SHA-256 in hexadecimal. The token is part of it only if there is one, so that the hashes of lines from before it was
 * logged stay right.
 * @param previous hash of the line before; empty for the first line
 */
export function hashLine(previous: string, line: ChainedLine): string {
  const { time, user, ip, event, detail, code, objects, token } = line
  const text = JSON.stringify([previous, time, user, ip, event, detail, code, objects, ...(token ? [token] : [])])
  return createHash('sha256').update(text).digest('hex')
}

export class LogChain {
  readonly #database: Pick<Database, 'all' | 'get'> & Partial<Pick<Database, 'run'>>

  /** @param database a read-only one is enough for `check` */
  constructor(database: Pick<Database, 'all' | 'get'> & Partial<Pick<Database, 'run'>>) {
    this.#database = database
  }

  /**
   * Returns the hash for a new line, and stores it as the newest. Call in the transaction that writes the line.
   * @returns also the hash of the line before, for a line that may outlive it
   */
  append(line: ChainedLine): { hash: string; previous: string } {
    const previous = this.#head()
    const hash = hashLine(previous, line)
    this.#database.run?.(
      'INSERT INTO operation_log_head (one, hash) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET hash = excluded.hash',
      hash
    )
    return { hash, previous: isClearing(line) ? previous : '' }
  }

  /** Removes all lines but those about cleared logs. */
  clear(): void {
    // Lines of earlier versions do not have the hash of the line before, which is still there.
    this.#database.run?.(
      `UPDATE operation_log SET previous = coalesce((SELECT before.hash FROM operation_log AS before
         WHERE before.id < operation_log.id AND before.hash <> '' ORDER BY before.id DESC LIMIT 1), '')
       WHERE ${CLEARING} AND previous = ''`
    )
    this.#database.run?.(`DELETE FROM operation_log WHERE NOT (${CLEARING})`)
  }

  /**
   * Checks all lines. The oldest one is taken as it is, because the lines before it were removed when they became too
   * old. Where the log was cleared, only lines about cleared logs follow each other; each is checked with the hash of
   * the line before it, which it has kept.
   */
  check(): ChainCheck {
    const clearings = this.#clearings()
    const clearedUpTo =
      this.#database.get<{ id: number | null }>(
        `SELECT max(id) AS id FROM operation_log WHERE ${CLEARING} AND detail = 'operation'`
      )?.id ?? 0
    let before: StoredLine | undefined
    let lines = 0
    const follows = (line: StoredLine) => {
      if (hashLine(before?.hash ?? line.previous, line) === line.hash) return true
      if (!before) return line.previous === ''
      const isGap = line.id <= clearedUpTo && isClearing(before) && isClearing(line)
      return isGap && hashLine(line.previous, line) === line.hash
    }
    for (let after = 0; ; ) {
      const chunk = this.#database.all<StoredLine>(
        `SELECT id, time, user, ip, event, detail, code, objects, token, hash, previous FROM operation_log
         WHERE id > ? AND hash <> '' ORDER BY id LIMIT ${CHUNK}`,
        after
      )
      for (const line of chunk) {
        if (!follows(line)) return { lines, brokenId: line.id, clearings }
        before = line
        lines++
      }
      if (chunk.length < CHUNK) break
      after = chunk.at(-1)?.id ?? 0
    }
    return before?.hash === this.#head() || lines === 0 ? { lines, clearings } : { lines, brokenId: 0, clearings }
  }

  #clearings(): Clearing[] {
    const rows = this.#database.all<Omit<Clearing, 'log'> & { detail: string }>(
      `SELECT time, user, ip, detail FROM operation_log WHERE ${CLEARING} ORDER BY id DESC LIMIT ${CLEARINGS_MAX}`
    )
    return rows.map(({ detail, ...row }) => ({ ...row, log: detail.split(' ')[0] as LogType }))
  }

  /** The hash of the newest line. It is kept when the log is cleared. */
  #head(): string {
    return this.#database.get<{ hash: string }>('SELECT hash FROM operation_log_head')?.hash ?? ''
  }
}
