// Cases for the passphrase of an export.
import { exportPassphrase } from '../../../../contract/rules/passphrase.ts'
import { repeat, table } from './table.ts'

table('exportPassphrase', exportPassphrase, [
  ['', 'required'],
  [repeat(11), 'length 12..256'],
  [repeat(12), 'ok'],
  [repeat(256), 'ok'],
  [repeat(257), 'length 12..256']
])
