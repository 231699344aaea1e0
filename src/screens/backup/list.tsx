import { deleteBackup, restoreBackup, runBackup, type StoredBackupFile } from '../../../contract/backup/backup.ts'
import { type Action, CallButton } from '../../parts/actions.tsx'
import { FirstStep } from '../../parts/first-step.tsx'
import { ResourceList } from '../../parts/resource-list.tsx'
import { dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { bytes } from '../../text/numbers.ts'
import type { Column } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $backups, downloadBackup, openBackup, removeBackup, startBackup } from './store.ts'
import { TEXT } from './text.ts'

const nameOf = ({ name }: StoredBackupFile) => name

const COLUMNS: readonly Column<StoredBackupFile>[] = [
  { key: 'time', title: TEXT.created, cell: ({ time }) => dateTime(time), sort: ({ time }) => time },
  { key: 'name', title: TEXT.name, text: nameOf, hide: 'xs' },
  { key: 'size', title: TEXT.size, cell: ({ size }) => bytes(size), hide: 'xs' }
]

const ACTIONS: readonly Action<StoredBackupFile>[] = [
  {
    call: restoreBackup,
    icon: 'back',
    verb: TEXT.restore,
    single: true,
    run: async ([backup]) => backup !== undefined && openBackup(backup)
  },
  {
    call: restoreBackup,
    icon: 'down',
    verb: TEXT.get,
    single: true,
    run: async ([backup]) => backup !== undefined && downloadBackup(backup)
  },
  {
    call: deleteBackup,
    icon: 'delete',
    verb: TEXT.remove,
    kind: 'danger',
    single: true,
    confirmText: () => t(TEXT.removeText),
    run: async ([backup]) => backup !== undefined && removeBackup(backup)
  }
]

/** The backups on the hub, with the result of the last one. */
export function BackupList() {
  const { value } = useStore($backups)
  const { last, running = false, list = [] } = value ?? {}
  const runButton = (
    <CallButton
      call={runBackup}
      kind="main"
      icon="plus"
      label={t(TEXT.run)}
      disabledReason={running ? t(TEXT.running) : undefined}
      onClick={startBackup}
    />
  )
  return (
    <>
      {last?.fault && (
        <div className="banner" role="alert">
          <span>{[t(TEXT.failed, dateTime(last.time)), last.reason].filter(Boolean).join(' ')}</span>
        </div>
      )}
      <ResourceList
        store={$backups}
        rows={list}
        settingsKey="backups"
        title={TEXT.backups}
        columns={COLUMNS}
        keyOf={nameOf}
        nameOf={nameOf}
        toolbar={list.length > 0 && runButton}
        actions={ACTIONS}
        emptyState={{
          title: t(TEXT.none),
          text: t(TEXT.noneText),
          children: <FirstStep call={runBackup}>{runButton}</FirstStep>
        }}
      />
    </>
  )
}
