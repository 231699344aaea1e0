// Channels: what each takes, where it sends it, and what is really carried now.
import {
  addChannel,
  type Channel,
  deleteChannels,
  enableChannel,
  setChannel,
  setChannelInput
} from '../../../contract/channel.ts'
import { CONNECTION, SOURCE } from '../../../contract/protocols.ts'
import { streamName } from '../../../contract/rules.ts'
import { addOutput } from '../../../contract/source.ts'
import { ActButton, type Action, Actions } from '../../parts/actions.tsx'
import { askName } from '../../parts/device-dialogs.tsx'
import { openDialog } from '../../parts/dialog-host.tsx'
import { livedSince } from '../../parts/lived.ts'
import { useInstead } from '../../parts/loaded.tsx'
import { setQuery, useQuery } from '../../state/location.ts'
import { t } from '../../text/language.ts'
import { bitRate } from '../../text/numbers.ts'
import { legWord, type StateWord } from '../../text/states.ts'
import { Empty } from '../../ui/condition.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Since } from '../../ui/since.tsx'
import { State } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { ChannelDialog } from './add-dialog.tsx'
import { InputDialog } from './input-dialog.tsx'
import { OutputDialog } from './output-dialog.tsx'
import { OutputList } from './outputs.tsx'
import { $channels, enable, nameOf, removeChannels, rename, stopped } from './store.ts'
import { TEXT } from './text.ts'

/** The channel's state in a word: stopped, without input, or what its input says. */
function wordOf({ config, input }: Channel): StateWord {
  if (!config.enable) return stopped()
  return input ? legWord(input.state, input['conn-state']) : { tone: 'warn', text: t(TEXT.noInput) }
}

const isLive = (channel: Channel) =>
  channel.config.enable && channel.input?.['conn-state'] === CONNECTION.connected && channel.state === SOURCE.running

const COLUMNS: readonly Column<Channel>[] = [
  { key: 'name', title: TEXT.name, text: nameOf },
  {
    key: 'state',
    title: TEXT.state,
    cell: (channel) => <State {...wordOf(channel)} tip={channel.input?.reason} />,
    sort: (channel) => (channel.config.enable ? channel.state : -1)
  },
  {
    key: 'input',
    title: TEXT.input,
    text: ({ input }) => (input?.hidden ? t(TEXT.hiddenInput) : (input?.name ?? t(TEXT.none))),
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

const START: Action<Channel> = {
  call: enableChannel,
  icon: 'play',
  verb: TEXT.start,
  fits: ({ config }) => !config.enable,
  run: (channels) => enable(channels, true)
}
const STOP: Action<Channel> = {
  call: enableChannel,
  icon: 'stop',
  verb: TEXT.stop,
  fits: ({ config }) => config.enable,
  // It takes the picture from people only where somebody is watching.
  ask: (channels) => (channels.some((channel) => channel['conn-num'] > 0) ? t(TEXT.stopText) : undefined),
  run: (channels) => enable(channels, false)
}
const REMOVE: Action<Channel> = {
  call: deleteChannels,
  icon: 'delete',
  verb: TEXT.remove,
  kind: 'danger',
  ask: () => t(TEXT.removeText),
  run: removeChannels
}

const addOutputTo = (channel: Channel) => openDialog((close) => <OutputDialog channel={channel} onClose={close} />)

/** What is done to one channel, in a dialog. */
const OPENS = [
  {
    call: setChannelInput,
    icon: 'input',
    verb: TEXT.setInput,
    run: ([channel]) => openDialog((close) => <InputDialog channel={channel as Channel} onClose={close} />)
  },
  {
    call: addOutput,
    icon: 'output',
    verb: TEXT.addOutput,
    run: ([channel]) => addOutputTo(channel as Channel)
  },
  {
    call: setChannel,
    icon: 'edit',
    verb: TEXT.edit,
    run: async ([channel]) =>
      channel !== undefined &&
      askName({
        title: t(TEXT.edit, channel.name),
        name: channel.name,
        rule: streamName,
        save: (name, options) => rename(channel.id, name, options)
      })
  }
] as const satisfies readonly Action<Channel>[]

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
