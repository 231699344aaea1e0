// Access tokens. Only their SHA-256 hashes are stored.
import type { TokenRow } from '../../accounts/access-tokens.ts'
import type { Database } from '../database/database.ts'
import { createQueryCache } from '../database/query-cache.ts'

type NewTokenRow = Pick<TokenRow, 'hash' | 'begin' | 'name' | 'user_id' | 'scopes' | 'created' | 'expires'>

export function tokens(database: Database) {
  /** Last uses that are not stored yet, by ID. */
  const uses = new Map<number, Pick<TokenRow, 'used' | 'used_address'>>()
  const storedByHash = createQueryCache(database, ['token'], (hash: string) =>
    database.get<TokenRow>('SELECT * FROM token WHERE hash = ?', hash)
  )
  const withUse = (row: TokenRow | undefined) => row && { ...row, ...uses.get(row.id) }
  return {
    /** All tokens with the names of their owners, newest first. */
    all: () =>
      database.all<TokenRow & { owner: string }>(
        'SELECT token.*, user.name AS owner FROM token JOIN user ON user.id = token.user_id ORDER BY token.id DESC'
      ),
    byId: (id: number) => withUse(database.get<TokenRow>('SELECT * FROM token WHERE id = ?', id)),
    byHash: (hash: string) => withUse(storedByHash(hash)),
    count: () => database.get<{ n: number }>('SELECT count(*) AS n FROM token')?.n ?? 0,
    /** @returns the new ID */
    add: (row: NewTokenRow): number =>
      database.run(
        'INSERT INTO token (hash, begin, name, user_id, scopes, created, expires) VALUES (?, ?, ?, ?, ?, ?, ?)',
        row.hash,
        row.begin,
        row.name,
        row.user_id,
        row.scopes,
        row.created,
        row.expires
      ).id,
    /** The use is in memory at once, and stored when that is possible. */
    recordUse(id: number, now: number, address: string): void {
      uses.set(id, { used: now, used_address: address })
      database.runBatched(() => {
        database.run('UPDATE token SET used = ?, used_address = ? WHERE id = ?', now, address, id)
        uses.delete(id)
      })
    },
    remove(id: number): void {
      database.run('DELETE FROM token WHERE id = ?', id)
      uses.delete(id)
    }
  }
}

export type Tokens = ReturnType<typeof tokens>
