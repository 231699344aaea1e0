// Valid requests of the calls for export and import.
import * as transfer from '../../../contract/backup/export.ts'
import { examples } from './examples.ts'

const id = '8d7f5a52-3f5c-4b6a-9a52-0a4f7d1c2b3e'

examples(transfer.exportConfiguration, {})
examples(transfer.uploadImport, {})
examples(
  transfer.compareImport,
  { id },
  { id, passphrase: 'x'.repeat(256), parts: ['users', 'devices', 'streams', 'ndi', 'settings'] }
)
examples(transfer.applyImport, { id, digest: 'a'.repeat(64) })
