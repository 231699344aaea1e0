// `make restore`: node hub/restore-data.ts FILE. Replaces the contents of DATA (./data) with a backup, or its database
// with a copy of a database.
import { BackupError } from './data-backup/archive-format.ts'
import { restore } from './data-backup/restore.ts'
import { EXIT_DATA_IN_USE, EXIT_DATA_REFUSED, EXIT_FAILURE } from './data-folder/exit-status.ts'
import { DataInUseError } from './data-folder/lock.ts'
import { DatabaseRefusedError } from './database/inspect.ts'

const { DATA = './data' } = process.env
const [source] = process.argv.slice(2)

function exitStatus(error: unknown): number {
  if (error instanceof DataInUseError) return EXIT_DATA_IN_USE
  return error instanceof BackupError || error instanceof DatabaseRefusedError ? EXIT_DATA_REFUSED : EXIT_FAILURE
}

if (!source) {
  console.error('Name the backup: make restore FROM=file')
  process.exit(EXIT_FAILURE)
}
try {
  const replaced = await restore(DATA, source)
  console.log(`Restored ${DATA} from ${source}. All users have to sign in again.`)
  if (replaced) console.log(`The replaced data is in ${replaced}.`)
} catch (error) {
  const { message } = error as Error
  const reason = error instanceof DatabaseRefusedError ? `its database ${message}` : message
  const subject = error instanceof DataInUseError ? reason : `${source} is not restored, because ${reason}`
  console.error(`${subject}. Nothing was changed.`)
  process.exit(exitStatus(error))
}
