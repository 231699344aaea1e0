import { atom } from 'nanostores'
import type { ComponentType } from 'react'
import { listEvents } from '../../../contract/event.ts'
import { listLog } from '../../../contract/log.ts'
import { acknowledgeProblems, PROBLEM_KINDS, type Problem, type ProblemKind } from '../../../contract/problem.ts'
import { channelTimeline } from '../../../contract/stream/channel-timeline.ts'
import { CallButton } from '../../parts/actions.tsx'
import { EventTabs, PROBLEM_FILTERS } from '../../parts/event/event-tabs.tsx'
import { matchesFilter } from '../../parts/event/filter.ts'
import { FilterBar } from '../../parts/event/filters.tsx'
import { LogLines } from '../../parts/log-lines.tsx'
import { openAcknowledgeDialog } from '../../parts/problem/acknowledge-button.tsx'
import { ProblemList, StaleWarning } from '../../parts/problem/problem-list.tsx'
import { useProblems } from '../../parts/problem/problems.ts'
import { linkTo } from '../../paths.ts'
import { createLiveList } from '../../state/live-list.ts'
import { setQuery, useQuery } from '../../state/location.ts'
import { $isAllowed } from '../../state/session.ts'
import { type Translation, t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { SegmentedControl } from '../../ui/segmented-control.tsx'
import { useStore } from '../../ui/use-store.ts'
import { AllEvents } from './all.tsx'
import { Timelines } from './timelines.tsx'

const TEXT = {
  show: ['Show', '显示'],
  all: ['All', '全部'],
  open: ['Not acknowledged', '未确认'],
  acknowledged: ['Acknowledged', '已确认'],
  acknowledgeAll: ['Acknowledge all', '全部确认'],
  kind: ['Type', '类型'],
  everything: ['All types', '全部类型'],
  channels: ['Channels', '频道'],
  outputs: ['Outputs', '输出'],
  devices: ['Devices', '设备'],
  ports: ['Ports', '端口'],
  storage: ['Storage', '存储'],
  engine: ['Stream engine', '流引擎'],
  certificate: ['HTTPS certificate', 'HTTPS 证书'],
  backup: ['Backup', '备份'],
  machine: ['Machine', '主机'],
  history: ['Recent events', '最近事件'],
  allLogs: ['All logs', '全部日志']
} as const

/** Lines of the system log below the problems. */
const HISTORY_LINES = 20

const $history = createLiveList({
  call: listLog,
  request: atom({ type: 'system' as const, count: HISTORY_LINES }),
  pace: 'slowest',
  topic: 'log'
})

const KIND_TEXTS: Readonly<Record<ProblemKind, Translation>> = {
  channel: TEXT.channels,
  output: TEXT.outputs,
  device: TEXT.devices,
  port: TEXT.ports,
  disk: TEXT.storage,
  engine: TEXT.engine,
  certificate: TEXT.certificate,
  backup: TEXT.backup,
  machine: TEXT.machine
}

const SHOW_OPTIONS = [
  { value: '', label: TEXT.all },
  { value: 'open', label: TEXT.open },
  { value: 'acknowledged', label: TEXT.acknowledged }
]

function Problems() {
  const isAllowed = useStore($isAllowed)
  const problems = useProblems()
  // The filters are in the URL.
  const query = useQuery()
  const show = query.get('show') ?? ''
  const kind = query.get('kind') ?? ''
  const isShown = (problem: Problem) =>
    (kind === '' || problem.kind === kind) &&
    (show === '' || (show === 'acknowledged') === Boolean(problem.ack)) &&
    matchesFilter(problem, query)
  const shown = problems.items.filter(isShown)
  const open = shown.filter(({ ack }) => !ack)
  return (
    <>
      <section className="card problems">
        <div className="tools">
          <FilterBar names={PROBLEM_FILTERS}>
            <SegmentedControl
              label={t(TEXT.show)}
              value={show}
              options={SHOW_OPTIONS.map(({ value, label }) => ({ value, label: t(label) }))}
              onChange={(value) => setQuery({ show: value })}
            />
            <select
              aria-label={t(TEXT.kind)}
              value={kind}
              onChange={({ currentTarget }) => setQuery({ kind: currentTarget.value })}
            >
              <option value="">{t(TEXT.everything)}</option>
              {PROBLEM_KINDS.map((each) => (
                <option key={each} value={each}>
                  {t(KIND_TEXTS[each])}
                </option>
              ))}
            </select>
          </FilterBar>
          {problems.canAcknowledge && open.length > 1 && (
            <span className="push">
              <CallButton
                call={acknowledgeProblems}
                label={t(TEXT.acknowledgeAll)}
                onClick={() => void openAcknowledgeDialog(open)}
              />
            </span>
          )}
        </div>
        <StaleWarning />
        <ProblemList problems={problems} shown={shown} />
      </section>
      {isAllowed(listLog) && (
        <Card title={t(TEXT.history)} action={<a href={`#${linkTo('logs', { tab: 'system' })}`}>{t(TEXT.allLogs)}</a>}>
          <LogLines store={$history} />
        </Card>
      )}
    </>
  )
}

const TABS: Readonly<Record<string, ComponentType>> = { all: AllEvents, timeline: Timelines }

/** Problems, what happened to channels, and both with the logs, each for users who may see it. */
export function ProblemListScreen() {
  const isAllowed = useStore($isAllowed)
  const tab = useQuery().get('tab') ?? ''
  const Content = (isAllowed(tab === 'all' ? listEvents : channelTimeline) && TABS[tab]) || Problems
  return (
    <>
      <EventTabs route="problems" />
      <Content />
    </>
  )
}
