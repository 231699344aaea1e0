// Frame of the commands that change a user of an organisation on the machine itself. The command line names the user,
// ORGANISATION (headend) the organisation. They read the same environment variables as the cloud (options.ts). On
// SQLite the cloud must be stopped; on PostgreSQL its nodes go on.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { LOG_WARNING } from '../contract/log.ts'
import { readUsers, type UserRow } from './auth/accounts.ts'
import { readStateOptions } from './options.ts'
import { addLogEntry } from './store/log.ts'
import type { Scope } from './store/scope.ts'
import { openStore } from './store/store.ts'

/** @throws Error if there is no such user */
async function findUser(scope: Scope, name: string): Promise<UserRow> {
  const users = await readUsers(scope)
  if (users.length === 0) throw new Error(`There is no organisation ${scope.organisation}: set ORGANISATION`)
  const user = users.find((row) => row.name === name)
  if (user) return user
  throw new Error(`There is no user ${name}, only ${users.map((row) => row.name).join(', ')}`)
}

/**
 * Changes the user who is named on the command line, with a line in the log of the organisation.
 * @param program name of the file in `cloud/`, without `.ts`
 * @param change makes the change in one transaction, and returns what the terminal shows. Throws an error with a
 * message without a full stop if it has changed nothing.
 */
export async function runUserCommand(
  program: string,
  event: string,
  change: (scope: Scope, user: UserRow) => Promise<string>
): Promise<void> {
  const { ORGANISATION = 'headend' } = process.env
  const [name] = process.argv.slice(2)
  try {
    if (!name) throw new Error(`Name the user: node cloud/${program}.ts USER`)
    const options = readStateOptions(process.env)
    const hasPostgres = options.databaseUrl !== undefined || options.applicationUrl !== undefined
    if (!hasPostgres && !existsSync(join(options.data, 'cloud.db')))
      throw new Error(`${options.data} has no data of a cloud: set CLOUD_DATA or DATABASE_URL`)
    const store = await openStore(options)
    try {
      const result = await store.within(ORGANISATION, async (scope) => {
        const user = await findUser(scope, name)
        const text = await change(scope, user)
        const entry = { time: Date.now(), user_name: '', address: '', event, detail: name, result: 0 }
        await addLogEntry(scope, { ...entry, level: LOG_WARNING })
        return text
      })
      console.log(result)
    } finally {
      await store.close()
    }
  } catch (error) {
    console.error(`${(error as Error).message}. Nothing was changed.`)
    process.exitCode = 1
  }
}
