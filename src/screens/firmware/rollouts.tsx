// Rollouts, newest first, with the progress of each device.

import type { Call } from '../../../contract/call.ts'
import {
  cancelRollout,
  deleteRollout,
  pauseRollout,
  type Rollout,
  resumeRollout,
  retryRollout
} from '../../../contract/rollout.ts'
import type { Action } from '../../parts/actions.tsx'
import { UpdateState } from '../../parts/device/update-state.tsx'
import { LoadState } from '../../parts/load-state.tsx'
import { ResourceList } from '../../parts/resource-list.tsx'
import { linkTo } from '../../paths.ts'
import { sendMutation, succeeded } from '../../state/mutations.ts'
import { dateTime } from '../../text/dates.ts'
import { type Translation, t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import type { IconName } from '../../ui/icon.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { Pager } from '../../ui/table/pager.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $rollouts, rolloutDevices } from './store.ts'
import { TEXT } from './text.ts'

const nameOf = ({ version, ...rollout }: Rollout) =>
  [rollout['product-name'], rollout['hardware-ver'], version].join(' ')

const COLUMNS: readonly Column<Rollout>[] = [
  { key: 'firmware', title: TEXT.firmware, cell: nameOf },
  {
    key: 'state',
    title: TEXT.state,
    cell: ({ tone, text }) => <StatusLabel tone={tone} text={text} />
  },
  {
    key: 'devices',
    title: TEXT.devices,
    cell: ({ total, done, failed, cancelled }) => t(TEXT.progress, { all: total, done, failed: failed + cancelled })
  },
  { key: 'user', title: TEXT.user, cell: ({ user }) => user, hide: 'sm' },
  { key: 'started', title: TEXT.started, cell: ({ created }) => dateTime(created), hide: 'xs' }
]

const rolloutAction = (
  call: Call<{ id: number }>,
  icon: IconName,
  verb: Translation,
  outcome: Translation,
  isApplicable: (rollout: Rollout) => boolean
): Action<Rollout> => ({
  call,
  icon,
  verb,
  isApplicable,
  run: async ([rollout]) =>
    rollout !== undefined &&
    (await succeeded(sendMutation(call, { id: rollout.id }, { success: { text: outcome, names: [nameOf(rollout)] } })))
})

/** Actions on a rollout. Its state decides which are shown. */
const ROLLOUT_ACTIONS: readonly Action<Rollout>[] = [
  rolloutAction(
    pauseRollout,
    'stop',
    TEXT.pause,
    OUTCOME.paused,
    ({ state, waiting }) => state === 'running' && waiting > 0
  ),
  rolloutAction(
    resumeRollout,
    'play',
    TEXT.resume,
    OUTCOME.started,
    ({ state }) => state === 'paused' || state === 'stopped'
  ),
  rolloutAction(retryRollout, 'retry', TEXT.retry, OUTCOME.retrying, ({ failed, cancelled }) => failed + cancelled > 0),
  rolloutAction(cancelRollout, 'close', TEXT.cancelRest, OUTCOME.stopped, ({ waiting }) => waiting > 0),
  {
    ...rolloutAction(deleteRollout, 'delete', TEXT.remove, OUTCOME.deleted, ({ ended }) => ended > 0),
    kind: 'danger',
    confirmText: () => t(TEXT.kept)
  }
]

/** The progress of each device of a rollout. */
function RolloutDevices({ id }: { id: number }) {
  const { $page, $devices } = rolloutDevices(id)
  const page = useStore($page)
  const { items, total } = useStore($devices)
  return (
    <LoadState store={$devices} isEmpty={items.length === 0} emptyText="">
      <ul className="lines">
        {items.map(({ sn, name, from, ...device }) => (
          <li key={sn}>
            <a className="cut" href={`#${linkTo('deviceDetail', { sn, catalog: '0' })}`}>
              {name}
            </a>
            <UpdateState update={device} />
            <span className="num muted">{[...new Set([from, device['firmware-ver']])].join(' → ')}</span>
          </li>
        ))}
      </ul>
      <Pager {...page} total={total} goTo={(start) => $page.set({ ...page, start })} />
    </LoadState>
  )
}

export const RolloutList = () => (
  <ResourceList
    store={$rollouts}
    settingsKey="rollouts"
    title={TEXT.rollouts}
    columns={COLUMNS}
    nameOf={nameOf}
    details={({ id }) => <RolloutDevices id={id} />}
    emptyState={{
      title: t(TEXT.noRollouts),
      text: t(TEXT.noRolloutsText),
      children: (
        <a className="button main" href={`#${linkTo('allDevices')}`}>
          {t(TEXT.choose)}
        </a>
      )
    }}
    actions={[]}
    menuActions={ROLLOUT_ACTIONS}
  />
)
