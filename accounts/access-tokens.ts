// Access tokens (contract/access/token.ts). Only their SHA-256 hashes are stored.
import { randomInt } from 'node:crypto'
import { type AccessToken, TOKEN_SCOPES, type TokenScope } from '../contract/access/token.ts'
import { TOKEN_LENGTH } from '../contract/limits.ts'

export interface TokenRow {
  id: number
  hash: string
  /** First characters of the token. */
  begin: string
  name: string
  user_id: number
  /** Separated by spaces. */
  scopes: string
  /** Milliseconds since the epoch. */
  created: number
  /** Milliseconds since the epoch; -1 = never. */
  expires: number
  /** Last use in milliseconds since the epoch, up to 30 s old; 0 = never used. */
  used: number
  used_address: string
}

/** The scopes of a stored token, in the order of `TOKEN_SCOPES`. */
export function scopesOfToken({ scopes }: Pick<TokenRow, 'scopes'>): TokenScope[] {
  const stored = new Set(scopes.split(' '))
  return TOKEN_SCOPES.filter((scope) => stored.has(scope))
}

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/**
 * Characters at the start of a token that are stored so that users can recognize it. The other characters have 345
 * bits.
 */
export const PREFIX_LENGTH = 6

/** Name of a token in the operation log. */
export const describeToken = (owner: string, { name, begin }: Pick<TokenRow, 'name' | 'begin'>) =>
  `${[`${owner}:`, name, begin].filter(Boolean).join(' ')}…`

/** A random token of 381 bits. `randomInt` has a uniform distribution. */
export function generateToken(): string {
  return Array.from({ length: TOKEN_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
}

export function serializeToken(row: TokenRow & { owner: string }): AccessToken {
  return {
    id: row.id,
    name: row.name,
    begin: row.begin,
    owner: row.owner,
    'owner-id': row.user_id,
    scopes: scopesOfToken(row),
    'create-time': row.created,
    'expired-time': row.expires,
    ...(row.used > 0 && { 'used-time': row.used, 'used-ip': row.used_address })
  }
}
