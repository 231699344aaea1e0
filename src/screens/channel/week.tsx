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

const TEXT = {
  previous: ['Previous week', '上一周'],
  next: ['Next week', '下一周'],
  previousDay: ['Previous day', '前一天'],
  nextDay: ['Next day', '后一天'],
  current: ['This week', '本周'],
  zone: ['Times in {0}', '时区 {0}'],
  hubZone: ['Time zone of the hub: {0}', '中控时区：{0}'],
  conflict: ['Conflict', '冲突'],
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
  /** Set if the channel was started or stopped by hand. */
  manual?: CalendarEntry['manual']
  /** A link, or what happens when it is pressed. */
  href?: string
  onPress?: () => void
}

interface WeekCalendarProps {
  week: Week
  label: string
  entries: readonly WeekEntry[]
  /** Whether the heading of a day leads to it. */
  linksDays?: boolean
  /** Whether the columns have hours. Otherwise they are lists, which have room for many entries at once. */
  hours?: boolean
  /** Called with the hour that was clicked, as if local time were UTC. */
  onAdd?: ((local: number) => void) | undefined
}

/** Height of the 24 hours. */
const HEIGHT = '480px'
const LINE = '1px solid var(--line)'

// The styles are set here, because the style sheet is part of the first load. Lengths need a unit: Preact adds none.
const stylesFor = (hours: boolean, isNarrow: boolean, count: number) => ({
  week: {
    display: 'grid',
    gridTemplateColumns: isNarrow ? 'minmax(0, 1fr)' : `${hours ? '48px ' : ''}repeat(${count}, minmax(0, 1fr))`,
    background: 'var(--surface)',
    border: LINE,
    borderRadius: '4px'
  },
  labels: { display: 'grid', alignSelf: 'end', height: HEIGHT, paddingInlineStart: '8px', fontSize: '12px' },
  day: isNarrow
    ? { display: 'grid', gridTemplateColumns: '92px minmax(0, 1fr)', borderTop: LINE }
    : { minWidth: 0, borderInlineStart: LINE },
  title: { margin: 0, padding: '6px 8px', fontSize: '13px', borderBottom: isNarrow ? undefined : LINE },
  entries: {
    margin: 0,
    padding: 0,
    listStyle: 'none',
    ...(hours && {
      position: 'relative' as const,
      height: HEIGHT,
      // A line every three hours.
      background: 'repeating-linear-gradient(var(--line) 0 1px, transparent 1px 60px)',
      cursor: 'cell'
    })
  }
})

const entryStyle = (hours: boolean, isConflict: boolean) => ({
  display: 'block',
  width: '100%',
  height: hours ? '100%' : undefined,
  padding: hours ? '0 4px' : '5px 6px',
  overflow: 'hidden',
  color: 'inherit',
  font: 'inherit',
  fontSize: '13px',
  lineHeight: 1.3,
  textAlign: 'start' as const,
  textDecoration: 'none',
  overflowWrap: 'anywhere' as const,
  background: isConflict ? 'color-mix(in srgb, var(--warn) 14%, var(--surface))' : 'var(--accent-soft)',
  border: '1px solid var(--surface)',
  borderInlineStart: `3px solid var(--${isConflict ? 'warn' : 'accent'})`,
  borderRadius: '4px',
  cursor: 'pointer'
})

export function WeekCalendar({ week: { clock, days }, label, entries, linksDays, hours, onAdd }: WeekCalendarProps) {
  const isNarrow = isAtMost('xs', useScreenSize())
  const hasHours = hours === true && !isNarrow
  const styles = stylesFor(hasHours, isNarrow, days.length)
  function addAt(day: number, event: MouseEvent<HTMLElement>): void {
    if (!hasHours || event.target !== event.currentTarget) return
    const { top, height } = event.currentTarget.getBoundingClientRect()
    const hour = Math.floor(((event.clientY - top) / (height || 1)) * 24)
    onAdd?.(day + Math.min(23, Math.max(0, hour)) * HOUR)
  }
  return (
    <section className="week" style={styles.week} aria-label={label}>
      {hasHours && (
        <div className="num muted" style={styles.labels} aria-hidden="true">
          {HOURS.map((hour) => (
            <span key={hour}>{calendarTime(hour * HOUR)}</span>
          ))}
        </div>
      )}
      {days.map((day) => (
        <section key={day} style={styles.day} aria-label={calendarDay(day)}>
          <h2 style={styles.title}>
            {linksDays ? (
              <a href={`#${linkTo('channelCalendar', { day: dayName(day) })}`}>{calendarDay(day)}</a>
            ) : (
              calendarDay(day)
            )}
          </h2>
          {/* biome-ignore lint/a11y: a shortcut for the mouse. The button that adds a time does the same by keyboard. */}
          <ol style={styles.entries} onClick={(event) => addAt(day, event)}>
            {entriesOf(day, entries, clock).map(({ entry, from, to, lane }) => (
              <li
                key={entry.key}
                style={hasHours ? positionOf(Math.max(from - day, 0), Math.min(to - day, DAY), lane) : undefined}
              >
                <EntryLink
                  entry={entry}
                  text={`${calendarTime(from)}–${calendarTime(to)}`}
                  style={entryStyle(hasHours, entry.isConflict)}
                />
              </li>
            ))}
          </ol>
        </section>
      ))}
    </section>
  )
}

/** The entries of a day in local time, each with the number of earlier ones that it overlaps. */
function entriesOf(day: number, entries: readonly WeekEntry[], clock: WallClock) {
  return entries
    .map((entry) => ({ entry, from: clock(entry.from), to: clock(entry.to) }))
    .filter(({ from, to }) => from < day + DAY && to > day)
    .sort((a, b) => a.from - b.from)
    .map((each, index, all) => ({ ...each, lane: all.slice(0, index).filter(({ to }) => to > each.from).length }))
}

/** The place in the column of a day. Entries that overlap are moved, so that each can be read and pressed. */
function positionOf(from: number, to: number, lane: number) {
  const percent = (ms: number) => `${(ms / DAY) * 100}%`
  return {
    position: 'absolute' as const,
    top: percent(from),
    height: percent(to - from),
    minHeight: '14px',
    insetInlineStart: `${Math.min(lane, 4) * 20}%`,
    insetInlineEnd: '2px'
  }
}

interface EntryLinkProps {
  entry: WeekEntry
  text: string
  style: CSSProperties
}

function EntryLink({ entry: { label, href, onPress, isConflict, manual }, text, style }: EntryLinkProps) {
  const content = (
    <>
      <span className="num">{text}</span> {label} {manual && <em>{t(TEXT[manual])}</em>}{' '}
      {isConflict && <strong>{t(TEXT.conflict)}</strong>}
    </>
  )
  if (href)
    return (
      <a href={`#${href}`} style={style}>
        {content}
      </a>
    )
  return (
    <button type="button" style={style} onClick={onPress}>
      {content}
    </button>
  )
}
