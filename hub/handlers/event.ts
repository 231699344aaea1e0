// Handlers of events: the timelines of channels and the logs, merged by time.
import { setImmediate } from 'node:timers/promises'
import { CHANNEL_VIEW, isPermitted, SYSTEM_CONFIG_VIEW } from '../../contract/access/permissions.ts'
import { SUCCESS } from '../../contract/codes.ts'
import { EVENTS_MAX, type EventEntry, exportEvents, listEvents } from '../../contract/event.ts'
import { LOG_ERROR, LOG_INFO, LOG_WARNING, type LogType } from '../../contract/log.ts'
import { TIMELINE_KINDS, type TimelineEntry } from '../../contract/stream/channel-timeline.ts'
import type { Gate } from '../auth/gate.ts'
import { type Context, type Handler, handle, requireCaller } from '../http/handler.ts'
import type { LogSearch } from '../log-search/log-search.ts'
import { makeEntryTranslator } from '../messages/log-entries.ts'
import { serializeTimelineEntry } from '../messages/timeline.ts'
import type { Store } from '../store/store.ts'
import type { StoredTimelineEntry } from '../store/timeline.ts'
import { csvText } from './channel/csv-file.ts'
import { channelFields, timelineAccess } from './channel/timeline.ts'
import { LogView } from './log/log-view.ts'

interface EventParts {
  store: Store
  gate: Gate
  logSearch: LogSearch
}

interface EventFilter {
  from?: number | undefined
  to?: number | undefined
  kinds?: string | undefined
  level?: number | undefined
  key?: string | undefined
  user?: string | undefined
  channel?: number | undefined
  sn?: string | undefined
}

/** The newest entries of one list that match. */
interface Page {
  list: FoundEvent[]
  hasMore: boolean
}

/** @property call path of the call that an entry is about */
type FoundEvent = EventEntry & { call?: string | undefined }

/** Entries in a response when the request has no `count`. */
const COUNT_DEFAULT = 100
/** Entries of timelines that are filtered at once, before other requests have their turn. */
const CHUNK = 1000
/** Milliseconds between the entries of one call in the operation log and in a timeline at most. */
const SAME_CALL = 1000

const LEVELS: Readonly<Record<TimelineEntry['severity'], number>> = {
  bad: LOG_ERROR,
  warn: LOG_WARNING,
  good: LOG_INFO,
  info: LOG_INFO
}

const COLUMNS = [
  'time',
  'since',
  'count',
  'kind',
  'level',
  'channel-name',
  'sn',
  'user',
  'token',
  'text',
  'outcome'
] as const

/** The logs that can have entries that match. */
function logTypes({ kinds, user, channel, sn }: EventFilter): LogType[] {
  const wants = (kind: string) => kinds === undefined || kinds.split(',').includes(kind)
  return [
    ...(wants('operation') ? (['operation'] as const) : []),
    // Only operations have users. The system log about a channel includes the entries of devices about it.
    ...(wants('log') && user === undefined && sn === undefined ? (['system'] as const) : []),
    ...(wants('device') && user === undefined && (channel === undefined || sn !== undefined || !wants('log'))
      ? (['device'] as const)
      : [])
  ]
}

/** The timelines of the channels that the caller may see. */
async function findTimelineEvents(
  parts: EventParts,
  context: Context,
  filter: EventFilter,
  count: number
): Promise<Page> {
  const { store, gate } = parts
  const { from, to, level, key, user, channel, sn } = filter
  const kinds = filter.kinds?.split(',').filter((kind) => TIMELINE_KINDS.some((name) => name === kind))
  const isVisible = gate.channelsVisibleTo(requireCaller(context))
  const channels = store.channels
    .all()
    .flatMap(({ id }) => (isVisible(id) && (channel === undefined || channel === id) ? [id] : []))
  if (channels.length === 0 || kinds?.length === 0) return { list: [], hasMore: false }
  const access = timelineAccess(parts, context)
  const text = key?.toLowerCase()
  const isAboutDevice = ({ facts: { devices = [] } }: StoredTimelineEntry) =>
    sn === undefined || (devices.includes(sn) && access.seesDevices(devices))

  function toEvent(stored: StoredTimelineEntry): FoundEvent[] {
    if (!isAboutDevice(stored)) return []
    const { by, severity, event: _, id, ...entry } = serializeTimelineEntry(context.language, stored, access)
    const { token, call } = stored.facts
    const found: FoundEvent = {
      ...entry,
      id: `timeline-${id}`,
      level: LEVELS[severity],
      ...channelFields(store, stored.channel),
      ...(by !== undefined && { user: by, ...(token && { token }) }),
      call
    }
    const isMatch =
      (level === undefined || level === found.level) &&
      (user === undefined || user === found.user || user === found.token) &&
      (!text || `${found.text} ${found['channel-name'] ?? ''}`.toLowerCase().includes(text))
    return isMatch ? [found] : []
  }

  const isFiltered = level !== undefined || user !== undefined || text || sn !== undefined
  const chunk = isFiltered ? CHUNK : count + 1
  // An entry can be added between two chunks, which moves the others.
  const found = new Map<string, FoundEvent>()
  for (let start = 0; found.size <= count; start += chunk) {
    const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }), ...(kinds && { kinds }) }
    const { list } = store.timeline.page(channels, range, start, chunk)
    for (const event of list.flatMap(toEvent)) found.set(event.id, event)
    if (list.length < chunk) break
    await setImmediate()
  }
  return toPage([...found.values()], count)
}

const toPage = (list: readonly FoundEvent[], count: number): Page => ({
  list: list.slice(0, count),
  hasMore: list.length > count
})

/** The entries of a log that the caller may see. */
async function findLogEvents(
  parts: EventParts,
  context: Context,
  { kinds: _, ...filter }: EventFilter,
  type: LogType,
  count: number
): Promise<Page> {
  const caller = requireCaller(context)
  const view = new LogView(parts, caller, context.language)
  const request = view.resolveFilter({ type, ...filter })
  const { list } = await parts.logSearch.list(caller.session, request, 0, count + 1, view.visibleEntries())
  const translate = makeEntryTranslator(context.language, type, view.deviceName)
  const events = list
    .map(translate)
    .map(({ id, time, level, event, detail, text, user, token, code, outcome, sn }) => ({
      ...{ id: `${type === 'operation' ? 'operation' : 'log'}-${id}`, time, level, text: text ?? detail },
      kind: type === 'operation' ? ('operation' as const) : sn ? ('device' as const) : ('log' as const),
      ...(sn && { sn }),
      ...(user && { user }),
      ...(token && { token }),
      ...(outcome && { outcome }),
      ...(code === SUCCESS && { call: event })
    }))
  return toPage(events, count)
}

/** A timeline has an entry of a call that the operation log has, too. */
function withoutRepeatedCalls(events: readonly FoundEvent[]): FoundEvent[] {
  const operations = Map.groupBy(
    events.filter(({ kind }) => kind === 'operation'),
    ({ call }) => call
  )
  return events.filter(
    ({ kind, call, time, user, count }) =>
      kind !== 'change' ||
      count !== undefined ||
      !operations.get(call)?.some((other) => other.user === user && Math.abs(other.time - time) <= SAME_CALL)
  )
}

/** The newest events that match and that the caller may see. */
async function findEvents(parts: EventParts, context: Context, filter: EventFilter, count: number): Promise<Page> {
  const { user } = requireCaller(context)
  const logs = isPermitted(SYSTEM_CONFIG_VIEW, user) ? logTypes(filter) : []
  const pages = await Promise.all([
    ...(isPermitted(CHANNEL_VIEW, user) ? [findTimelineEvents(parts, context, filter, count)] : []),
    ...logs.map((type) => findLogEvents(parts, context, filter, type, count))
  ])
  // Of a list that has more entries, none is known before the oldest one that was read.
  const known = Math.max(...pages.flatMap(({ list, hasMore }) => (hasMore ? (list.at(-1)?.time ?? 0) : 0)), 0)
  const merged = pages
    .flatMap(({ list }) => list)
    .filter(({ time }) => time >= known)
    .sort((a, b) => b.time - a.time)
  const { list, hasMore } = toPage(withoutRepeatedCalls(merged), count)
  return { list, hasMore: hasMore || pages.some((page) => page.hasMore) }
}

const toEntry = ({ call: _, ...event }: FoundEvent): EventEntry => event

function csvRow(event: EventEntry): (string | number)[] {
  return COLUMNS.map((column) => {
    const value = event[column] ?? ''
    return (column === 'time' || column === 'since') && value !== '' ? new Date(value).toISOString() : value
  })
}

export function eventHandlers(parts: EventParts): Handler[] {
  const { changes } = parts.store
  return [
    handle(listEvents, async (context, { since, count = COUNT_DEFAULT, ...filter }) => {
      const { rev } = changes
      const revs = changes.revs()
      const isUnchanged = since !== undefined && revs.log <= since && revs.timeline <= since
      const { list, hasMore } = await findEvents(parts, context, filter, count)
      const total = list.length + (hasMore ? 1 : 0)
      return { start: 0, total, rev, ...(isUnchanged ? { list: [], partial: true } : { list: list.map(toEntry) }) }
    }),
    handle(exportEvents, async (context, filter) => {
      const { list } = await findEvents(parts, context, filter, EVENTS_MAX)
      return new Response(csvText([COLUMNS, ...list.map(toEntry).map(csvRow)]), {
        headers: {
          'content-type': 'text/csv;charset=utf-8',
          'content-disposition': `attachment; filename="events-${new Date().toISOString().slice(0, 10)}.csv"`,
          'cache-control': 'no-store'
        }
      })
    })
  ]
}
