// Scheduled backups, and downloads of them.
import {
  deleteBackup,
  listBackups,
  restoreBackup,
  runBackup,
  type StoredBackupFile
} from '../../../contract/backup/backup.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { send } from '../../link/send.ts'
import { startDownload } from '../../parts/download.ts'
import { $import } from '../../parts/opened-export.ts'
import { linkTo } from '../../paths.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { navigate } from '../../state/location.ts'
import { mutate, sendMutation, succeeded } from '../../state/mutations.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { TEXT } from './text.ts'

export const $backups = createLiveValue({ call: listBackups, pace: 'slow', topic: 'status' })

export const startBackup = () => sendMutation(runBackup, {}, { success: { text: TEXT.started } })

export const downloadBackup = ({ name }: StoredBackupFile): Promise<boolean> =>
  succeeded(startDownload({ kind: 'backup', name }))

export const removeBackup = ({ name }: StoredBackupFile): Promise<boolean> =>
  succeeded(sendMutation(deleteBackup, { name }, { success: { text: OUTCOME.deleted, names: [name] } }))

/** Opens the import with a backup. */
export async function openBackup({ name }: StoredBackupFile): Promise<boolean> {
  const reply = await mutate(() => send(restoreBackup, { name }), {
    isShownElsewhere: ({ result }) => result === SUCCESS,
    success: { text: TEXT.openImport }
  })
  if (reply.result !== SUCCESS) return false
  $import.set({ uploaded: reply })
  navigate(linkTo('importSettings'))
  return true
}
