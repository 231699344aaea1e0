// Users, their groups and their sessions.
import type { Database } from './database.ts'

export interface UserRow {
  id: number
  name: string
  group_id: number
  group_name: string
  permission: number
  type: number
  password: string
  is_default_password: number
}

export interface SessionRow {
  id: number
  hash: string
  user_id: number
  address: string
  agent: string
  created: number
  seen: number
}

const USER = `SELECT user.*, user_group.name AS group_name, user_group.permission, user_group.type
  FROM user JOIN user_group ON user_group.id = user.group_id`

export function users(database: Database) {
  return {
    byName: (name: string) => database.get<UserRow>(`${USER} WHERE user.name = ?`, name),
    byId: (id: number) => database.get<UserRow>(`${USER} WHERE user.id = ?`, id),
    addGroup(id: number, name: string, permission: number, type: number): void {
      database.run(
        'INSERT INTO user_group (id, name, permission, type) VALUES (?, ?, ?, ?)',
        id,
        name,
        permission,
        type
      )
    },
    add(id: number, name: string, groupId: number, password: string, isDefault: boolean): void {
      database.run(
        'INSERT INTO user (id, name, group_id, password, is_default_password) VALUES (?, ?, ?, ?, ?)',
        id,
        name,
        groupId,
        password,
        isDefault ? 1 : 0
      )
    },
    /** Stores a new password hash; every session of the user but `keep` ends. */
    setPassword(id: number, password: string, keep: string | undefined): void {
      database.run('UPDATE user SET password = ?, is_default_password = 0 WHERE id = ?', password, id)
      database.run('DELETE FROM session WHERE user_id = ? AND hash <> ?', id, keep ?? '')
    },
    count: () => database.get<{ n: number }>('SELECT count(*) AS n FROM user')?.n ?? 0,

    session: (hash: string) => database.get<SessionRow>('SELECT * FROM session WHERE hash = ?', hash),
    addSession(hash: string, userId: number, address: string, now: number): void {
      database.run(
        'INSERT INTO session (hash, user_id, address, created, seen) VALUES (?, ?, ?, ?, ?)',
        hash,
        userId,
        address,
        now,
        now
      )
    },
    touchSession(hash: string, now: number): void {
      database.run('UPDATE session SET seen = ? WHERE hash = ?', now, hash)
    },
    endSession(hash: string): void {
      database.run('DELETE FROM session WHERE hash = ?', hash)
    },
    /** Forgets sessions not seen since `before`, in milliseconds since the epoch. */
    forgetSessions(before: number): void {
      database.run('DELETE FROM session WHERE seen < ?', before)
    }
  }
}

export type Users = ReturnType<typeof users>
