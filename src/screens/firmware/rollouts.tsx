// The rollouts there are and were, newest first, and how each of their devices stands.
import type { Call } from '../../../contract/call.ts'
import {
  cancelRollout,
  deleteRollout,
  pauseRollout,
  type Rollout,
  resumeRollout,
  retryRollout
} from '../../../contract/firmware.ts'
import type { Action } from '../../parts/actions.tsx'
import { UpdateState } from '../../parts/device/update-state.tsx'
import { Loaded } from '../../parts/load-state.tsx'
import { Rows } from '../../parts/resource-list.tsx'
import { link } from '../../paths.ts'
import { change, well } from '../../state/toasts.ts'
import { dateTime } from '../../text/dates.ts'
import { type Pair, t } from '../../text/language.ts'
import type { IconName } from '../../ui/icon.tsx'
import { State } from '../../ui/state.tsx'
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
    cell: ({ tone, text }) => <State tone={tone} text={text} />
  },
  {
    key: 'devices',
    title: TEXT.devices,
    cell: ({ total: all, done, failed, cancelled }) => t(TEXT.progress, { all, done, failed: failed + cancelled })
  },
  { key: 'user', title: TEXT.user, cell: ({ user }) => user, hide: 'sm' },
  { key: 'started', title: TEXT.started, cell: ({ created }) => dateTime(created), hide: 'xs' }
]

const steer = (
  call: Call<{ id: number }>,
  icon: IconName,
  verb: Pair,
  fits: (rollout: Rollout) => boolean
): Action<Rollout> => ({
  call,
  icon,
  verb,
  fits,
  run: ([rollout]) => well(change(call, { id: rollout?.id ?? 0 }))
})

/** What can be done to one as it stands. */
const STEERING: readonly Action<Rollout>[] = [
  steer(pauseRollout, 'stop', TEXT.pause, ({ state, waiting }) => state === 'running' && waiting > 0),
  steer(resumeRollout, 'play', TEXT.resume, ({ state }) => state === 'paused' || state === 'stopped'),
  steer(retryRollout, 'retry', TEXT.retry, ({ failed, cancelled }) => failed + cancelled > 0),
  steer(cancelRollout, 'close', TEXT.cancelRest, ({ waiting }) => waiting > 0),
  {
    ...steer(deleteRollout, 'delete', TEXT.remove, ({ ended }) => ended > 0),
    kind: 'danger',
    ask: () => t(TEXT.kept)
  }
]

/** How each device stands. */
function Devices({ id }: { id: number }) {
  const { $page, $devices } = rolloutDevices(id)
  const page = useStore($page)
  const { items, total } = useStore($devices)
  return (
    <Loaded of={$devices} empty={items.length === 0} says="">
      <ul className="lines">
        {items.map(({ sn, name, from, ...device }) => (
          <li key={sn}>
            <a className="cut" href={`#${link('deviceDetail', { sn, catalog: '0' })}`}>
              {name}
            </a>
            <UpdateState update={device} />
            <span className="num muted">{[...new Set([from, device['firmware-ver']])].join(' → ')}</span>
          </li>
        ))}
      </ul>
      <Pager {...page} total={total} go={(start) => $page.set({ ...page, start })} />
    </Loaded>
  )
}

export const Rollouts = () => (
  <Rows
    of={$rollouts}
    list="rollouts"
    title={TEXT.rollouts}
    columns={COLUMNS}
    nameOf={nameOf}
    details={({ id }) => <Devices id={id} />}
    none={{ title: t(TEXT.noRollouts) }}
    acts={[]}
    more={STEERING}
  />
)
