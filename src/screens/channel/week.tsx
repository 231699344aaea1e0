// A week as a calendar: seven columns, on a small screen a list by day. The week is in the URL.
import type { CSSProperties, MouseEvent, ReactNode } from 'react'
import type { CalendarEntry } from '../../../contract/stream/channel-calendar.ts'
import {
  DAY,
  HOUR,
  instantOf,
  localDay,
  type Period,
  type WallClock,
  wallClock,
  weekdayOf
} from '../../../contract/stream/schedule-periods.ts'
import { linkTo } from '../../paths.ts'
import { setQuery, useQuery } from '../../state/location.ts'
import { calendarDate, calendarDay, calendarTime } from '../../text/dates.ts'
import { type Translation, t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { isAtMost, useScreenSize } from '../../ui/screen-size.ts'
import { moveByKey, startDrag, type WeekEditing } from './week-drag.ts'

const TEXT = {
  previous: ['Previous week', '上一周'],
  next: ['Next week', '下一周'],
  previousDay: ['Previous day', '前一天'],
  nextDay: ['Next day', '后一天'],
  current: ['This week', '本周'],
  zone: ['Times in {0}', '时区 {0}'],
  hubZone: ['Time zone of the hub: {0}', '中控时区：{0}'],
  conflict: ['Conflict', '冲突'],
  overlap: ['Overlap', '重叠']
} as const satisfies Record<string, Translation>

/** What was done by hand. */
const MANUAL_TEXT = {
  start: ['Started by hand', '手动启动'],
  stop: ['Stopped', '已停止']
} as const satisfies Record<string, Translation>

/** Hours with a label. */
const HOURS = [0, 3, 6, 9, 12, 15, 18, 21]

export interface Week extends Period {
  zone: string
  clock: WallClock
  /** Midnights of the seven days, Monday first, or of a single one, as if local time were UTC. */
  days: readonly number[]
}

/** The day or the week, by one of its days, that the URL names, else the current week. */
export function useWeek(zone: string): Week {
  const clock = wallClock(zone)
  const query = useQuery()
  const isDay = query.has('day')
  const requested = Date.parse(`${query.get(isDay ? 'day' : 'week')}T00:00Z`)
  const day = Number.isNaN(requested) ? localDay(Date.now(), clock) : requested
  const first = isDay ? day : day - weekdayOf(day) * DAY
  const days = Array.from({ length: isDay ? 1 : 7 }, (_, index) => first + index * DAY)
  return { zone, clock, days, from: instantOf(first, clock), to: instantOf(first + days.length * DAY, clock) }
}

/** A day as the URL names it. */
export const dayName = (day: number): string => new Date(day).toISOString().slice(0, 10)

interface WeekBarProps {
  week: Week
  /** Undefined until it is known. */
  hubZone?: string | undefined
  children?: ReactNode
}

/** Chooses the week or the day, and names the time zone. */
export function WeekBar({ week: { zone, days }, hubZone = zone, children }: WeekBarProps) {
  const [first = 0] = days
  const isDay = days.length === 1
  const show = (step: number) => setQuery({ [isDay ? 'day' : 'week']: dayName(first + step * days.length * DAY) })
  return (
    <div className="row">
      <Button iconOnly icon="back" label={t(isDay ? TEXT.previousDay : TEXT.previous)} onClick={() => show(-1)} />
      <Button label={t(TEXT.current)} onClick={() => setQuery({ week: undefined, day: undefined })} />
      <Button iconOnly icon="right" label={t(isDay ? TEXT.nextDay : TEXT.next)} onClick={() => show(1)} />
      <strong role="status">
        {isDay ? calendarDay(first) : `${calendarDate(first)} – ${calendarDate(first + 6 * DAY)}`}
      </strong>
      <span className="muted">
        {t(TEXT.zone, zone)}
        {hubZone !== zone && ` · ${t(TEXT.hubZone, hubZone)}`}
      </span>
      {children}
    </div>
  )
}

export interface WeekEntry extends Period {
  key: string
  /** Beside the times. */
  label?: string
  isConflict: boolean
  /** Whether it overlaps another time of the same schedule. */
  isOverlap?: boolean
  /** Set if the channel was started or stopped by hand. */
  manual?: CalendarEntry['manual']
  /** Where it leads. Without it, it is a button if the week can be edited. */
  href?: string
}

interface WeekCalendarProps {
  week: Week
  label: string
  entries: readonly WeekEntry[]
  /** Whether the heading of a day leads to it. */
  linksDays?: boolean
  /** Whether the columns have hours. Otherwise they are lists, which have room for many entries at once. */
  hours?: boolean
  /** Adds, moves and opens entries that belong to a schedule. */
  editing?: WeekEditing | undefined
}

export function WeekCalendar(props: WeekCalendarProps) {
  const { week, label, entries, linksDays, hours, editing } = props
  const { clock, days } = week
  const isNarrow = isAtMost('xs', useScreenSize())
  const hasHours = hours === true && !isNarrow
  const localEntries = entries.map((entry) => ({ ...entry, from: clock(entry.from), to: clock(entry.to) }))
  function addAt(day: number, event: MouseEvent<HTMLElement>): void {
    if (!hasHours || event.target !== event.currentTarget) return
    const { top, height } = event.currentTarget.getBoundingClientRect()
    const hour = Math.floor(((event.clientY - top) / (height || 1)) * 24)
    const from = day + Math.min(23, Math.max(0, hour)) * HOUR
    editing?.onChange({ from, to: from + HOUR })
  }
  return (
    <section
      className="week"
      data-hours={hasHours || undefined}
      aria-label={label}
      tabIndex={-1}
      onPointerDown={(event) => hasHours && editing && startDrag(event, days, localEntries, editing)}
      onKeyDown={(event) => editing && moveByKey(event, localEntries, editing)}
    >
      {hasHours && (
        <div className="num muted" aria-hidden="true">
          {HOURS.map((hour) => (
            <span key={hour}>{calendarTime(hour * HOUR)}</span>
          ))}
        </div>
      )}
      {days.map((day) => (
        <section key={day} aria-label={calendarDay(day)}>
          <h2>
            {linksDays ? (
              <a href={`#${linkTo('channelCalendar', { day: dayName(day) })}`}>{calendarDay(day)}</a>
            ) : (
              calendarDay(day)
            )}
          </h2>
          {/* biome-ignore lint/a11y: a shortcut for the mouse. The button that adds a time does the same by keyboard. */}
          <ol onClick={(event) => addAt(day, event)}>
            {entriesOf(day, localEntries).map(({ entry, lane }) => (
              <li
                key={entry.key}
                data-conflict={entry.isConflict || undefined}
                style={
                  hasHours ? positionOf(Math.max(entry.from - day, 0), Math.min(entry.to - day, DAY), lane) : undefined
                }
              >
                <EntryContent entry={entry} onOpen={entry.manual === 'start' ? undefined : editing?.onOpen} />
              </li>
            ))}
          </ol>
        </section>
      ))}
    </section>
  )
}

/** The entries of a day, each with its lane: one beyond those of the earlier entries that it overlaps. */
function entriesOf(day: number, entries: readonly WeekEntry[]) {
  const placed: { entry: WeekEntry; lane: number }[] = []
  const ofDay = entries.filter(({ from, to }) => from < day + DAY && to > day)
  for (const entry of ofDay.sort((a, b) => a.from - b.from)) {
    const overlapped = placed.filter((earlier) => earlier.entry.to > entry.from)
    placed.push({ entry, lane: Math.max(-1, ...overlapped.map(({ lane }) => lane)) + 1 })
  }
  return placed
}

/** The place in the column of a day. Entries that overlap are moved, so that each can be read and pressed. */
function positionOf(from: number, to: number, lane: number): CSSProperties {
  const percent = (ms: number) => `${(ms / DAY) * 100}%`
  return { top: percent(from), height: percent(to - from), insetInlineStart: `${Math.min(lane, 4) * 20}%` }
}

/** What is to be said about an entry. */
export const markTexts = ({ manual, isConflict, isOverlap }: WeekEntry): string[] => [
  ...(manual ? [t(MANUAL_TEXT[manual])] : []),
  ...(isConflict ? [t(TEXT.conflict)] : []),
  ...(isOverlap ? [t(TEXT.overlap)] : [])
]

interface EntryContentProps {
  /** With its local times. */
  entry: WeekEntry
  onOpen: WeekEditing['onOpen'] | undefined
}

function EntryContent({ entry, onOpen }: EntryContentProps) {
  const { key, from, to, label, href } = entry
  const marks = markTexts(entry)
  const content = (
    <>
      <span className="num">{`${calendarTime(from)}–${calendarTime(to)}`}</span> {label}{' '}
      {marks.length > 0 && <strong>{marks.join(' ')}</strong>}
    </>
  )
  if (href) return <a href={`#${href}`}>{content}</a>
  if (!onOpen) return <span>{content}</span>
  return (
    <button type="button" data-entry={key} onClick={() => onOpen(key)}>
      {content}
    </button>
  )
}
