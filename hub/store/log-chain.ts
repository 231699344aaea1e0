// Makes changes of the operation log visible: each line has the hash of its content and of the line before it. Somebody
// who can write the database can compute new hashes, so they are compared with the copy at a syslog server.
import { createHash } from 'node:crypto'
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
}

interface StoredLine extends ChainedLine {
  id: number
  hash: string
}

export interface ChainCheck {
  /** Number of lines with a hash. */
  lines: number
  /**
   * ID of the oldest line that does not follow from the one before it; 0 if lines at the end are missing. Absent: the
   * log is intact.
   */
  brokenId?: number
}

/** Lines read at once. */
const CHUNK = 1000

/** SHA-256 in hexadecimal. @param previous hash of the line before; empty for the first line */
export function hashLine(previous: string, { time, user, ip, event, detail, code, objects }: ChainedLine): string {
  const text = JSON.stringify([previous, time, user, ip, event, detail, code, objects])
  return createHash('sha256').update(text).digest('hex')
}

export class LogChain {
  readonly #database: Pick<Database, 'all' | 'get'> & Partial<Pick<Database, 'run'>>

  /** @param database a read-only one is enough for `check` */
  constructor(database: Pick<Database, 'all' | 'get'> & Partial<Pick<Database, 'run'>>) {
    this.#database = database
  }

  /** Returns the hash for a new line, and stores it as the newest. Call in the transaction that writes the line. */
  append(line: ChainedLine): string {
    const hash = hashLine(this.#head(), line)
    this.#database.run?.(
      'INSERT INTO operation_log_head (one, hash) VALUES (1, ?) ON CONFLICT (one) DO UPDATE SET hash = excluded.hash',
      hash
    )
    return hash
  }

  /**
   * Checks all lines. The oldest one is taken as it is, because the lines before it were removed when they became too
   * old.
   */
  check(): ChainCheck {
    let previous: string | undefined
    let lines = 0
    for (let after = 0; ; ) {
      const chunk = this.#database.all<StoredLine>(
        `SELECT id, time, user, ip, event, detail, code, objects, hash FROM operation_log
         WHERE id > ? AND hash <> '' ORDER BY id LIMIT ${CHUNK}`,
        after
      )
      for (const line of chunk) {
        if (previous !== undefined && hashLine(previous, line) !== line.hash) return { lines, brokenId: line.id }
        previous = line.hash
        lines++
      }
      if (chunk.length < CHUNK) break
      after = chunk.at(-1)?.id ?? 0
    }
    return previous === this.#head() || lines === 0 ? { lines } : { lines, brokenId: 0 }
  }

  /** The hash of the newest line. It is kept when the log is cleared. */
  #head(): string {
    return this.#database.get<{ hash: string }>('SELECT hash FROM operation_log_head')?.hash ?? ''
  }
}
