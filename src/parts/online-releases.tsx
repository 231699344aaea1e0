// The list of releases on a web server, of the hub and of firmware: with notes, when the hub has read it, and a button
// to read it again.
import type { ReactNode } from 'react'
import type { Envelope } from '../../contract/call.ts'
import type { checkOnlineFirmware } from '../../contract/firmware.ts'
import type { checkUpdate, OnlineRelease } from '../../contract/update.ts'
import { sendMutation } from '../state/mutations.ts'
import { dateTime } from '../text/dates.ts'
import { type Translation, t } from '../text/language.ts'
import { StatusLabel } from '../ui/status-label.tsx'
import type { Column } from '../ui/table/table.tsx'
import { AccessNote } from './access-note.tsx'
import { CallButton } from './actions.tsx'
import { ResourceList, type ResourceListProps } from './resource-list.tsx'

export const TEXT = {
  online: ['Online', '在线'],
  version: ['Version', '版本'],
  published: ['Published', '发布时间'],
  size: ['Size', '大小'],
  download: ['Download', '下载'],
  server: ['Server with releases', '发布服务器'],
  address: ['Address', '地址'],
  preRelease: ['Pre-release', '预发布'],
  check: ['Check now', '立即检查'],
  checked: ['Check finished', '检查完成'],
  noReleases: ['No releases', '暂无发布']
} as const satisfies Record<string, Translation>

export const VERSION_COLUMN: Column<Pick<OnlineRelease, 'version' | 'pre-release'>> = {
  key: 'version',
  title: TEXT.version,
  cell: (release) => (
    <span className="row">
      {release.version}
      {release['pre-release'] && <StatusLabel tone="warn" text={t(TEXT.preRelease)} />}
    </span>
  )
}

/** Has the hub read the list from the server. */
export const check = (call: typeof checkUpdate | typeof checkOnlineFirmware): Promise<Envelope> =>
  sendMutation(call, {}, { success: { text: TEXT.checked } })

/** Why the server could not be read. */
export function ServerFault({ fault }: { fault: Parameters<typeof AccessNote>[0]['access'] }) {
  return (
    <div className="banner" role="alert">
      <AccessNote access={fault} />
    </div>
  )
}

type Release = Pick<OnlineRelease, 'notes'>
type ListOption = 'store' | 'rows' | 'settingsKey' | 'columns' | 'nameOf' | 'actions'

interface OnlineReleaseListProps<Row extends Release> extends Pick<ResourceListProps<Row>, ListOption> {
  /** The call that reads the server. */
  checkCall: Parameters<typeof check>[0]
  /** When the server was read, in milliseconds since the epoch; 0 or undefined: never. */
  date: number | undefined
  /** Shown in place of the button and the date while a release is downloaded. */
  progress?: ReactNode
}

export function OnlineReleaseList<Row extends Release>({
  checkCall,
  date,
  progress,
  ...list
}: OnlineReleaseListProps<Row>) {
  return (
    <ResourceList
      {...list}
      title={TEXT.online}
      details={({ notes }) => <pre>{notes}</pre>}
      toolbar={
        progress || (
          <>
            <CallButton call={checkCall} icon="retry" label={t(TEXT.check)} onClick={() => check(checkCall)} />
            <span className="muted">{date ? dateTime(date) : ''}</span>
          </>
        )
      }
      emptyState={{ title: t(TEXT.noReleases) }}
    />
  )
}
