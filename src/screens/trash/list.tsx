// What was deleted within the last 30 days. It can be restored, or deleted for good.
import { OUTPUT_PROTOCOL_NAMES, PROTOCOL_NAMES } from '../../../contract/stream/protocols.ts'
import {
  deleteTrash,
  listTrash,
  restoreTrash,
  TRASH_KINDS,
  type TrashEntry,
  type TrashKind
} from '../../../contract/trash.ts'
import { type Action, Actions } from '../../parts/actions.tsx'
import { type ListFilter, ResourceList } from '../../parts/resource-list.tsx'
import { createLiveList } from '../../state/live-list.ts'
import { sendMutation, succeeded } from '../../state/mutations.ts'
import { restoreEntries } from '../../state/trash.ts'
import { ago, duration } from '../../text/dates.ts'
import { type Translation, t } from '../../text/language.ts'
import { hubNow } from '../../ui/clock.ts'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'

const TEXT = {
  title: ['Trash', '回收站'],
  name: ['Name', '名称'],
  kind: ['Kind', '类型'],
  deleted: ['Deleted', '删除时间'],
  by: ['Deleted by', '删除者'],
  left: ['Kept for', '剩余保留时间'],
  restore: ['Restore {0}', '恢复 {0}'],
  remove: ['Delete {0} for good', '彻底删除 {0}'],
  empty: ['Empty trash', '清空回收站'],
  removeText: ['This cannot be undone.', '此操作无法撤销。'],
  removed: ['{0} deleted for good', '已彻底删除 {0}'],
  none: ['The trash is empty', '回收站为空'],
  lead: [
    'Deleted channels, inputs, outputs, presets and device groups stay here for 30 days and can be restored.',
    '已删除的频道、输入、输出、预设和设备组在此保留 30 天，可随时恢复。'
  ]
} as const satisfies Record<string, Translation>

const KINDS: Readonly<Record<TrashKind, Translation>> = {
  channel: ['Channel', '频道'],
  input: ['Input', '输入'],
  output: ['Output', '输出'],
  preset: ['Preset', '预设'],
  catalog: ['Device group', '设备组']
}

const DAY = 86_400_000

const $trash = createLiveList({
  call: listTrash,
  pace: 'slowest',
  topic: 'trash'
})

function kindText({ kind, protocol }: TrashEntry): string {
  const names: Readonly<Record<number, string>> = kind === 'input' ? PROTOCOL_NAMES : OUTPUT_PROTOCOL_NAMES
  return [t(KINDS[kind]), protocol === undefined ? undefined : names[protocol]].filter(Boolean).join(' · ')
}

const COLUMNS: readonly Column<TrashEntry>[] = [
  { key: 'name', title: TEXT.name, text: ({ name }) => name },
  { key: 'kind', title: TEXT.kind, text: kindText },
  {
    key: 'time',
    title: TEXT.deleted,
    cell: ({ time }) => <ElapsedTime since={time} format={ago} />,
    sort: ({ time }) => time,
    hide: 'xxs'
  },
  { key: 'by', title: TEXT.by, text: ({ by = '' }) => by, hide: 'xs' },
  {
    key: 'expires',
    title: TEXT.left,
    text: ({ expires }) => duration(Math.ceil(Math.max(0, expires - hubNow()) / DAY) * (DAY / 1000), 1),
    sort: ({ expires }) => expires,
    hide: 'xs'
  }
]

const RESTORE: Action<TrashEntry> = {
  call: restoreTrash,
  icon: 'back',
  verb: TEXT.restore,
  kind: 'main',
  run: (entries) => restoreEntries(entries.map(({ id }) => id))
}

const REMOVE: Action<TrashEntry> = {
  call: deleteTrash,
  icon: 'delete',
  verb: TEXT.remove,
  kind: 'danger',
  confirmText: () => t(TEXT.removeText),
  run: (entries) =>
    succeeded(
      sendMutation(
        deleteTrash,
        { id: entries.map(({ id }) => id) },
        { success: { text: TEXT.removed, names: entries.map(({ name }) => name) } }
      )
    )
}

const EMPTY: Action<TrashEntry> = { ...REMOVE, verb: TEXT.empty }

const kindFilter = (): ListFilter<TrashEntry> => ({
  name: 'kind',
  label: TEXT.kind,
  chips: TRASH_KINDS.map((kind) => ({ value: kind, label: t(KINDS[kind]) })),
  matches: (entry, kind) => entry.kind === kind
})

export function TrashScreen() {
  const { items } = useStore($trash)
  return (
    <ResourceList
      store={$trash}
      settingsKey="trash"
      title={TEXT.title}
      columns={COLUMNS}
      sorting={{ key: 'time', order: 'descending' }}
      searchTexts={(entry) => [entry.name, entry.by ?? '', kindText(entry)]}
      filters={[kindFilter()]}
      toolbar={<Actions actions={[EMPTY]} rows={items} nameOf={() => ''} countText={['', '']} />}
      emptyState={{ icon: 'delete', title: t(TEXT.none), text: t(TEXT.lead) }}
      actions={[RESTORE, REMOVE]}
      bulkActions={[RESTORE, REMOVE]}
    />
  )
}
