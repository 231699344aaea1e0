// Frame of the commands that change a user on the machine itself, while the hub is stopped. The command line names the
// user, DATA the folder.
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DATABASE_FILE, requireDataOwner } from './data-folder/entries.ts'
import { EXIT_DATA_IN_USE, EXIT_DATA_REFUSED, EXIT_FAILURE } from './data-folder/exit-status.ts'
import { DataInUseError, lockDataFolder } from './data-folder/lock.ts'
import { openStore, type Store } from './store/store.ts'
import type { UserRow } from './store/users.ts'

/** @throws Error if there is no such user */
function findUser({ users }: Store, name: string): UserRow {
  const user = users.byName(name)
  if (user) return user
  const names = users.all().map((other) => other.name)
  throw new Error(`There is no user ${name}, only ${names.join(', ')}`)
}

function fail(message: string, status: number): never {
  console.error(`${message}. Nothing was changed.`)
  process.exit(status)
}

/**
 * Changes the user who is named on the command line, and ends the process with a status of `exit-status.ts` if that is
 * impossible.
 * @param program name of the file in `hub/`, without `.ts`
 * @param change makes the change in one transaction, and returns what the terminal shows. Throws an error with a
 * message without a full stop if it has changed nothing.
 */
export async function runUserCommand(
  program: string,
  change: (store: Store, user: UserRow) => string | Promise<string>
): Promise<void> {
  const { DATA = './data' } = process.env
  const [name] = process.argv.slice(2)
  if (!name) fail(`Name the user: node hub/${program}.ts USER`, EXIT_FAILURE)
  if (!existsSync(join(DATA, DATABASE_FILE))) fail(`${DATA} is not a data folder of a hub: set DATA`, EXIT_DATA_REFUSED)
  try {
    requireDataOwner(DATA, `env DATA=${resolve(DATA)} ${process.execPath} ${process.argv[1]} ${name}`)
    const lock = lockDataFolder(DATA, program)
    const store = openStore(DATA)
    let result: string
    try {
      result = await change(store, findUser(store, name))
    } finally {
      store.close()
      lock.release()
    }
    console.log(result)
  } catch (error) {
    const { message } = error as Error
    if (error instanceof DataInUseError) fail(`Stop the hub first: ${message}`, EXIT_DATA_IN_USE)
    fail(message, EXIT_FAILURE)
  }
}
