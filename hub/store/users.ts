// Users, their groups and their sessions.
import type { Database } from './database.ts'

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
}

export interface GroupRow {
  id: number
  name: string
  description: string
  permission: number
  type: number
}

export interface SessionRow {
  id: number
  hash: string
  user_id: number
  address: string
  agent: string
  /** Milliseconds since the epoch. */
  created: number
  seen: number
}

const USER = `SELECT user.*, user_group.name AS group_name, user_group.permission, user_group.type
  FROM user JOIN user_group ON user_group.id = user.group_id`

/** The form in which names are compared, without what cannot be seen: SQLite itself takes only A-Z for capitals. */
const folded = (name: string) =>
  name
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()

/** The one of `rows` whose name differs from `name` in capitals and small letters at most. */
function alike<Row extends { name: string }>(rows: readonly Row[], name: string): Row | undefined {
  return rows.find((row) => folded(row.name) === folded(name))
}

export function users(database: Database) {
  const all = () => database.all<UserRow>(`${USER} ORDER BY user.id`)
  const groups = () => database.all<GroupRow>('SELECT * FROM user_group ORDER BY id')
  return {
    all,
    byName: (name: string) => database.get<UserRow>(`${USER} WHERE user.name = ?`, name),
    byId: (id: number) => database.get<UserRow>(`${USER} WHERE user.id = ?`, id),
    /** The user of this name, however written. Signing in takes the name as it stands. */
    called: (name: string) => alike(all(), name),
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
    move(id: number, groupId: number): void {
      database.run('UPDATE user SET group_id = ? WHERE id = ?', groupId, id)
    },
    signedIn(id: number, now: number): void {
      database.run('UPDATE user SET last_login = ? WHERE id = ?', now, id)
    },
    /** Removes a user with all sessions and tokens. Its bit in the masks of others is for `visibility.ts`. */
    remove(id: number): void {
      database.run('DELETE FROM user WHERE id = ?', id)
    },
    /** Stores a new password hash; every session of the user but `keep` ends. */
    setPassword(id: number, password: string, isDefault: boolean, keep: string | undefined): void {
      database.run(
        'UPDATE user SET password = ?, is_default_password = ? WHERE id = ?',
        password,
        isDefault ? 1 : 0,
        id
      )
      database.run('DELETE FROM session WHERE user_id = ? AND hash <> ?', id, keep ?? '')
    },
    count: () => database.get<{ n: number }>('SELECT count(*) AS n FROM user')?.n ?? 0,

    groups,
    group: (id: number) => database.get<GroupRow>('SELECT * FROM user_group WHERE id = ?', id),
    /** The group of this name, however written. */
    groupCalled: (name: string) => alike(groups(), name),
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
    setGroup({ id, name, description, permission }: Omit<GroupRow, 'type'>): void {
      database.run(
        'UPDATE user_group SET name = ?, description = ?, permission = ? WHERE id = ?',
        name,
        description,
        permission,
        id
      )
    },
    /** Removes a group in which nobody is. Its bit in the masks of others is for `visibility.ts`. */
    removeGroup(id: number): void {
      database.run('DELETE FROM user_group WHERE id = ?', id)
    },

    session: (hash: string) => database.get<SessionRow>('SELECT * FROM session WHERE hash = ?', hash),
    /** Those used since `after`, in milliseconds since the epoch, with the names of their users, the last used first. */
    sessions: (after: number) =>
      database.all<SessionRow & { user: string }>(
        `SELECT session.*, user.name AS user FROM session JOIN user ON user.id = session.user_id
         WHERE seen >= ? ORDER BY seen DESC, session.id DESC`,
        after
      ),
    addSession(hash: string, userId: number, address: string, agent: string, now: number): void {
      database.run(
        'INSERT INTO session (hash, user_id, address, agent, created, seen) VALUES (?1, ?2, ?3, ?4, ?5, ?5)',
        hash,
        userId,
        address,
        agent,
        now
      )
    },
    touchSession(hash: string, now: number, address: string): void {
      database.run('UPDATE session SET seen = ?, address = ? WHERE hash = ?', now, address, hash)
    },
    endSession(hash: string): void {
      database.run('DELETE FROM session WHERE hash = ?', hash)
    },
    /** Ends all sessions of a user but the `max` last used. */
    limitSessions(userId: number, max: number): void {
      database.run(
        `DELETE FROM session WHERE user_id = ?1 AND id NOT IN
          (SELECT id FROM session WHERE user_id = ?1 ORDER BY seen DESC, id DESC LIMIT ?2)`,
        userId,
        max
      )
    },
    /** Forgets sessions not seen since `before`, in milliseconds since the epoch. */
    forgetSessions(before: number): void {
      database.run('DELETE FROM session WHERE seen < ?', before)
    }
  }
}

export type Users = ReturnType<typeof users>
