// Logs: operations of users, system log, device log.
import { useLayoutEffect } from 'react'
import { SUCCESS } from '../../../contract/codes.ts'
import { clearLog, exportLog, type LogEntry, type LogType } from '../../../contract/log.ts'
import { CallButton } from '../../parts/actions.tsx'
import { EventTabs, LOG_FILTERS, OPERATION_FILTERS } from '../../parts/event/event-tabs.tsx'
import { FilterBar } from '../../parts/event/filters.tsx'
import { TEXT as EVENT_TEXT } from '../../parts/event/text.ts'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { LogLevel } from '../../parts/log-level.tsx'
import { setQuery, useQuery } from '../../state/location.ts'
import { codeText } from '../../text/codes.ts'
import { dateTime } from '../../text/dates.ts'
import { type Translation, t } from '../../text/language.ts'
import { callerText } from '../../text/response-message.ts'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { EmptyState } from '../../ui/placeholder.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { SmallScreenNote } from '../../ui/table/columns.tsx'
import { Pager } from '../../ui/table/pager.tsx'
import { type Column, Table } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { requestOf, typeOf } from './filter.ts'
import { LogSettings } from './log-settings.tsx'
import { clearLogOfType, downloadLog, LOGS, PAGE_SIZE, setRequest } from './store.ts'
import { TEXT } from './text.ts'

// The hub sorts the log. No column has a `text`, because the table would then offer to sort a single page.
const TIME: Column<RepeatedEntry> = {
  key: 'time',
  title: TEXT.time,
  cell: (line) => <span className="num">{dateTime(line.time)}</span>
}
const DETAILS: Column<RepeatedEntry> = {
  key: 'details',
  title: TEXT.details,
  cell: ({ text, detail, repeats, since }) => (
    <span className="cut" data-tip="">
      {repeats > 1 && <strong>{t(TEXT.repeats, repeats, dateTime(since))}: </strong>}
      {text ?? detail}
    </span>
  )
}
const OPERATION: Column<RepeatedEntry> = {
  ...DETAILS,
  cell: (line) => (
    <>
      {DETAILS.cell?.(line)}
      <SmallScreenNote size="xs">{callerCell(line)}</SmallScreenNote>
    </>
  )
}
const COLUMNS: Readonly<Record<LogType, readonly Column<RepeatedEntry>[]>> = {
  operation: [
    TIME,
    { key: 'user', title: EVENT_TEXT.user, cell: callerCell, hide: 'xs' },
    OPERATION,
    { key: 'result', title: EVENT_TEXT.result, cell: (line) => <Result {...line} /> },
    { key: 'address', title: TEXT.address, cell: (line) => line.ip, hide: 'sm' }
  ],
  system: logColumns(),
  device: logColumns()
}

/** The user, or the access token of a program and its owner. */
function callerCell({ user, token }: LogEntry) {
  return (
    <span className="cut" data-tip="">
      {callerText({ name: user || '–', token })}
    </span>
  )
}

function logColumns(): readonly Column<RepeatedEntry>[] {
  return [TIME, { key: 'level', title: EVENT_TEXT.level, cell: (line) => <LogLevel level={line.level} /> }, DETAILS]
}

/** The result of an operation: the text of its result code, or for how many devices it failed. */
function Result({ code = SUCCESS, outcome }: LogEntry) {
  const [tone, text] =
    code !== SUCCESS
      ? (['bad', outcome ?? codeText(code)] as const)
      : outcome
        ? (['warn', outcome] as const)
        : (['good', t(EVENT_TEXT.done)] as const)
  return (
    <span className="cut" data-tip="">
      <StatusLabel tone={tone} text={text} />
    </span>
  )
}

const TITLES: Readonly<Record<LogType, Translation>> = {
  operation: EVENT_TEXT.operation,
  system: EVENT_TEXT.system,
  device: EVENT_TEXT.device
}

export function LogScreen() {
  const query = useQuery()
  return (
    <>
      <EventTabs route="logs" />
      {query.get('tab') === 'settings' ? <LogSettings /> : <LogTable query={query} />}
    </>
  )
}

function LogTable({ query }: { query: URLSearchParams }) {
  const type = typeOf(query)
  const names = type === 'operation' ? OPERATION_FILTERS : LOG_FILTERS
  const isFiltered = names.some((name) => query.get(name))
  const request = requestOf(query)
  // Set before the store is subscribed to, so that it does not first repeat its previous request.
  useLayoutEffect(() => setRequest(request))
  const { $lines } = LOGS[type]
  const { items, total } = useStore($lines)
  const emptyView = (
    <EmptyState icon={isFiltered ? 'search' : 'list'} title={t(isFiltered ? TEXT.noneFound : TEXT.empty)} />
  )
  const { start = 0, upto } = request

  // All pages refer to the newest line of the first page (`upto`), so that new lines do not shift them.
  const goTo = (start: number) =>
    setQuery({ start: start ? String(start) : '', upto: start ? String(upto ?? items[0]?.id ?? '') : '' }, false)

  async function confirmClear() {
    const confirmation = { title: t(TEXT.clear), text: t(TEXT.clearText), confirmLabel: t(TEXT.clear), danger: true }
    if (await confirm(confirmation)) await clearLogOfType(type)
  }

  return (
    <Table
      key={type}
      settingsKey={`log-${type}`}
      label={t(TITLES[type])}
      columns={COLUMNS[type]}
      rows={collapseRepeats(items)}
      keyOf={(line) => line.id}
      nameOf={(line) => dateTime(line.time)}
      toolbar={
        <FilterBar names={names}>
          {(['csv', 'json'] as const).map((format) => (
            <CallButton
              key={format}
              call={exportLog}
              label={t(TEXT.export, format.toUpperCase())}
              onClick={() => downloadLog(request, format)}
            />
          ))}
          <span className="apart">
            <CallButton call={clearLog} icon="delete" label={t(TEXT.clear)} onClick={confirmClear} />
          </span>
        </FilterBar>
      }
      placeholder={usePlaceholder($lines, items.length === 0, emptyView)}
      footer={<Pager start={start} count={PAGE_SIZE} goTo={goTo} total={total} />}
    />
  )
}

// Collapses entries of a log that repeat each other, such as a program that tries to connect with a wrong key all
// night.
interface RepeatedEntry extends LogEntry {
  /** Number of entries that differ at most in their time and in port numbers. */
  repeats: number
  /** Time of the first of them, in milliseconds since the epoch. */
  since: number
}

/** Entries that strangers cause, several at a time. They repeat each other even with other entries in between. */
const INTERLEAVED = ['caller-refused', 'keys-guessed']

/** A new connection of the same program has another port. */
const PORT = /(?<=[\d\]]):\d{1,5}\b/g

const keyOf = ({ level, event, user, token, ip, code, text, detail }: LogEntry) =>
  JSON.stringify([level, event, user, token, ip, code, (text ?? detail).replace(PORT, '')])

/** Collapses repetitions to their newest entry. @param entries newest first */
export function collapseRepeats(entries: readonly LogEntry[]): RepeatedEntry[] {
  const collapsed: RepeatedEntry[] = []
  for (const entry of entries) {
    const key = keyOf(entry)
    const candidates = INTERLEAVED.includes(entry.event) ? collapsed : collapsed.slice(-1)
    const newest = candidates.find((other) => keyOf(other) === key)
    if (newest) {
      newest.repeats++
      newest.since = entry.time
    } else collapsed.push({ ...entry, repeats: 1, since: entry.time })
  }
  return collapsed
}
