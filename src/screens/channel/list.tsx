// Channels: what each takes, where it sends it, and what is really carried now.
import { addChannel, type Channel } from '../../../contract/channel.ts'
import { ActButton, Actions } from '../../parts/actions.tsx'
import { openDialog } from '../../parts/dialog-host.tsx'
import { livedSince } from '../../parts/lived.ts'
import { useInstead } from '../../parts/loaded.tsx'
import { link } from '../../paths.ts'
import { $channels } from '../../state/channels.ts'
import { setQuery, useQuery } from '../../state/location.ts'
import { t } from '../../text/language.ts'
import { bitRate } from '../../text/numbers.ts'
import { Empty } from '../../ui/condition.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Since } from '../../ui/since.tsx'
import { State } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { addOutputTo, OPENS, REMOVE, START, STOP } from './actions.tsx'
import { ChannelDialog } from './add-dialog.tsx'
import { OutputList } from './outputs.tsx'
import { inputName, isLive, wordOf } from './said.ts'
import { nameOf } from './store.ts'
import { TEXT } from './text.ts'

const COLUMNS: readonly Column<Channel>[] = [
  {
    key: 'name',
    title: TEXT.name,
    cell: ({ id, name }) => <a href={`#${link('channelDetail', { channelId: String(id) })}`}>{name}</a>,
    sort: nameOf
  },
  {
    key: 'state',
    title: TEXT.state,
    cell: (channel) => <State {...wordOf(channel)} tip={channel.input?.reason} />,
    sort: (channel) => (channel.config.enable ? channel.state : -1)
  },
  {
    key: 'input',
    title: TEXT.input,
    text: inputName,
    hide: 'xs'
  },
  {
    key: 'rate',
    title: TEXT.rate,
    align: 'end',
    cell: (channel) => (isLive(channel) ? bitRate(channel.kbps) : '–'),
    sort: (channel) => channel.kbps
  },
  {
    key: 'up-time',
    title: TEXT.upTime,
    align: 'end',
    // Goes on by itself from the last answer.
    cell: (channel) => (isLive(channel) ? <Since at={livedSince(channel)} /> : '–'),
    sort: (channel) => channel['living-time-s'],
    hide: 'xs'
  },
  {
    key: 'outputs',
    title: TEXT.outputs,
    align: 'end',
    cell: (channel) => t(TEXT.outputsLive, channel['conn-num'], channel.outputs.total),
    sort: (channel) => channel.outputs.total
  }
]

export function ChannelListScreen() {
  const { items, total, reply } = useStore($channels)
  const key = useQuery().get('key') ?? ''
  const rows = items.filter((channel) => channel.name.toLowerCase().includes(key.toLowerCase()))
  const add = (
    <ActButton
      call={addChannel}
      kind="main"
      icon="plus"
      label={t(TEXT.add)}
      onAct={() => openDialog((close) => <ChannelDialog onClose={close} />)}
    />
  )
  const nothing = key ? (
    <Empty icon="search" title={t(TEXT.noneFound)} />
  ) : (
    <Empty icon="channels" title={t(TEXT.empty)} text={t(TEXT.emptyText)}>
      {add}
    </Empty>
  )
  return (
    <Table
      list="channels"
      label={t(TEXT.title)}
      columns={COLUMNS}
      rows={rows}
      keyOf={({ id }) => id}
      nameOf={nameOf}
      sorting={{ key: 'name', order: 'ascending' }}
      tools={
        <>
          {add}
          <SearchBox label={t(TEXT.search)} value={key} onSearch={(text) => setQuery({ key: text })} />
          {reply && <span className="muted num">{t(TEXT.counts, total, reply['enable-num'], reply['live-num'])}</span>}
        </>
      }
      actions={(chosen, clear) => (
        <Actions actions={[START, STOP, REMOVE]} rows={chosen} nameOf={nameOf} these={TEXT.these} onDone={clear} />
      )}
      rowActions={(channel) => (
        <Actions actions={[START, STOP, REMOVE]} more={OPENS} rows={[channel]} nameOf={nameOf} />
      )}
      details={(channel) => <OutputList channel={channel} onAdd={() => addOutputTo(channel)} />}
      instead={useInstead($channels, rows.length === 0, nothing)}
    />
  )
}
