// Channels: what each takes, where it sends it, and what is really carried now.
import { addChannel, type Channel } from '../../../contract/channel.ts'
import { ActButton, Actions } from '../../parts/actions.tsx'
import { openDialog } from '../../parts/dialog-host.tsx'
import { livedSince } from '../../parts/lived.ts'
import { useInstead } from '../../parts/loaded.tsx'
import { usePictures } from '../../parts/pictures.tsx'
import { $channels } from '../../state/channels.ts'
import { setQuery, useQuery } from '../../state/location.ts'
import { t } from '../../text/language.ts'
import { bitRate } from '../../text/numbers.ts'
import { Empty } from '../../ui/condition.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Since } from '../../ui/since.tsx'
import { State } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Tiles } from '../../ui/tiles.tsx'
import type { ChosenActions } from '../../ui/tools.tsx'
import { useStore } from '../../ui/use-store.ts'
import { addOutputTo, OPENS, REMOVE, START, STOP } from './actions.tsx'
import { ChannelDialog } from './add-dialog.tsx'
import { OutputList } from './outputs.tsx'
import { PortFaults } from './ports.tsx'
import { inputName, isLive, wordOf } from './said.ts'
import { nameOf } from './store.ts'
import { TEXT } from './text.ts'
import { ChannelLink, ChannelTile } from './tile.tsx'

const COLUMNS: readonly Column<Channel>[] = [
  {
    key: 'name',
    title: TEXT.name,
    cell: (channel) => <ChannelLink channel={channel} />,
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
    text: ({ input }) => inputName(input),
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

/** How many there are, beside how many the licence allows where it limits them. */
const within = (used = 0, limit = 0) => (limit ? `${used}/${limit}` : used)

export function ChannelListScreen() {
  const [pictures, turn] = usePictures('channels')
  const { items, total, reply } = useStore($channels)
  const key = useQuery().get('key') ?? ''
  // By its own name, and by those of what it takes and gives.
  const rows = items.filter(({ name, input, outputs }) =>
    [name, input?.name, ...outputs.list.map(nameOf)].join('\n').toLowerCase().includes(key.toLowerCase())
  )
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
  const rowActions = (channel: Channel) => (
    <Actions actions={[START, STOP, REMOVE]} more={OPENS} rows={[channel]} nameOf={nameOf} />
  )
  const actions: ChosenActions<Channel> = (chosen, clear) => (
    <Actions actions={[START, STOP, REMOVE]} rows={chosen} nameOf={nameOf} these={TEXT.these} onDone={clear} />
  )
  const shared = {
    label: t(TEXT.title),
    rows,
    keyOf: ({ id }: Channel) => id,
    nameOf,
    tools: (
      <>
        {add}
        <SearchBox label={t(TEXT.search)} value={key} onSearch={(text) => setQuery({ key: text })} />
        {turn}
        {reply && (
          <span className="muted">
            {t(
              TEXT.counts,
              within(total, reply['limit-create-num']),
              within(reply['enable-num'], reply['limit-num']),
              reply['live-num'],
              within(reply['output-num'], reply['limit-output-num']),
              within(reply['srt-num'], reply['limit-srt-num'])
            )}
          </span>
        )}
      </>
    ),
    actions,
    instead: useInstead($channels, rows.length === 0, nothing)
  }
  return (
    <>
      <PortFaults />
      {pictures ? (
        <Tiles {...shared}>{(channel) => <ChannelTile channel={channel}>{rowActions(channel)}</ChannelTile>}</Tiles>
      ) : (
        <Table
          {...shared}
          list="channels"
          columns={COLUMNS}
          sorting={{ key: 'name', order: 'ascending' }}
          rowActions={rowActions}
          details={(channel) => <OutputList channel={channel} onAdd={() => addOutputTo(channel)} />}
        />
      )}
    </>
  )
}
