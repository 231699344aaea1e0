// Backups, and downloads of backups and exports.
import { atom } from 'nanostores'
import {
  type BackupSecrets,
  type BackupSettings,
  deleteBackup,
  listBackups,
  restoreBackup,
  runBackup,
  type StoredBackupFile,
  setBackups
} from '../../../contract/backup/backup.ts'
import type { Envelope } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { addDownloadTicket, type DownloadRequest } from '../../../contract/file/download.ts'
import { transport } from '../../link/fetch-json.ts'
import { send } from '../../link/send.ts'
import { $import } from '../../parts/import/opened-export.ts'
import { linkTo } from '../../paths.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { navigate } from '../../state/location.ts'
import { type FailureOptions, mutate, sendMutation, succeeded } from '../../state/mutations.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { TEXT } from './text.ts'

/** Gets a ticket for a file and lets the browser download it. */
export async function download(
  request: DownloadRequest,
  isShownElsewhere: (reply: Envelope) => boolean
): Promise<Envelope> {
  const reply = await mutate(() => send(addDownloadTicket, request), {
    isShownElsewhere: (response) => response.result === SUCCESS || isShownElsewhere(response),
    success: { text: TEXT.ready }
  })
  if (reply.result === SUCCESS) {
    const link = document.createElement('a')
    link.href = transport.base + reply.url
    link.download = ''
    link.click()
  }
  return reply
}

export const $backups = createLiveValue({ call: listBackups, request: atom({}), pace: 'slow', topic: 'status' })

export const saveBackups = (
  request: BackupSettings & BackupSecrets & { 'forget-host-key'?: boolean },
  options: FailureOptions
) => sendMutation(setBackups, request, { ...options, success: { text: OUTCOME.settingsSaved } })

export const startBackup = () => sendMutation(runBackup, {}, { success: { text: TEXT.started } })

export const downloadBackup = async ({ name }: StoredBackupFile): Promise<boolean> =>
  succeeded(download({ kind: 'backup', name }, () => false))

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
