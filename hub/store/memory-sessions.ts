// Sessions and uses of sessions that could not be stored because of a storage fault. They are kept in memory until the
// fault ends, so that signing in and reading do not depend on writing.
export interface SessionRow {
  id: number
  hash: string
  user_id: number
  address: string
  agent: string
  /** Milliseconds since the epoch. */
  created: number
  /** Last use in milliseconds since the epoch. */
  seen: number
  /** Last proof of the password in milliseconds since the epoch. */
  authenticated: number
  /** Name of the wall display; empty for the session of a user. */
  display: string
}

/** Last use of a stored session, in milliseconds since the epoch. */
interface SessionUse {
  seen: number
  address: string
}

export class MemorySessions {
  readonly #sessions = new Map<string, SessionRow>()
  readonly #uses = new Map<string, SessionUse>()
  /** Stored sessions that have ended, until they are deleted. */
  readonly #ended = new Set<string>()
  #lastId = 0

  /** Adds a session with a negative ID. Of each user the `max` last used are kept. */
  add(session: Omit<SessionRow, 'id'>, max: number): void {
    this.#sessions.set(session.hash, { ...session, id: --this.#lastId })
    const own = this.all().filter((row) => row.user_id === session.user_id)
    for (const { hash } of own.slice(max)) this.#sessions.delete(hash)
  }

  get(hash: string): SessionRow | undefined {
    return this.#sessions.get(hash)
  }

  /** The last used first. */
  all(): SessionRow[] {
    return [...this.#sessions.values()].sort((a, b) => b.seen - a.seen || a.id - b.id)
  }

  /** Records a use that the database does not have yet. */
  recordUse(hash: string, use: SessionUse): void {
    const session = this.#sessions.get(hash)
    if (session) Object.assign(session, use)
    else this.#uses.set(hash, use)
  }

  /** The use is in the database. */
  useStored(hash: string): void {
    this.#uses.delete(hash)
  }

  /** A stored session with its last use. */
  withUse<Row extends SessionRow>(row: Row): Row {
    const use = this.#uses.get(row.hash)
    return use && use.seen > row.seen ? { ...row, ...use } : row
  }

  hasEnded(hash: string): boolean {
    return this.#ended.has(hash)
  }

  /** Ends a session that cannot be deleted now. */
  end(hash: string): void {
    this.remove(hash)
    this.#ended.add(hash)
  }

  /** Forgets a session. */
  remove(hash: string): void {
    this.#ended.delete(hash)
    this.#sessions.delete(hash)
    this.#uses.delete(hash)
  }

  /** Removes the sessions of a user, except the one with the hash `keep`. */
  removeOfUser(userId: number, keep: string | undefined): void {
    for (const row of this.all()) if (row.user_id === userId && row.hash !== keep) this.remove(row.hash)
  }

  /** Moves all times up to `until` by a step of the clock. */
  shift(step: number, until: number): void {
    const move = (time: number) => (time <= until ? time + step : time)
    for (const row of this.#sessions.values()) {
      const { created, seen, authenticated } = row
      Object.assign(row, { created: move(created), seen: move(seen), authenticated: move(authenticated) })
    }
    for (const use of this.#uses.values()) use.seen = move(use.seen)
  }

  /** Removes and returns all sessions. */
  take(): SessionRow[] {
    const all = this.all()
    this.#sessions.clear()
    return all
  }
}
