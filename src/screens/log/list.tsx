// What happened: what users did, what the hub did, what devices did.
import { useLayoutEffect } from 'react'
import { SUCCESS } from '../../../contract/codes.ts'
import { clearLog, type LogLine, type LogType } from '../../../contract/log.ts'
import { setSettings } from '../../../contract/settings.ts'
import { ActButton } from '../../parts/actions.tsx'
import { useInstead } from '../../parts/load-state.tsx'
import { Level } from '../../parts/log-level.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { setQuery, useQuery } from '../../state/location.ts'
import { codeText } from '../../text/codes.ts'
import { dateTime } from '../../text/dates.ts'
import { type Pair, t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { Empty } from '../../ui/placeholder.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { State } from '../../ui/state.tsx'
import { Pager } from '../../ui/table/pager.tsx'
import { type Column, Table } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { isNarrowed, removeFilter, requestOf, setFilter, typeOf } from './filter.ts'
import { Filters } from './filters.tsx'
import { openKeepDialog } from './keep-dialog.tsx'
import { ask, COUNT, clear, exportOf, LOGS } from './store.ts'
import { TEXT } from './text.ts'

// The hub's order is the only one there is: no column has a `text`, by which a page could be sorted.
const TIME: Column<LogLine> = {
  key: 'time',
  title: TEXT.time,
  cell: (line) => <span className="num">{dateTime(line.time)}</span>
}
const DETAILS: Column<LogLine> = {
  key: 'details',
  title: TEXT.details,
  cell: ({ text, detail }) => text ?? detail
}
const COLUMNS: Readonly<Record<LogType, readonly Column<LogLine>[]>> = {
  operation: [
    TIME,
    { key: 'user', title: TEXT.user, cell: (line) => line.user || '–', hide: 'xs' },
    DETAILS,
    { key: 'result', title: TEXT.result, cell: (line) => <Result {...line} /> },
    { key: 'address', title: TEXT.address, cell: (line) => line.ip, hide: 'sm' }
  ],
  system: logColumns(),
  device: logColumns()
}

function logColumns(): readonly Column<LogLine>[] {
  return [TIME, { key: 'level', title: TEXT.level, cell: (line) => <Level level={line.level} /> }, DETAILS]
}

/** What became of it, in the words of the code. */
function Result({ code = SUCCESS, outcome = codeText(code) }: LogLine) {
  const done = code === SUCCESS
  return (
    <span className="cut" data-tip="">
      <State tone={done ? 'good' : 'bad'} text={done ? t(TEXT.done) : outcome} />
    </span>
  )
}

const TITLES: Readonly<Record<LogType, Pair>> = {
  operation: TEXT.operation,
  system: TEXT.system,
  device: TEXT.device
}

const TABS = [{ title: TEXT.operation }, { tab: 'system', title: TEXT.system }, { tab: 'device', title: TEXT.device }]

export function LogScreen() {
  const query = useQuery()
  const type = typeOf(query)
  const key = query.get('key') ?? ''
  const filtered = key !== '' || isNarrowed(query)
  const request = requestOf(query)
  // Before the store is listened to, so that it does not first ask for what was asked last.
  useLayoutEffect(() => ask(request))
  const { $lines } = LOGS[type]
  const { items, total } = useStore($lines)
  const nothing = <Empty icon={filtered ? 'search' : 'list'} title={t(filtered ? TEXT.noneFound : TEXT.empty)} />
  const { start = 0, upto } = request

  // A later page is one of the reading that the first one began: lines that are added do not move it.
  const go = (to: number) =>
    setQuery({ start: to ? String(to) : '', upto: to ? String(upto ?? items[0]?.id ?? '') : '' }, false)

  async function empty() {
    const question = { title: t(TEXT.clear), text: t(TEXT.clearText), verb: t(TEXT.clear), danger: true }
    if (await confirm(question)) await clear(type)
  }

  return (
    <>
      <Tabs place="logs" label={TEXT.title} tabs={TABS} />
      <Table
        key={type}
        list={`log-${type}`}
        label={t(TITLES[type])}
        columns={COLUMNS[type]}
        rows={items}
        keyOf={(line) => line.id}
        nameOf={(line) => dateTime(line.time)}
        tools={
          <>
            <SearchBox label={t(TEXT.search)} value={key} onSearch={(text) => setFilter({ key: text })} />
            {filtered && <Button label={t(TEXT.unfilter)} icon="close" onClick={removeFilter} />}
            {(['csv', 'json'] as const).map((format) => (
              <a key={format} className="button" href={exportOf(request, format)} download>
                {t(TEXT.export, format.toUpperCase())}
              </a>
            ))}
            <ActButton call={setSettings} label={t(TEXT.keep)} onAct={openKeepDialog} />
            <ActButton call={clearLog} kind="danger" icon="delete" label={t(TEXT.clear)} onAct={empty} />
            <Filters type={type} query={query} />
          </>
        }
        instead={useInstead($lines, items.length === 0, nothing)}
        foot={<Pager start={start} count={COUNT} go={go} total={total} />}
      />
    </>
  )
}
