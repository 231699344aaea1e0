// Channels: what each takes, where it sends it, and what is really carried now.
import { useState } from 'react'
import {
  addChannel,
  type Channel,
  deleteChannels,
  enableChannel,
  setChannel,
  setChannelInput
} from '../../../contract/channel.ts'
import { CONNECTION, SOURCE } from '../../../contract/protocols.ts'
import { addOutput } from '../../../contract/source.ts'
import { ActButton, type Action, Actions } from '../../parts/actions.tsx'
import { livedSince } from '../../parts/lived.ts'
import { useInstead } from '../../parts/loaded.tsx'
import { setQuery, useQuery } from '../../state/location.ts'
import { $may } from '../../state/session.ts'
import { t } from '../../text/language.ts'
import { bitRate } from '../../text/numbers.ts'
import { legWord } from '../../text/states.ts'
import { Empty } from '../../ui/condition.tsx'
import { MenuButton } from '../../ui/menu-button.tsx'
import { SearchBox } from '../../ui/search-box.tsx'
import { Since } from '../../ui/since.tsx'
import { State } from '../../ui/state.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { ChannelDialog } from './add-dialog.tsx'
import { InputDialog } from './input-dialog.tsx'
import { OutputDialog } from './output-dialog.tsx'
import { OutputList } from './outputs.tsx'
import { RenameDialog } from './rename-dialog.tsx'
import { $channels, enable, removeChannels } from './store.ts'
import { TEXT } from './text.ts'

/** The channel's state in a word: stopped, without input, or what its input says. */
function ChannelState({ channel }: { channel: Channel }) {
  const { config, input } = channel
  if (!config.enable) return <State tone="off" text={t(TEXT.stopped)} />
  if (!input) return <State tone="warn" text={t(TEXT.noInput)} />
  const { tone, text } = legWord(input.state, input['conn-state'])
  return <State tone={tone} text={text} tip={input.reason} />
}

const isLive = (channel: Channel) =>
  channel.config.enable && channel.input?.['conn-state'] === CONNECTION.connected && channel.state === SOURCE.running

const COLUMNS: readonly Column<Channel>[] = [
  { key: 'name', title: TEXT.name, text: (channel) => channel.name },
  {
    key: 'state',
    title: TEXT.state,
    cell: (channel) => <ChannelState channel={channel} />,
    sort: (channel) => (channel.config.enable ? channel.state : -1)
  },
  {
    key: 'input',
    title: TEXT.input,
    text: ({ input }) => (input?.hidden ? t(TEXT.hiddenInput) : (input?.name ?? t(TEXT.noInput))),
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
    cell: (channel) => <UpTime channel={channel} />,
    sort: (channel) => channel['living-time-s'],
    hide: 'xs'
  },
  {
    key: 'outputs',
    title: TEXT.outputs,
    align: 'end',
    cell: ({ outputs, ...channel }) =>
      outputs.total === 0 ? t(TEXT.noOutputs) : t(TEXT.liveOf, channel['conn-num'], outputs.total),
    sort: (channel) => channel.outputs.total
  }
]

/** Goes on by itself from the last answer; a channel that carries nothing has none. */
function UpTime({ channel }: { channel: Channel }) {
  return isLive(channel) ? <Since at={livedSince(channel)} /> : <>–</>
}

type Open = { dialog: 'add' } | { dialog: 'rename' | 'input' | 'output'; channel: Channel } | undefined

export function ChannelListScreen() {
  const state = useStore($channels)
  const [open, setOpen] = useState<Open>()
  const key = useQuery().get('key') ?? ''
  const rows = state.items.filter((channel) => channel.name.toLowerCase().includes(key.toLowerCase()))
  const close = () => setOpen(undefined)
  const add = (
    <ActButton call={addChannel} kind="main" icon="plus" label={t(TEXT.add)} onAct={() => setOpen({ dialog: 'add' })} />
  )

  const nothing = key ? (
    <Empty icon="search" title={t(TEXT.noneFound)} />
  ) : (
    <Empty icon="channels" title={t(TEXT.empty)} text={t(TEXT.emptyText)}>
      {add}
    </Empty>
  )
  const instead = useInstead($channels, rows.length === 0, nothing)
  const { reply } = state
  return (
    <>
      <Table
        list="channels"
        label={t(TEXT.title)}
        columns={COLUMNS}
        rows={rows}
        keyOf={(channel) => channel.id}
        nameOf={nameOf}
        sorting={{ key: 'name', order: 'ascending' }}
        tools={
          <>
            {add}
            <SearchBox label={t(TEXT.search)} value={key} onSearch={(text) => setQuery({ key: text })} />
            {reply && (
              <span className="muted num">{t(TEXT.counts, state.total, reply['enable-num'], reply['live-num'])}</span>
            )}
          </>
        }
        actions={(chosen, clear) => (
          <Actions actions={[START, STOP, REMOVE]} rows={chosen} nameOf={nameOf} these={TEXT.these} onDone={clear} />
        )}
        rowActions={(channel) => <RowActions channel={channel} onOpen={setOpen} />}
        details={(channel) => <OutputList channel={channel} onAdd={() => setOpen({ dialog: 'output', channel })} />}
        instead={instead}
      />
      {open?.dialog === 'add' && <ChannelDialog onClose={close} />}
      {open?.dialog === 'rename' && <RenameDialog channel={open.channel} onClose={close} />}
      {open?.dialog === 'input' && <InputDialog channel={open.channel} onClose={close} />}
      {open?.dialog === 'output' && <OutputDialog channel={open.channel} onClose={close} />}
    </>
  )
}

const nameOf = (channel: Channel) => channel.name
const idsOf = (channels: readonly Channel[]) => channels.map((channel) => channel.id)

const START: Action<Channel> = {
  call: enableChannel,
  icon: 'play',
  one: TEXT.start,
  many: TEXT.startMany,
  fits: ({ config }) => !config.enable,
  run: (channels) => enable(idsOf(channels), true)
}
const STOP: Action<Channel> = {
  call: enableChannel,
  icon: 'stop',
  one: TEXT.stop,
  many: TEXT.stopMany,
  fits: ({ config }) => config.enable,
  // It takes the picture from people only where somebody is watching.
  asks: (channels) => channels.some((channel) => channel['conn-num'] > 0),
  ask: { title: TEXT.stopTitle, text: TEXT.stopText },
  run: (channels) => enable(idsOf(channels), false)
}
const REMOVE: Action<Channel> = {
  call: deleteChannels,
  icon: 'delete',
  one: TEXT.remove,
  many: TEXT.removeMany,
  kind: 'danger',
  ask: { title: TEXT.removeTitle, text: TEXT.removeText },
  run: (channels) => removeChannels(idsOf(channels))
}

/** What can be opened from a row, besides its actions. */
const OPENS = [
  { dialog: 'input', title: TEXT.setInput, icon: 'input', call: setChannelInput },
  { dialog: 'output', title: TEXT.addOutput, icon: 'output', call: addOutput },
  { dialog: 'rename', title: TEXT.edit, icon: 'edit', call: setChannel }
] as const

function RowActions({ channel, onOpen }: { channel: Channel; onOpen: (open: Open) => void }) {
  const may = useStore($may)
  return (
    <span className="row-actions">
      <Actions actions={[START, STOP]} rows={[channel]} nameOf={nameOf} />
      <MenuButton
        bare
        label={`${t(TEXT.more)}: ${channel.name}`}
        items={OPENS.map(({ dialog, title, icon, call }) => ({
          label: t(title),
          icon,
          disabled: !may(call),
          onSelect: () => onOpen({ dialog, channel })
        }))}
      />
      <Actions actions={[REMOVE]} rows={[channel]} nameOf={nameOf} />
    </span>
  )
}
