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
import { livedSince } from '../../parts/lived.ts'
import { setQuery, useQuery } from '../../state/location.ts'
import { $may } from '../../state/session.ts'
import { codeText } from '../../text/codes.ts'
import { t } from '../../text/language.ts'
import { bitRate } from '../../text/numbers.ts'
import { legWord } from '../../text/states.ts'
import { Button } from '../../ui/button.tsx'
import { Denied, Empty, Failed, Skeleton } from '../../ui/condition.tsx'
import { confirm } from '../../ui/confirm.tsx'
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
  { key: 'name', title: TEXT.name, cell: (channel) => channel.name, sort: (channel) => channel.name },
  {
    key: 'state',
    title: TEXT.state,
    cell: (channel) => <ChannelState channel={channel} />,
    sort: (channel) => (channel.config.enable ? channel.state : -1)
  },
  {
    key: 'input',
    title: TEXT.input,
    cell: (channel) => channel.input?.name ?? t(TEXT.noInput),
    sort: (channel) => channel.input?.name ?? '',
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
  const may = useStore($may)
  const [open, setOpen] = useState<Open>()
  const key = useQuery().get('key') ?? ''
  const rows = state.items.filter((channel) => channel.name.toLowerCase().includes(key.toLowerCase()))
  const close = () => setOpen(undefined)
  const why = (allowed: boolean) => (allowed ? undefined : t(TEXT.noPermission))
  const mayAdd = may(addChannel)
  const add = (
    <Button
      kind="main"
      icon="plus"
      label={t(TEXT.add)}
      disabled={!mayAdd}
      tip={why(mayAdd)}
      onClick={() => setOpen({ dialog: 'add' })}
    />
  )

  const instead = () => {
    if (rows.length > 0) return undefined
    if (state.phase === 'denied') return <Denied />
    if (state.phase === 'failed') return <Failed text={codeText(state.code)} onRetry={() => void $channels.refresh()} />
    if (state.phase === 'loading') return <Skeleton />
    if (key) return <Empty icon="search" title={t(TEXT.noneFound)} />
    return (
      <Empty icon="channels" title={t(TEXT.empty)} text={t(TEXT.emptyText)}>
        {mayAdd && add}
      </Empty>
    )
  }

  const { reply } = state
  return (
    <>
      <Table
        list="channels"
        label={t(TEXT.title)}
        columns={COLUMNS}
        rows={rows}
        keyOf={(channel) => channel.id}
        nameOf={(channel) => channel.name}
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
        actions={(chosen, clear) => <ChosenActions channels={chosen} onDone={clear} />}
        rowActions={(channel) => <RowActions channel={channel} onOpen={setOpen} />}
        details={(channel) => (
          <OutputList channel={channel} onAdd={() => setOpen({ dialog: 'output', channel })} mayAdd={may(addOutput)} />
        )}
        instead={instead()}
      />
      {open?.dialog === 'add' && <ChannelDialog onClose={close} />}
      {open?.dialog === 'rename' && <RenameDialog channel={open.channel} onClose={close} />}
      {open?.dialog === 'input' && <InputDialog channel={open.channel} onClose={close} />}
      {open?.dialog === 'output' && <OutputDialog channel={open.channel} onClose={close} />}
    </>
  )
}

/** Stopping takes the picture from people: it asks where somebody is watching. */
async function stop(channels: readonly Channel[]): Promise<boolean> {
  const [first] = channels
  const watched = channels.some((channel) => channel['conn-num'] > 0)
  const what = channels.length > 1 ? t(TEXT.these, channels.length) : (first?.name ?? '')
  const verb = channels.length > 1 ? t(TEXT.stopMany, channels.length) : t(TEXT.stop)
  if (watched && !(await confirm({ title: t(TEXT.stopTitle, what), text: t(TEXT.stopText), verb, danger: true })))
    return false
  return (await enable(idsOf(channels), false)).result === 0
}

async function remove(channels: readonly Channel[]): Promise<boolean> {
  const [first] = channels
  const several = channels.length > 1
  const agreed = await confirm({
    title: t(TEXT.removeTitle, several ? t(TEXT.these, channels.length) : (first?.name ?? '')),
    text: t(TEXT.removeText),
    verb: several ? t(TEXT.removeMany, channels.length) : t(TEXT.remove),
    danger: true
  })
  return agreed && (await removeChannels(idsOf(channels))).result === 0
}

const idsOf = (channels: readonly Channel[]) => channels.map((channel) => channel.id)

function RowActions({ channel, onOpen }: { channel: Channel; onOpen: (open: Open) => void }) {
  const may = useStore($may)
  const [busy, setBusy] = useState(false)
  const running = channel.config.enable
  const mayControl = may(enableChannel)
  const toggle = async () => {
    setBusy(true)
    await (running ? stop([channel]) : enable([channel.id], true))
    setBusy(false)
  }
  return (
    <span className="row-actions">
      <Button
        bare
        icon={running ? 'stop' : 'play'}
        label={`${t(running ? TEXT.stop : TEXT.start)}: ${channel.name}`}
        busy={busy}
        disabled={!mayControl}
        tip={mayControl ? undefined : t(TEXT.noPermission)}
        onClick={() => void toggle()}
      />
      <MenuButton
        bare
        label={`${t(TEXT.more)}: ${channel.name}`}
        items={[
          {
            label: t(TEXT.setInput),
            icon: 'input',
            disabled: !may(setChannelInput),
            onSelect: () => onOpen({ dialog: 'input', channel })
          },
          {
            label: t(TEXT.addOutput),
            icon: 'output',
            disabled: !may(addOutput),
            onSelect: () => onOpen({ dialog: 'output', channel })
          },
          {
            label: t(TEXT.edit),
            icon: 'edit',
            disabled: !may(setChannel),
            onSelect: () => onOpen({ dialog: 'rename', channel })
          },
          {
            label: t(TEXT.remove),
            icon: 'delete',
            danger: true,
            disabled: !may(deleteChannels),
            onSelect: () => void remove([channel])
          }
        ]}
      />
    </span>
  )
}

function ChosenActions({ channels, onDone }: { channels: readonly Channel[]; onDone: () => void }) {
  const may = useStore($may)
  const ends = async (work: Promise<boolean>) => {
    if (await work) onDone()
  }
  const count = channels.length
  const control = may(enableChannel)
  const edit = may(deleteChannels)
  const why = (allowed: boolean) => (allowed ? undefined : t(TEXT.noPermission))
  return (
    <>
      <Button
        icon="play"
        label={t(TEXT.startMany, count)}
        disabled={!control}
        tip={why(control)}
        onClick={() => void ends(enable(idsOf(channels), true).then((reply) => reply.result === 0))}
      />
      <Button
        icon="stop"
        label={t(TEXT.stopMany, count)}
        disabled={!control}
        tip={why(control)}
        onClick={() => void ends(stop(channels))}
      />
      <Button
        icon="delete"
        kind="danger"
        label={t(TEXT.removeMany, count)}
        disabled={!edit}
        tip={why(edit)}
        onClick={() => void ends(remove(channels))}
      />
    </>
  )
}
