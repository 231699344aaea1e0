// One rollout: what it brings to whom, how far each device is, and what can be done to it.
import { useLayoutEffect } from 'react'
import { NOT_EXIST } from '../../../contract/codes.ts'
import {
  cancelRollout,
  deleteRollout,
  pauseRollout,
  type Rollout,
  type RolloutDevice,
  resumeRollout,
  retryRollout,
  UPDATE
} from '../../../contract/firmware.ts'
import { ActButton, type Action, Actions } from '../../parts/actions.tsx'
import { useInstead } from '../../parts/loaded.tsx'
import { UpdateState } from '../../parts/update-state.tsx'
import { link } from '../../paths.ts'
import { navigate } from '../../state/location.ts'
import { dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { Empty } from '../../ui/condition.tsx'
import { confirm } from '../../ui/confirm.tsx'
import { Pager, usePaging } from '../../ui/pager.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { Version } from './files.tsx'
import { isOver, progressOf, RolloutState } from './rollouts.tsx'
import { $devices, $rollout, ask, COUNT, retry, steer } from './store.ts'
import { TEXT } from './text.ts'

const COLUMNS: readonly Column<RolloutDevice>[] = [
  {
    key: 'name',
    title: TEXT.name,
    cell: ({ name, sn }) => (
      <a className="cut" href={`#${link('deviceDetail', { sn, catalog: '0' })}`}>
        {name}
      </a>
    )
  },
  { key: 'state', title: TEXT.state, cell: (device) => <UpdateState update={device} /> },
  { key: 'sn', title: TEXT.sn, cell: ({ sn }) => sn, hide: 'sm' },
  { key: 'before', title: TEXT.before, cell: ({ from }) => from, hide: 'xs' },
  { key: 'now', title: TEXT.now, cell: (device) => device['firmware-ver'] },
  { key: 'wave', title: TEXT.wave, cell: ({ wave }) => wave || '', align: 'end', hide: 'md' },
  { key: 'started', title: TEXT.started, cell: ({ started }) => started > 0 && dateTime(started), hide: 'md' },
  { key: 'ended', title: TEXT.ended, cell: ({ ended }) => ended > 0 && dateTime(ended), hide: true }
]

/** What can be done to it as it stands. */
function Steering({ rollout }: { rollout: Rollout }) {
  const { id, state, waiting, failed, cancelled } = rollout
  const cancel = async () => {
    const question = { title: t(TEXT.cancelTitle), text: t(TEXT.cancelText), verb: t(TEXT.cancelRest), danger: true }
    if (await confirm(question)) await steer(cancelRollout, id)
  }
  const forget = async () => {
    const question = { title: t(TEXT.forgetTitle), text: t(TEXT.forgetText), verb: t(TEXT.forget), danger: true }
    if ((await confirm(question)) && (await steer(deleteRollout, id))) navigate(link('firmware', { tab: 'rollouts' }))
  }
  return (
    <span className="row">
      {state === 'running' && waiting > 0 && (
        <ActButton call={pauseRollout} icon="stop" label={t(TEXT.pause)} onAct={() => steer(pauseRollout, id)} />
      )}
      {(state === 'paused' || state === 'stopped') && (
        <ActButton
          call={resumeRollout}
          kind="main"
          icon="play"
          label={t(TEXT.resume)}
          onAct={() => steer(resumeRollout, id)}
        />
      )}
      {failed + cancelled > 0 && (
        <ActButton call={retryRollout} icon="retry" label={t(TEXT.retry)} onAct={() => retry(id)} />
      )}
      {waiting > 0 && <ActButton call={cancelRollout} icon="close" label={t(TEXT.cancelRest)} onAct={cancel} />}
      {isOver(rollout) && <ActButton call={deleteRollout} icon="delete" label={t(TEXT.forget)} onAct={forget} />}
    </span>
  )
}

function Facts({ rollout }: { rollout: Rollout }) {
  const { first, wave, 'stop-after': stop, waiting, active, done, failed, cancelled, user, created, ended } = rollout
  return (
    <dl className="facts">
      <dt>{t(TEXT.version)}</dt>
      <dd>
        <Version version={rollout.version} test={rollout.test} />
      </dd>
      <dt>{t(TEXT.plan)}</dt>
      <dd>{t(stop ? TEXT.planText : TEXT.planNever, { first, wave, stop })}</dd>
      <dt>{t(TEXT.counts)}</dt>
      <dd>{t(TEXT.countsText, { waiting, active, done, failed, cancelled })}</dd>
      <dt>{t(TEXT.by)}</dt>
      <dd>{user}</dd>
      <dt>{t(TEXT.started)}</dt>
      <dd>{dateTime(created)}</dd>
      {ended > 0 && (
        <>
          <dt>{t(TEXT.ended)}</dt>
          <dd>{dateTime(ended)}</dd>
        </>
      )}
    </dl>
  )
}

export function RolloutDetail({ id }: { id: number }) {
  const paging = usePaging(COUNT)
  const { start, count } = paging
  useLayoutEffect(() => {
    ask('rollout', { id })
    ask('devices', { id, start, count })
  })
  const { value, code } = useStore($rollout)
  const { items, total, phase } = useStore($devices)
  const rollout = value?.rollout.id === id ? value.rollout : undefined
  const rows = phase === 'loading' ? [] : items
  const empty = useInstead($devices, rows.length === 0, null)
  const instead = useInstead($rollout, !rollout, null)
  if (code === NOT_EXIST) return <Gone />
  if (!rollout) return <>{instead}</>
  const again: Action<RolloutDevice> = {
    call: retryRollout,
    icon: 'retry',
    one: TEXT.retryOne,
    many: TEXT.retryOne,
    fits: ({ state }) => state === UPDATE.failed,
    run: async ([device]) => device !== undefined && (await retry(id, [device.sn]))
  }
  const { total: all, done, failed, cancelled } = rollout
  return (
    <div className="stack">
      <Card
        title={t(TEXT.named, rollout['product-name'], rollout.version)}
        note={progressOf(rollout)}
        more={<Steering rollout={rollout} />}
      >
        <div className="row">
          <RolloutState rollout={rollout} />
          <progress max={all} value={done + failed + cancelled} aria-label={progressOf(rollout)} />
        </div>
        <Facts rollout={rollout} />
      </Card>
      <Table
        list="rollout-devices"
        label={t(TEXT.devices)}
        columns={COLUMNS}
        rows={rows}
        keyOf={({ sn }) => sn}
        nameOf={({ name }) => name}
        tools={<a href={`#${link('firmware', { tab: 'rollouts' })}`}>{t(TEXT.toRollouts)}</a>}
        rowActions={(device) => <Actions actions={[again]} rows={[device]} nameOf={({ name }) => name} />}
        instead={empty}
        foot={<Pager {...paging} total={total} />}
      />
    </div>
  )
}

function Gone() {
  return (
    <Empty icon="search" title={t(TEXT.gone)}>
      <a className="button" href={`#${link('firmware', { tab: 'rollouts' })}`}>
        {t(TEXT.toRollouts)}
      </a>
    </Empty>
  )
}
