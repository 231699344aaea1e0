import { FIRMWARE_MANAGER } from '../../contract/access/permissions.ts'
import type { StorageFault } from '../../contract/system.ts'
import { linkTo } from '../paths.ts'
import { $isAllowed } from '../state/session.ts'
import { $system } from '../state/system.ts'
import { type Translation, t } from '../text/language.ts'
import { Icon } from '../ui/icon.tsx'
import { useStore } from '../ui/use-store.ts'
import { TEXT } from './text.ts'

const SENTENCES: Readonly<Record<StorageFault, Translation>> = {
  full: [
    'Disk full: changes are not saved. Delete device firmware, or clear logs.',
    '磁盘已满，更改无法保存。请删除设备固件或清空日志。'
  ],
  'read-only': [
    'Disk read-only: changes are not saved. Check the disk of the hub.',
    '磁盘为只读，更改无法保存。请检查中控的磁盘。'
  ],
  failed: [
    'Disk error: changes are not saved. Check the disk of the hub.',
    '磁盘故障，更改无法保存。请检查中控的磁盘。'
  ]
}

/** Warns while the hub cannot store changes, with links to what can be deleted if the disk is full. */
export function StorageBanner() {
  const fault = useStore($system).value?.status.system.status['storage-fault']
  const isAllowed = useStore($isAllowed)
  if (!fault) return null
  const isFull = fault === 'full'
  return (
    <p className="banner" role="alert">
      <Icon name="warning" />
      <span>{t(SENTENCES[fault])}</span>
      {isFull && isAllowed({ access: FIRMWARE_MANAGER }) && <a href={`#${linkTo('firmware')}`}>{t(TEXT.firmware)}</a>}
      {isFull && isAllowed({ access: 'admin' }) && <a href={`#${linkTo('logs')}`}>{t(TEXT.logs)}</a>}
    </p>
  )
}
