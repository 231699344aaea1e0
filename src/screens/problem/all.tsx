// Problems, what happened to channels and the entries of the logs in one list.
import { atom } from 'nanostores'
import { useLayoutEffect, useState } from 'react'
import type { RequestTo } from '../../../contract/calls.schema.ts'
import { EVENTS_MAX, type EventEntry, exportEvents, listEvents } from '../../../contract/event.ts'
import { LOG_ERROR, LOG_WARNING, listLog } from '../../../contract/log.ts'
import { channelTimeline } from '../../../contract/stream/channel-timeline.ts'
import { TIMELINE_KIND_NAMES } from '../../../contract/text/timeline-kinds.ts'
import { ChannelLink } from '../../parts/channel/channel-link.tsx'
import { EVENT_FILTERS } from '../../parts/event/event-tabs.tsx'
import { filterOf, matchesFilter } from '../../parts/event/filter.ts'
import { FilterBar, KindButtons } from '../../parts/event/filters.tsx'
import { TEXT as EVENT_TEXT } from '../../parts/event/text.ts'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { ProblemList, StaleWarning } from '../../parts/problem/problem-list.tsx'
import { useProblems } from '../../parts/problem/problems.ts'
import { createLiveList } from '../../state/live-list.ts'
import { useQuery } from '../../state/location.ts'
import { $isAllowed } from '../../state/session.ts'
import { downloadUrl } from '../../state/system.ts'
import { dateTime } from '../../text/dates.ts'
import { t } from '../../text/language.ts'
import { callerText } from '../../text/response-message.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/placeholder.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { type Column, Table } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'

const TEXT = {
  time: ['Time', '时间'],
  kind: ['Type', '类型'],
  details: ['Details', '详情'],
  repeated: ['×{0} since {1}', '自 {1} 起 ×{0}'],
  older: ['Show older entries', '显示更早的记录'],
  export: ['Export CSV', '导出 CSV'],
  none: ['No entries match this filter.', '没有符合条件的记录。'],
  noLogs: [
    'Without the logs, which need the permission to view the system configuration.',
    '不含日志：查看日志需要“查看系统配置”权限。'
  ],
  noChannels: [
    'Without the timelines of channels, which need the permission to view channels.',
    '不含频道时间线：查看时间线需要“查看频道”权限。'
  ]
} as const

const KIND_NAMES = {
  ...TIMELINE_KIND_NAMES,
  operation: EVENT_TEXT.operation,
  log: EVENT_TEXT.system,
  device: EVENT_TEXT.device
}

/** Entries shown at first. */
const PAGE_SIZE = 100
/** Problems above the list. The tab of problems has all of them. */
const PROBLEMS_MAX = 3

const $request = atom<RequestTo<'GET /event/list'>>({ count: PAGE_SIZE })
const $events = createLiveList({
  call: listEvents,
  request: $request,
  pace: 'slowest',
  // A long list is requested as a whole.
  changePace: 'slower',
  topic: ['log', 'timeline']
})

const toneOf = (level: number) => (level === LOG_ERROR ? 'bad' : level === LOG_WARNING ? 'warn' : 'off')

const COLUMNS: readonly Column<EventEntry>[] = [
  { key: 'time', title: TEXT.time, cell: ({ time }) => <span className="num">{dateTime(time)}</span> },
  {
    key: 'kind',
    title: TEXT.kind,
    cell: ({ level, kind }) => <StatusLabel tone={toneOf(level)} text={t(KIND_NAMES[kind])} />
  },
  {
    key: 'details',
    title: TEXT.details,
    cell: ({ channel, 'channel-name': name, text, count, since, outcome }) => (
      <span className="cut" data-tip="">
        {channel !== undefined && <ChannelLink id={channel} name={name} />} {text}{' '}
        {count && since && <small className="muted">{t(TEXT.repeated, count, dateTime(since))}</small>}
        {outcome && <strong>{outcome}</strong>}
      </span>
    )
  },
  {
    key: 'user',
    title: EVENT_TEXT.user,
    cell: ({ user, token }) => (
      <span className="cut" data-tip="">
        {user && callerText({ name: user, token })}
      </span>
    ),
    hide: 'xs'
  }
]

export function AllEvents() {
  const isAllowed = useStore($isAllowed)
  const query = useQuery()
  const problems = useProblems()
  const [count, setCount] = useState(PAGE_SIZE)
  const kinds = query.get('kinds') || undefined
  const filter = { ...filterOf(query), kinds }
  const request = { ...filter, count }
  // Set before the store is subscribed to, so that the first request has the filter.
  useLayoutEffect(() => {
    if (JSON.stringify($request.get()) !== JSON.stringify(request)) $request.set(request)
  })
  const { items, total } = useStore($events)
  // A problem is now and has no user.
  const isFiltered = filter.to !== undefined || filter.user !== undefined || kinds !== undefined
  const shown = isFiltered ? [] : problems.items.filter((problem) => matchesFilter(problem, query))
  const placeholder = usePlaceholder($events, items.length === 0, <EmptyState icon="search" title={t(TEXT.none)} />)
  return (
    <>
      {shown.length > 0 && (
        <section className="card problems" aria-label={t(EVENT_TEXT.problems)}>
          <StaleWarning />
          <ProblemList problems={problems} shown={shown} max={PROBLEMS_MAX} />
        </section>
      )}
      <Table
        settingsKey="events"
        label={t(EVENT_TEXT.events)}
        columns={COLUMNS}
        rows={items}
        keyOf={({ id }) => id}
        nameOf={({ time }) => dateTime(time)}
        toolbar={
          <>
            <FilterBar names={EVENT_FILTERS}>
              <a className="button" href={downloadUrl(exportEvents, filter)} download>
                {t(TEXT.export)}
              </a>
              <KindButtons names={KIND_NAMES} />
            </FilterBar>
            {!isAllowed(listLog) && <p className="muted">{t(TEXT.noLogs)}</p>}
            {!isAllowed(channelTimeline) && <p className="muted">{t(TEXT.noChannels)}</p>}
          </>
        }
        placeholder={placeholder}
        footer={
          total > items.length && count < EVENTS_MAX ? (
            <div className="tools">
              <Button label={t(TEXT.older)} onClick={() => setCount(Math.min(2 * count, EVENTS_MAX))} />
            </div>
          ) : undefined
        }
      />
    </>
  )
}
