// The schedules of all channels in one week, with their conflicts.
import { useLayoutEffect } from 'react'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { channelLink, linkTo } from '../../paths.ts'
import { browserZone } from '../../text/dates.ts'
import { type Translation, t } from '../../text/language.ts'
import { number } from '../../text/numbers.ts'
import { Icon } from '../../ui/icon.tsx'
import { EmptyState } from '../../ui/placeholder.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $calendar, $request, ConflictsCard } from './conflicts.tsx'
import { useWeek, WeekBar, WeekCalendar } from './week.tsx'

const TEXT = {
  title: ['Calendar of all channels', '所有频道的日历'],
  empty: ['No channel is scheduled in this week', '本周没有定时的频道'],
  further: [
    'Further times that are not shown: {0}. They begin later. Open a single day to see more of it.',
    '另有 {0} 个更晚的时段未显示。打开某一天可查看更多。'
  ],
  toChannels: ['Choose a channel', '选择频道'],
  emptyText: ['Times are added in the schedule of a channel.', '可在频道的“定时计划”中添加。']
} as const satisfies Record<string, Translation>

export function ChannelCalendarScreen() {
  const { value: latest } = useStore($calendar)
  // The calendar of one channel, which its page requested before, is not shown.
  const value = latest?.uses ? undefined : latest
  // In the time zone of the hub, whatever zones the schedules have.
  const week = useWeek(value?.zone ?? browserZone())
  const { from, to } = week
  useLayoutEffect(() => $request.set({ from, to }), [from, to])
  const placeholder = usePlaceholder($calendar, !value, null)
  if (!value) return <>{placeholder}</>
  const { list, more, conflicts, 'more-conflicts': moreConflicts, zone } = value
  return (
    <div className="stack">
      <WeekBar week={week} hubZone={zone} />
      <ConflictsCard week={week} conflicts={conflicts} more={moreConflicts} />
      {more && (
        <p>
          <Icon name="warning" /> {t(TEXT.further, number(more))}
        </p>
      )}
      {list.length === 0 && (
        <EmptyState icon="pending" title={t(TEXT.empty)} text={t(TEXT.emptyText)}>
          <a className="button main" href={`#${linkTo('channels')}`}>
            {t(TEXT.toChannels)}
          </a>
        </EmptyState>
      )}
      <WeekCalendar
        week={week}
        label={t(TEXT.title)}
        linksDays={week.days.length > 1}
        entries={list.map((entry) => ({
          ...entry,
          key: `${entry.channel} ${entry.rule} ${entry.event} ${entry.from}`,
          label: entry.name,
          isConflict: conflicts.some(
            ({ channels, ...period }) =>
              period.from < entry.to && period.to > entry.from && channels.some(({ id }) => id === entry.channel)
          ),
          href: channelLink(entry.channel, { tab: 'schedule' })
        }))}
      />
    </div>
  )
}
