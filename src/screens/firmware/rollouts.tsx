// The rollouts there are and were, newest first.
import { useLayoutEffect } from 'react'
import { deleteRollout, type Rollout } from '../../../contract/firmware.ts'
import { type Action, Actions } from '../../parts/actions.tsx'
import { useInstead } from '../../parts/loaded.tsx'
import { link } from '../../paths.ts'
import { dateTime } from '../../text/dates.ts'
import { type Pair, t } from '../../text/language.ts'
import type { Tone } from '../../text/states.ts'
import { Empty } from '../../ui/condition.tsx'
import { Pager, usePaging } from '../../ui/pager.tsx'
import { State } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { Version } from './files.tsx'
import { $rollouts, ask, COUNT, steer } from './store.ts'
import { TEXT } from './text.ts'

const STATES: Readonly<Record<Rollout['state'], readonly [Tone, Pair]>> = {
  running: ['busy', TEXT.running],
  paused: ['warn', TEXT.paused],
  stopped: ['bad', TEXT.stopped],
  done: ['good', TEXT.done],
  cancelled: ['off', TEXT.cancelled]
}

export function RolloutState({ rollout: { state, failed } }: { rollout: Rollout }) {
  const [tone, text] = STATES[state]
  return <State tone={state === 'done' && failed > 0 ? 'warn' : tone} text={t(text)} />
}

export const isOver = ({ state }: Rollout) => state === 'done' || state === 'cancelled'

/** How far it is, in words. */
export function progressOf({ done, total, failed }: Rollout): string {
  return t(failed > 0 ? TEXT.progressFailed : TEXT.progressOf, { done, total, failed })
}

const nameOf = ({ 'product-name': product, version }: Rollout) => t(TEXT.named, product, version)

const COLUMNS: readonly Column<Rollout>[] = [
  {
    key: 'product',
    title: TEXT.rollout,
    cell: (rollout) => (
      <a className="cut" href={`#${link('firmware', { tab: 'rollouts', rollout: String(rollout.id) })}`}>
        {nameOf(rollout)}
      </a>
    )
  },
  { key: 'state', title: TEXT.state, cell: (rollout) => <RolloutState rollout={rollout} /> },
  { key: 'progress', title: TEXT.devices, cell: progressOf },
  {
    key: 'version',
    title: TEXT.version,
    cell: ({ version, test }) => <Version version={version} test={test} />,
    hide: true
  },
  { key: 'hardware', title: TEXT.hardware, cell: (rollout) => rollout['hardware-ver'], hide: true },
  { key: 'by', title: TEXT.by, cell: ({ user }) => user, hide: 'sm' },
  { key: 'started', title: TEXT.started, cell: ({ created }) => dateTime(created), hide: 'xs' },
  { key: 'ended', title: TEXT.ended, cell: ({ ended }) => ended > 0 && dateTime(ended), hide: 'md' }
]

/** Forgets rollouts that are over. */
export const FORGET: Action<Rollout> = {
  call: deleteRollout,
  icon: 'delete',
  one: TEXT.forget,
  many: TEXT.forget,
  kind: 'danger',
  ask: { title: TEXT.forgetTitle, text: TEXT.forgetText },
  fits: isOver,
  run: async ([rollout]) => rollout !== undefined && (await steer(deleteRollout, rollout.id))
}

export function Rollouts() {
  const paging = usePaging(COUNT)
  const { start, count } = paging
  useLayoutEffect(() => ask('rollouts', { start, count }))
  const { items, total } = useStore($rollouts)
  const nothing = (
    <Empty icon="chip" title={t(TEXT.noRollouts)} text={t(TEXT.noRolloutsText)}>
      <a className="button" href={`#${link('firmware')}`}>
        {t(TEXT.back)}
      </a>
    </Empty>
  )
  return (
    <Table
      list="rollouts"
      label={t(TEXT.rollouts)}
      columns={COLUMNS}
      rows={items}
      keyOf={({ id }) => id}
      nameOf={nameOf}
      rowActions={(rollout) => <Actions actions={[FORGET]} rows={[rollout]} nameOf={nameOf} />}
      instead={useInstead($rollouts, items.length === 0, nothing)}
      foot={<Pager {...paging} total={total} />}
    />
  )
}
