// One update: its plan and progress, and each of its hubs.
import { useLocation } from 'wouter'
import type { HubRollout, RolloutHub } from '../../../contract/cloud/rollout.ts'
import { NOT_EXIST } from '../../../contract/codes.ts'
import { Actions } from '../../parts/actions.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { ResourceList } from '../../parts/resource-list.tsx'
import { usePageTitle } from '../../state/title.ts'
import { dateTime, duration } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { EmptyState } from '../../ui/placeholder.tsx'
import { SmallScreenNote } from '../../ui/table/columns.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { cloudLink, matchCloudRoute } from '../paths.ts'
import { progressText } from './list.tsx'
import { hubReason, ROLLOUT_ACTIONS, RolloutHubStateLabel, RolloutStateLabel, rolloutReason } from './states.tsx'
import { rolloutStores } from './store.ts'
import { TEXT } from './text.ts'
import { UPDATES } from './title.ts'

const COLUMNS: readonly Column<RolloutHub>[] = [
  { key: 'name', title: TEXT.name, text: ({ name }) => name },
  {
    key: 'state',
    title: TEXT.state,
    cell: (hub) => (
      <>
        <RolloutHubStateLabel hub={hub} />
        <SmallScreenNote size="xs">{hubReason(hub)}</SmallScreenNote>
      </>
    ),
    sort: ({ state }) => state
  },
  { key: 'reason', title: TEXT.reason, text: hubReason, hide: 'xs' },
  { key: 'wave', title: TEXT.wave, cell: ({ wave }) => wave || '', sort: ({ wave }) => wave, hide: 'sm' },
  {
    key: 'version',
    title: TEXT.version,
    text: ({ from, version }) => [...new Set([from, version])].filter(Boolean).join(' → '),
    hide: 'xs'
  },
  {
    key: 'since',
    title: TEXT.since,
    cell: ({ changed }) => changed > 0 && <ElapsedTime since={changed} format={(seconds) => duration(seconds)} />,
    sort: ({ changed }) => changed,
    hide: 'sm'
  }
]

/** What an update does now. */
function currentStep(rollout: HubRollout): string | undefined {
  const { state, 'current-wave': wave, 'next-wave-s': seconds } = rollout
  if (state !== 'running') return rolloutReason(rollout)
  return seconds === undefined ? t(TEXT.currentWave, wave) : t(TEXT.nextWave, wave, duration(seconds))
}

function RolloutCard({ rollout }: { rollout: HubRollout }) {
  const { version, first, growth, wave, user, created, 'pause-minutes': minutes } = rollout
  const step = currentStep(rollout)
  return (
    <Card title={t(TEXT.outcome, version)}>
      <DescriptionList
        items={[
          [t(TEXT.state), <RolloutStateLabel key="state" rollout={rollout} />],
          ...(step ? [[t(TEXT.now), step] as const] : []),
          [t(TEXT.hubs), progressText(rollout)],
          [t(TEXT.plan), t(TEXT.planText, { first, growth, wave })],
          [t(TEXT.pauseBetween), duration(minutes * 60)],
          [t(TEXT.user), user],
          [t(TEXT.started), dateTime(created)]
        ]}
      />
      <div className="row">
        <Actions
          actions={ROLLOUT_ACTIONS.filter(({ isApplicable }) => isApplicable?.(rollout))}
          rows={[rollout]}
          nameOf={() => version}
          countText={TEXT.outcome}
        />
      </div>
    </Card>
  )
}

export function UpdateScreen() {
  const [path] = useLocation()
  const id = Number(matchCloudRoute(path)?.params.id)
  const { $rollout, $hubs } = rolloutStores(id)
  const { value, code } = useStore($rollout)
  const rollout = value?.rollout
  usePageTitle(rollout?.version)
  const missing = (
    <EmptyState icon="search" title={t(TEXT.notFound)}>
      <a href={`#${cloudLink('updates')}`}>{t(UPDATES)}</a>
    </EmptyState>
  )
  const placeholder = usePlaceholder($rollout, !rollout, missing)
  // It may have been deleted meanwhile.
  if (code === NOT_EXIST) return missing
  if (placeholder || !rollout) return <>{placeholder}</>
  return (
    <div className="stack">
      <RolloutCard rollout={rollout} />
      <ResourceList
        store={$hubs}
        settingsKey="update-hubs"
        title={TEXT.hubs}
        columns={COLUMNS}
        keyOf={({ sn }) => sn}
        searchTexts={({ name, sn }) => [name, sn]}
        actions={[]}
      />
    </div>
  )
}
