// Handlers for backups (contract/backup/backup.ts).
import {
  type BackupTarget,
  deleteBackup,
  listBackups,
  restoreBackup,
  runBackup,
  setBackups,
  testBackup
} from '../../../contract/backup/backup.ts'
import { IN_PROGRESS, INVALID_ARG, NOT_EXIST } from '../../../contract/codes.ts'
import type { Downloads } from '../../downloads/downloads.ts'
import { storedFile } from '../../downloads/file-response.ts'
import {
  CallError,
  type Handler,
  handle,
  handleChange,
  handlePreparedChange,
  requireCaller
} from '../../http/handler.ts'
import { backupFaultText, serverFaultText } from '../../messages/backup.ts'
import type { BackupService } from '../../scheduled-backups/backup-service.ts'
import type { Store } from '../../store/store.ts'
import { importError } from './export.ts'

interface BackupParts {
  store: Store
  backups: BackupService
  downloads: Downloads
}

export function backupHandlers({ backups, downloads, store }: BackupParts): Handler[] {
  function requireBackup(name: string): void {
    if (!backups.folder.has(name)) throw new CallError(NOT_EXIST)
  }

  function requirePassword(target: BackupTarget, password: string | undefined): void {
    if (password === undefined && backups.needsPassword(target))
      throw new CallError(INVALID_ARG, { field: 'password', fault: 'required' })
  }

  downloads.register('backup', {
    call: restoreBackup,
    describe: ({ name }) => name,
    check: (_requester, { name }) => requireBackup(name),
    open(_requester, { name }) {
      requireBackup(name)
      return storedFile(backups.folder.pathOf(name), { name, type: 'application/x-tar' })
    }
  })

  return [
    handle(listBackups, ({ language }) => {
      const { last, ...list } = backups.list()
      const reason = last?.fault && { reason: backupFaultText(language, last.fault) }
      return { ...list, ...(last && { last: { ...last, ...reason } }) }
    }),
    handleChange(setBackups, (context, request) => {
      const { passphrase, password, 'forget-host-key': forgetsHostKey, 'host-key': hostKey, ...settings } = request
      const { enable, time, keep, target } = settings
      context.detail = [enable ? time : 'off', keep, target.kind, target.host ?? target.endpoint]
        .filter(Boolean)
        .join(' ')
      requirePassword(target, password)
      backups.set(
        settings,
        { ...(passphrase !== undefined && { passphrase }), ...(password !== undefined && { password }) },
        hostKey ?? (forgetsHostKey ? '' : undefined)
      )
      context.afterCommit(() => store.changes.markChanged('status'))
      return {}
    }),
    handle(testBackup, async ({ language }, { target, password, 'host-key': confirmedKey }) => {
      requirePassword(target, password)
      const { hostKey, isTrusted, fault } = await backups.test(target, password, confirmedKey)
      return {
        outcome: {
          ...(hostKey !== undefined && { 'host-key': hostKey, 'is-trusted': isTrusted }),
          ...(fault && { fault, reason: serverFaultText(language, fault) })
        }
      }
    }),
    handleChange(runBackup, (context) => {
      if (backups.isRunning) throw new CallError(IN_PROGRESS)
      context.afterCommit(() => {
        backups.run()
        store.changes.markChanged('status')
      })
      return {}
    }),
    handleChange(deleteBackup, (context, { name }) => {
      context.detail = name
      requireBackup(name)
      context.afterCommit(() => {
        backups.folder.remove(name)
        store.changes.markChanged('status')
      })
      return {}
    }),
    handlePreparedChange(
      restoreBackup,
      async (context, { name }) => {
        context.detail = name
        requireBackup(name)
        return backups.transfer.upload(requireCaller(context).user.id, backups.folder.read(name)).catch((error) => {
          throw importError(error)
        })
      },
      (_context, _request, uploaded) => uploaded
    )
  ]
}
