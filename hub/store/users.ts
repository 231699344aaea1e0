// Users, user groups and sessions.

import { findByFoldedName } from '../../accounts/folded-names.ts'
import type { SessionLimits } from '../../accounts/session-times.ts'
import type { Database } from '../database/database.ts'
import { createQueryCache } from '../database/query-cache.ts'
import { MemorySessions, type SessionRow } from './memory-sessions.ts'

export interface UserRow {
  id: number
  name: string
  nick: string
  group_id: number
  group_name: string
  permission: number
  type: number
  password: string
  is_default_password: number
  /** Milliseconds since the epoch; 0 = never. */
  last_login: number
  /** Encrypted secret of the second factor; empty = none. */
  second_factor: string
  /** When the second factor was switched on, in milliseconds since the epoch; 0 = off. */
  second_factor_since: number
  /** Of the group. */
  require_second_factor: number
  /** End of the account in milliseconds since the epoch; -1 = none. */
  expires: number
  /** 1: sees only what names the user. */
  guest: number
}

/** SQL: whether the account of a user has not ended at a time. */
const IS_VALID = '(user.expires = -1 OR user.expires > ?)'

export interface GroupRow {
  id: number
  name: string
  description: string
  permission: number
  type: number
  require_second_factor: number
}

const SELECT_USER = `SELECT user.*, user_group.name AS group_name, user_group.permission, user_group.type,
  user_group.require_second_factor
  FROM user JOIN user_group ON user_group.id = user.group_id`

export type Users = UserRepository & GroupRepository & SessionRepository
type UserRepository = ReturnType<typeof userRepository>
type GroupRepository = ReturnType<typeof groupRepository>
type SessionRepository = ReturnType<typeof sessionRepository>

export function users(database: Database): Users {
  const memory = new MemorySessions()
  return { ...userRepository(database, memory), ...groupRepository(database), ...sessionRepository(database, memory) }
}

function userRepository(database: Database, memory: MemorySessions) {
  const all = () => database.all<UserRow>(`${SELECT_USER} ORDER BY user.id`)
  return {
    all,
    byId: createQueryCache(database, ['user', 'user_group'], (id: number) =>
      database.get<UserRow>(`${SELECT_USER} WHERE user.id = ?`, id)
    ),
    /** The user with exactly this name, as used for signing in. */
    byName: (name: string) => database.get<UserRow>(`${SELECT_USER} WHERE user.name = ?`, name),
    byNameIgnoringCase: (name: string) => findByFoldedName(all(), name),
    count: () => database.get<{ n: number }>('SELECT count(*) AS n FROM user')?.n ?? 0,
    add(id: number, name: string, groupId: number, password: string, isDefault: boolean, nick = ''): void {
      database.run(
        'INSERT INTO user (id, name, nick, group_id, password, is_default_password) VALUES (?, ?, ?, ?, ?, ?)',
        id,
        name,
        nick,
        groupId,
        password,
        isDefault ? 1 : 0
      )
    },
    rename(id: number, name: string, nick: string): void {
      database.run('UPDATE user SET name = ?, nick = ? WHERE id = ?', name, nick, id)
    },
    setExpires(id: number, expires: number): void {
      database.run('UPDATE user SET expires = ? WHERE id = ?', expires, id)
    },
    /** Makes a new user a guest. */
    setGuest(id: number): void {
      database.run('UPDATE user SET guest = 1 WHERE id = ?', id)
    },
    moveToGroup(id: number, groupId: number): void {
      database.run('UPDATE user SET group_id = ? WHERE id = ?', groupId, id)
    },
    setLastLogin(id: number, now: number): void {
      database.run('UPDATE user SET last_login = ? WHERE id = ?', now, id)
    },
    /** Stores a new password hash and ends the user's sessions as `endOtherSessions` does. */
    setPassword(id: number, password: string, isDefault: boolean, keep: string | undefined): void {
      database.run(
        'UPDATE user SET password = ?, is_default_password = ? WHERE id = ?',
        password,
        isDefault ? 1 : 0,
        id
      )
      this.endOtherSessions(id, keep)
    },
    /** Ends all sessions of a user, except the one with the hash `keep` and those of displays. */
    endOtherSessions(id: number, keep?: string): void {
      database.run("DELETE FROM session WHERE user_id = ? AND hash <> ? AND display = ''", id, keep ?? '')
      memory.removeOfUser(id, keep)
    },
    /** Ends all sessions of a user, also those of displays. */
    endAllSessions(id: number): void {
      database.run('DELETE FROM session WHERE user_id = ?', id)
      memory.removeOfUser(id, undefined)
    },
    /** Removes a user with all sessions and tokens. `visibility.ts` removes the user's bit from masks. */
    remove(id: number): void {
      database.run('DELETE FROM user WHERE id = ?', id)
      memory.removeOfUser(id, undefined)
    }
  }
}

function groupRepository(database: Database) {
  const groups = () => database.all<GroupRow>('SELECT * FROM user_group ORDER BY id')
  return {
    groups,
    group: (id: number) => database.get<GroupRow>('SELECT * FROM user_group WHERE id = ?', id),
    groupByNameIgnoringCase: (name: string) => findByFoldedName(groups(), name),
    addGroup(id: number, name: string, permission: number, type: number, description = ''): void {
      database.run(
        'INSERT INTO user_group (id, name, description, permission, type) VALUES (?, ?, ?, ?, ?)',
        id,
        name,
        description,
        permission,
        type
      )
    },
    updateGroup({ id, name, description, permission, require_second_factor }: Omit<GroupRow, 'type'>): void {
      database.run(
        'UPDATE user_group SET name = ?, description = ?, permission = ?, require_second_factor = ? WHERE id = ?',
        name,
        description,
        permission,
        require_second_factor,
        id
      )
    },
    /** Removes an empty group. `visibility.ts` removes the group's bit from masks. */
    removeGroup(id: number): void {
      database.run('DELETE FROM user_group WHERE id = ?', id)
    }
  }
}

function sessionRepository(database: Database, memory: MemorySessions) {
  const storedSession = createQueryCache(database, ['session'], (hash: string) =>
    database.get<SessionRow>('SELECT * FROM session WHERE hash = ?', hash)
  )
  const addSession = (row: Omit<SessionRow, 'id'>) =>
    database.run(
      `INSERT INTO session (hash, user_id, address, agent, created, seen, authenticated, display)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
      row.hash,
      row.user_id,
      row.address,
      row.agent,
      row.created,
      row.seen,
      row.authenticated,
      row.display
    )
  /** Sessions in memory with the names of their users. */
  const memorySessions = (now: number) =>
    memory.all().flatMap((row) => {
      const sql = `SELECT name FROM user WHERE id = ? AND ${IS_VALID}`
      const name = database.get<{ name: string }>(sql, row.user_id, now)?.name
      return name === undefined ? [] : [{ ...row, user: name }]
    })
  return {
    session(hash: string): SessionRow | undefined {
      const inMemory = memory.get(hash)
      if (inMemory || memory.hasEnded(hash)) return inMemory
      const row = storedSession(hash)
      return row && memory.withUse(row)
    },
    /** Valid sessions with the names of their users; the last used first. */
    sessions({ createdSince, seenSince, now }: SessionLimits): (SessionRow & { user: string })[] {
      const stored = database.all<SessionRow & { user: string }>(
        `SELECT session.*, user.name AS user FROM session JOIN user ON user.id = session.user_id
          WHERE (created >= ? OR display <> '') AND ${IS_VALID}`,
        ...[createdSince, now]
      )
      return [...memorySessions(now), ...stored.map((row) => memory.withUse(row))]
        .filter(({ hash }) => !memory.hasEnded(hash))
        .filter(({ created, seen, display }) => display || (created >= createdSince && seen >= seenSince))
        .sort((a, b) => b.seen - a.seen || b.id - a.id)
    },
    addSession(hash: string, userId: number, address: string, agent: string, now: number, display = ''): void {
      addSession({ hash, user_id: userId, address, agent, created: now, seen: now, authenticated: now, display })
    },
    /**
     * Adds a session that is stored when the storage fault ends. Of each user the `max` last used such sessions are
     * kept.
     */
    addMemorySession(session: Omit<SessionRow, 'id'>, max: number): void {
      memory.add(session, max)
    },
    /** Stores the sessions in memory, after a storage fault. */
    storeMemorySessions(): void {
      for (const row of memory.take()) addSession(row)
    },
    /** The use is in memory at once, and stored when that is possible. */
    recordSessionUse(hash: string, now: number, address: string): void {
      memory.recordUse(hash, { seen: now, address })
      database.runBatched(() => {
        database.run('UPDATE session SET seen = ?, address = ? WHERE hash = ?', now, address, hash)
        memory.useStored(hash)
      })
    },
    /**
     * Moves the times of all sessions, because the clock was set: a session keeps its age.
     * @param until the time before the step. Later times are from before the clock was wrong, and stay.
     */
    shiftSessions(step: number, until: number): void {
      memory.shift(step, until)
      const moved = (column: string) => `${column} = iif(${column} <= ?2, ${column} + ?1, ${column})`
      const columns = ['created', 'seen', 'authenticated'].map(moved).join(', ')
      database.runBatched(() => database.run(`UPDATE session SET ${columns}`, step, until))
    },
    recordAuthentication(hash: string, now: number): void {
      const inMemory = memory.get(hash)
      if (inMemory) inMemory.authenticated = now
      else database.run('UPDATE session SET authenticated = ? WHERE hash = ?', now, hash)
    },
    endSession(hash: string): void {
      database.run('DELETE FROM session WHERE hash = ?', hash)
      memory.remove(hash)
    },
    /** Ends a session at once, and deletes it when that is possible. */
    endSessionLater(hash: string): void {
      memory.end(hash)
      database.runBatched(() => {
        database.run('DELETE FROM session WHERE hash = ?', hash)
        memory.remove(hash)
      })
    },
    /** Ends all sessions of a user, except the `max` last used and those of displays. */
    limitSessions(userId: number, max: number): void {
      database.run(
        `DELETE FROM session WHERE user_id = ?1 AND display = '' AND id NOT IN
          (SELECT id FROM session WHERE user_id = ?1 AND display = '' ORDER BY seen DESC, id DESC LIMIT ?2)`,
        userId,
        max
      )
    },
    removeExpiredSessions({ createdSince, seenSince }: Pick<SessionLimits, 'createdSince' | 'seenSince'>): void {
      database.run("DELETE FROM session WHERE display = '' AND (created < ? OR seen < ?)", createdSince, seenSince)
    }
  }
}
