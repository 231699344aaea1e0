// The way out when the phone and the recovery codes of the only administrator are lost: DATA=./data node hub/reset-second-factor.ts USER.
// Switches the second factor of a user off, on the machine itself, while the hub is stopped. The password stays.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { LOG_WARNING } from '../contract/log.ts'
import { DATABASE_FILE } from './storage/data-folder.ts'
import { EXIT_DATA_IN_USE, EXIT_DATA_REFUSED, EXIT_FAILURE } from './storage/exit-status.ts'
import { DataInUseError, lockDataFolder } from './storage/lock.ts'
import { openStore } from './store/store.ts'

const { DATA = './data' } = process.env
const [userName] = process.argv.slice(2)

function fail(message: string, status: number): never {
  console.error(`${message}. Nothing was changed.`)
  process.exit(status)
}

function reset(name: string): void {
  const store = openStore(DATA)
  try {
    const user = store.users.byName(name)
    if (!user) {
      const names = store.users.all().map((other) => other.name)
      fail(`There is no user ${name}, only ${names.join(', ')}`, EXIT_FAILURE)
    }
    if (user.second_factor_since === 0) fail(`${name} has no second factor`, EXIT_FAILURE)
    store.database.transaction(() => {
      store.secondFactors.clear(user.id)
      store.users.endOtherSessions(user.id)
      store.logEvent({ event: 'second-factor-reset', detail: name, level: LOG_WARNING })
    })
  } finally {
    store.close()
  }
}

if (!userName) fail('Name the user: node hub/reset-second-factor.ts USER', EXIT_FAILURE)
if (!existsSync(join(DATA, DATABASE_FILE))) fail(`${DATA} is not a data folder of a hub: set DATA`, EXIT_DATA_REFUSED)
try {
  const lock = lockDataFolder(DATA, 'reset-second-factor')
  reset(userName)
  lock.release()
  console.log(`${userName} signs in with the password alone now, and should set up a second factor again.`)
} catch (error) {
  const { message } = error as Error
  if (error instanceof DataInUseError) fail(`Stop the hub first: ${message}`, EXIT_DATA_IN_USE)
  fail(message, EXIT_FAILURE)
}
