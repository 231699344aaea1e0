// Browsers that get notifications. Their addresses at the push services are stored encrypted: whoever knows one can
// send to the browser.
import { createHash } from 'node:crypto'
import { GROUP_ADMIN } from '../../contract/access/permissions.ts'
import type { PushSubscription } from '../../contract/alert/push.ts'
import type { Encryption } from '../../data-files/encryption.ts'
import type { Database } from '../database/database.ts'

interface PushBrowserRow {
  id: number
  user_id: number
  /** Name of the user. */
  user: string
  agent: string
  created: number
  secret: string
}

/** A browser to which messages can be sent. */
export interface SubscribedBrowser {
  id: number
  subscription: PushSubscription
}

/** One owner for all rows, because a row gets its ID when it is written. */
const OWNER = 'push browser'
const NEVER = -1

const hashOf = ({ endpoint }: PushSubscription) => createHash('sha256').update(endpoint).digest('base64url')

export function pushBrowsers(database: Database, encryption: Encryption) {
  const all = (): PushBrowserRow[] =>
    database.all<PushBrowserRow>(
      'SELECT push_browser.*, user.name AS user FROM push_browser JOIN user ON user.id = user_id ORDER BY push_browser.id'
    )
  return {
    all,
    count: () => database.get<{ n: number }>('SELECT count(*) AS n FROM push_browser')?.n ?? 0,
    has: (subscription: PushSubscription) =>
      database.get('SELECT 1 FROM push_browser WHERE endpoint_hash = ?', hashOf(subscription)) !== undefined,
    /** Those whose users are still in the group Admin. A message names channels that others may not see. */
    permitted(now: number): SubscribedBrowser[] {
      const rows = database.all<Pick<PushBrowserRow, 'id' | 'secret'>>(
        `SELECT push_browser.id, secret FROM push_browser JOIN user ON user.id = user_id
          JOIN user_group ON user_group.id = group_id WHERE type = ? AND (expires = ? OR expires > ?) ORDER BY push_browser.id`,
        GROUP_ADMIN,
        NEVER,
        now
      )
      return rows.flatMap(({ id, secret }) => {
        // It cannot be read if it was encrypted with another key.
        const text = encryption.decrypt(secret, OWNER)
        return text ? [{ id, subscription: JSON.parse(text) as PushSubscription }] : []
      })
    },
    /** Adds a browser, or replaces the subscription that it has. @returns its ID */
    put(user: number, agent: string, subscription: PushSubscription, now: number): number {
      const hash = hashOf(subscription)
      database.run('DELETE FROM push_browser WHERE endpoint_hash = ?', hash)
      return database.run(
        'INSERT INTO push_browser (user_id, agent, endpoint_hash, secret, created) VALUES (?, ?, ?, ?, ?)',
        user,
        agent,
        hash,
        encryption.encrypt(JSON.stringify(subscription), OWNER),
        now
      ).id
    },
    /** @returns whether there was one */
    remove: (id: number): boolean => database.run('DELETE FROM push_browser WHERE id = ?', id).changes > 0,
    removeOfUser(user: number): void {
      database.run('DELETE FROM push_browser WHERE user_id = ?', user)
    }
  }
}

export type PushBrowsers = ReturnType<typeof pushBrowsers>
