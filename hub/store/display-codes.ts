// One-time codes of wall displays (contract/access/display.ts). Only their SHA-256 hashes are stored.
import type { Database } from '../database/database.ts'

export interface DisplayCodeRow {
  hash: string
  /** The creator. */
  user_id: number
  /** Name of the display. */
  name: string
  /** Milliseconds since the epoch. */
  expires: number
}

export function displayCodes(database: Database) {
  return {
    add({ hash, user_id, name, expires }: DisplayCodeRow): void {
      database.run(
        'INSERT INTO display_code (hash, user_id, name, expires) VALUES (?, ?, ?, ?)',
        hash,
        user_id,
        name,
        expires
      )
    },
    /** Removes a code, so that it works once. @returns the code, undefined if there is none with this hash */
    take(hash: string): DisplayCodeRow | undefined {
      const row = database.get<DisplayCodeRow>('SELECT * FROM display_code WHERE hash = ?', hash)
      if (row) database.run('DELETE FROM display_code WHERE hash = ?', hash)
      return row
    },
    removeExpired(now: number): void {
      database.run('DELETE FROM display_code WHERE expires <= ?', now)
    },
    /** Codes and displays. */
    count: (): number =>
      database.get<{ n: number }>(
        "SELECT (SELECT count(*) FROM display_code) + (SELECT count(*) FROM session WHERE display <> '') AS n"
      )?.n ?? 0
  }
}

export type DisplayCodes = ReturnType<typeof displayCodes>
