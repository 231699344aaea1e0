// The updates of hubs in waves, newest first.
import type { HubRollout } from '../../../contract/cloud/rollout.ts'
import { ResourceList } from '../../parts/resource-list.tsx'
import { dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import type { Column } from '../../ui/table/table.tsx'
import { cloudLink } from '../paths.ts'
import { ROLLOUT_ACTIONS, RolloutStateLabel } from './states.tsx'
import { $rollouts } from './store.ts'
import { TEXT } from './text.ts'
import { UPDATES } from './title.ts'

export const progressText = ({ total, counts: { done, failed, skipped } }: HubRollout): string =>
  t(TEXT.progress, { all: total, done, failed, skipped })

const COLUMNS: readonly Column<HubRollout>[] = [
  {
    key: 'version',
    title: TEXT.version,
    cell: ({ id, version }) => <a href={`#${cloudLink('update', { id })}`}>{version}</a>
  },
  { key: 'state', title: TEXT.state, cell: (rollout) => <RolloutStateLabel rollout={rollout} /> },
  { key: 'hubs', title: TEXT.hubs, cell: progressText },
  { key: 'user', title: TEXT.user, cell: ({ user }) => user, hide: 'sm' },
  { key: 'started', title: TEXT.started, cell: ({ created }) => dateTime(created), hide: 'xs' }
]

export const UpdateListScreen = () => (
  <ResourceList
    store={$rollouts}
    settingsKey="updates"
    title={UPDATES}
    columns={COLUMNS}
    nameOf={({ version }) => version}
    emptyState={{
      icon: 'upgrade',
      title: t(TEXT.none),
      text: t(TEXT.noneText),
      children: (
        <a className="button main" href={`#${cloudLink('acceptedHubs')}`}>
          {t(TEXT.choose)}
        </a>
      )
    }}
    actions={[]}
    menuActions={ROLLOUT_ACTIONS}
  />
)
