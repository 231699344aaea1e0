// The timeline of one or all channels by day, newest entries first. Filter and range are in the URL, so that a link
// shows others the same.
import { atom, type ReadableAtom } from 'nanostores'
import { type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { Channel } from '../../../contract/stream/channel.ts'
import {
  channelTimeline,
  exportChannelTimeline,
  TIMELINE_DAYS,
  type TimelineEntry
} from '../../../contract/stream/channel-timeline.ts'
import { TIMELINE_KIND_NAMES } from '../../../contract/text/timeline-kinds.ts'
import { isMissingCall } from '../../other-hubs.ts'
import { channelLink } from '../../paths.ts'
import { createLiveList } from '../../state/live-list.ts'
import { setQuery, useQuery } from '../../state/location.ts'
import { downloadUrl } from '../../state/system.ts'
import { browserZone, dateTime, fullDate, timeOfDay } from '../../text/dates.ts'
import { type Translation, t } from '../../text/language.ts'
import type { Tone } from '../../text/states.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { PhoneFold } from '../../ui/phone-fold.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { timeOf, timeText } from '../event/filter.ts'
import { KindButtons, PeriodFields } from '../event/filters.tsx'
import { usePlaceholder } from '../load-state.tsx'
import { ChannelLink } from './channel-link.tsx'

const TEXT = {
  title: ['Timeline', '时间线'],
  zone: ['Times in {0}', '时区 {0}'],
  empty: ['Nothing has happened yet.', '尚无记录。'],
  noMatch: ['No entries match this filter.', '没有符合条件的记录。'],
  kept: ['Entries are kept for {0} days.', '记录保留 {0} 天。'],
  removed: ['Entries before {0} were removed, because there were too many.', '{0} 之前的记录因数量过多已删除。'],
  unfilter: ['Clear filters', '清除筛选'],
  more: ['Show older entries', '显示更早的记录'],
  copy: ['Copy text', '复制文本'],
  link: ['Copy link', '复制链接'],
  file: ['Text file', '文本文件'],
  repeated: ['{0} times since {1}', '自 {1} 起共 {0} 次'],
  ofChannel: ['Timeline of {0}', '“{0}”的时间线'],
  ofAll: ['Timeline of all channels', '全部频道的时间线']
} as const satisfies Record<string, Translation>

/** Tones of the severities of entries. */
export const SEVERITY_TONES: Readonly<Record<TimelineEntry['severity'], Tone>> = {
  bad: 'bad',
  warn: 'warn',
  good: 'good',
  info: 'off'
}

/** Entries shown at first, and added at once. */
const PAGE_SIZE = 30

interface TimelineRequest {
  /** Undefined: all channels that the user may see. */
  id?: number | undefined
  count: number
  kinds?: string | undefined
  from?: number | undefined
  to?: number | undefined
}

/** The entries that a store requests. */
export const createTimeline = ($request: ReadableAtom<TimelineRequest>) =>
  createLiveList({
    call: channelTimeline,
    request: $request,
    pace: 'slowest',
    topic: 'timeline'
  })

function createStores(id: number | undefined) {
  const $request = atom<TimelineRequest>({ id, count: PAGE_SIZE })
  return { $request, $entries: createTimeline($request) }
}

/** The offset of the browser's time zone at a time, such as `+08:00`. `toString` has it as `GMT+0800`. */
const offsetOf = (ms: number) => String(new Date(ms)).replace(/.*GMT(...)(..).*/, '$1:$2')

/** How often and since when, or from when to when. */
function periodText({ since, time, count }: TimelineEntry): string {
  if (since === undefined) return ''
  const start = (fullDate(since) === fullDate(time) ? timeOfDay : dateTime)(since)
  return count ? t(TEXT.repeated, count, start) : `${start} – ${timeOfDay(time)}`
}

/** The entries as text, oldest first, to be sent to people. @param name of the channel; undefined: of all */
function plainText(name: string | undefined, entries: readonly TimelineEntry[]): string {
  const lines = entries.map((entry) => {
    const period = periodText(entry)
    const { time, kind, text, 'channel-name': channel } = entry
    const what = `${channel === undefined ? '' : `${channel}: `}${text}${period && ` (${period})`}`
    return `${dateTime(time)} ${offsetOf(time)}  ${t(TIMELINE_KIND_NAMES[kind])}  ${what}`
  })
  return [
    name === undefined ? t(TEXT.ofAll) : t(TEXT.ofChannel, name),
    t(TEXT.zone, browserZone()),
    '',
    ...lines.toReversed()
  ].join('\n')
}

interface TimelineCardProps {
  /** Undefined: all channels that the user may see. */
  channel: Pick<Channel, 'id' | 'name'> | undefined
  /** Gives the link to a part of the timeline. The default is the page of the channel. */
  linkOf?: (query: TimelineQuery) => string
  /** Further filters. */
  children?: ReactNode
}

export function TimelineCard({ channel, linkOf = channelPageLink(channel), children }: TimelineCardProps) {
  const id = channel?.id
  const { $request, $entries } = useMemo(() => createStores(id), [id])
  const query = useQuery()
  const filter = {
    kinds: query.get('kinds') || undefined,
    from: timeOf(query.get('from')),
    to: timeOf(query.get('to'))
  }
  const [count, setCount] = useState(PAGE_SIZE)
  const request = { id, count, ...filter }
  // Set before the store is subscribed to, so that the first request has the filter.
  useLayoutEffect(() => {
    if (JSON.stringify($request.get()) !== JSON.stringify(request)) $request.set(request)
  })
  const { items, total, response, code } = useStore($entries)
  const isFiltered = Object.values(filter).some(Boolean)
  const card = useRef<HTMLElement>(null)
  // A link to a part of the timeline leads to it.
  const isLinked = useRef(isFiltered)
  useEffect(() => {
    if (isLinked.current && items.length > 0) card.current?.scrollIntoView?.()
    if (items.length > 0) isLinked.current = false
  }, [items.length])
  const emptyText = t(isFiltered ? TEXT.noMatch : TEXT.empty)
  const placeholder = usePlaceholder($entries, items.length === 0, <p className="muted nothing">{emptyText}</p>)
  if (isMissingCall(code)) return null
  const days = [...Map.groupBy(items, ({ time }) => fullDate(time))]
  const removedBefore = response?.['removed-before']
  return (
    <section className="card span" ref={card}>
      <header>
        <h2>{t(TEXT.title)}</h2>
        <span className="muted">{t(TEXT.zone, `${browserZone()} (${offsetOf(Date.now())})`)}</span>
      </header>
      <div className="tools">
        <PhoneFold isOpen={isFiltered}>
          <TimelineTools isFiltered={isFiltered}>
            {children}
            <Exports channel={channel} linkOf={linkOf} filter={filter} items={items} />
          </TimelineTools>
        </PhoneFold>
      </div>
      <div className="body">
        {placeholder ?? days.map(([day, entries]) => <Day key={day} title={day} entries={entries} />)}
      </div>
      <div className="tools">
        {total > items.length && items.length > 0 && (
          <Button label={t(TEXT.more)} onClick={() => setCount(count + PAGE_SIZE)} />
        )}
        <small className="muted">
          {t(TEXT.kept, TIMELINE_DAYS)} {removedBefore !== undefined && t(TEXT.removed, dateTime(removedBefore))}
        </small>
      </div>
    </section>
  )
}

/** Undefined: all kinds, the whole timeline. */
interface Filter {
  /** Separated by commas. */
  kinds: string | undefined
  /** Milliseconds since the epoch. */
  from: number | undefined
  to: number | undefined
}

interface TimelineToolsProps {
  isFiltered: boolean
  children: ReactNode
}

/** The filters, whose values are in the URL. */
function TimelineTools({ isFiltered, children }: TimelineToolsProps) {
  return (
    <>
      <KindButtons names={TIMELINE_KIND_NAMES} />
      {isFiltered && (
        <Button label={t(TEXT.unfilter)} icon="close" onClick={() => setQuery({ kinds: '', from: '', to: '' })} />
      )}
      {children}
      <div className="filters">
        <PeriodFields />
      </div>
    </>
  )
}

/** What a link to a part of the timeline contains; times in ISO 8601. */
interface TimelineQuery {
  kinds: string
  from: string
  to: string
}

const channelPageLink = (channel: Pick<Channel, 'id'> | undefined) => (query: TimelineQuery) =>
  channelLink(channel?.id, { tab: 'history', ...query })

interface ExportsProps extends Pick<TimelineCardProps, 'channel'>, Required<Pick<TimelineCardProps, 'linkOf'>> {
  filter: Filter
  /** The entries shown, newest first. */
  items: readonly TimelineEntry[]
}

/** What people send to each other: the text of the entries shown, a link to them, or a file with all. */
function Exports({ channel, linkOf, filter, items }: ExportsProps) {
  /** A link without a range has that of the entries shown, so that it shows the same later. */
  function link(): string {
    const oldest = items.at(-1)
    const {
      kinds = '',
      from = oldest?.since ?? oldest?.time,
      to = Math.max(Date.now(), (items[0]?.time ?? 0) + 1)
    } = filter
    const part = linkOf({ kinds, from: timeText(from), to: timeText(to) })
    return `${location.href.replace(/#.*/, '')}#${part}`
  }
  return (
    <>
      {items.length > 0 && <CopyButton labelled text={() => plainText(channel?.name, items)} label={t(TEXT.copy)} />}
      <CopyButton labelled text={link} label={t(TEXT.link)} />
      {channel &&
        (['txt', 'csv'] as const).map((format) => (
          <a
            key={format}
            className="button"
            href={downloadUrl(exportChannelTimeline, { id: channel.id, ...filter, zone: browserZone(), format })}
            download
          >
            {format === 'txt' ? t(TEXT.file) : 'CSV'}
          </a>
        ))}
    </>
  )
}

/** The entries of a day. */
function Day({ title, entries }: { title: string; entries: readonly TimelineEntry[] }) {
  return (
    <>
      <h3 className="day">{title}</h3>
      <ul className="lines log timeline">
        {entries.map((entry) => {
          const { id, time, kind, severity, text, channel, 'channel-name': channelName } = entry
          const period = periodText(entry)
          return (
            <li key={id}>
              <time
                className="num"
                dateTime={new Date(time).toISOString()}
                data-tip={`${dateTime(time)} ${offsetOf(time)}`}
              >
                {timeOfDay(time)}
              </time>
              <StatusLabel tone={SEVERITY_TONES[severity]} text={t(TIMELINE_KIND_NAMES[kind])} />
              <p>
                {channel !== undefined && (
                  <>
                    <ChannelLink id={channel} name={channelName} />{' '}
                  </>
                )}
                {text} {period && <small className="muted">{period}</small>}
              </p>
            </li>
          )
        })}
      </ul>
    </>
  )
}
