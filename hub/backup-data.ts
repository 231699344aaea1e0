// `make backup`: node hub/backup-data.ts FILE. Copies everything in DATA (./data) to one archive. A hub may use the
// folder at the same time.

import { BackupError } from './data-backup/archive-format.ts'
import { backUp } from './data-backup/create.ts'
import { EXIT_DATA_REFUSED, EXIT_FAILURE } from './data-folder/exit-status.ts'
import { DatabaseRefusedError } from './database/inspect.ts'

const { DATA = './data' } = process.env
const [target] = process.argv.slice(2)

if (!target) {
  console.error('Name the file of the backup: make backup TO=file')
  process.exit(EXIT_FAILURE)
}
try {
  const { path, files, size } = await backUp(DATA, target)
  console.log(
    `Backup: ${path}, ${files} files, ${size} bytes. It contains passwords: keep it where only you can read it.`
  )
} catch (error) {
  const { message } = error as Error
  console.error(
    `No backup was made of ${DATA}: ${error instanceof DatabaseRefusedError ? `its database ${message}` : message}.`
  )
  process.exit(error instanceof BackupError || error instanceof DatabaseRefusedError ? EXIT_DATA_REFUSED : EXIT_FAILURE)
}
