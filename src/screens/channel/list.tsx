// Channels: what each takes, where it sends it, and what is really carried now.
import { addChannel, type Channel } from '../../../contract/stream/channel.ts'
import { Rows } from '../../parts/resource-list.tsx'
import { livedSince } from '../../parts/uptime.ts'
import { usePictures } from '../../parts/view-toggle.tsx'
import { $channels } from '../../state/channels.ts'
import { t } from '../../text/language.ts'
import { bitRate } from '../../text/numbers.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { Since } from '../../ui/since.tsx'
import { State } from '../../ui/state.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { addOutputTo, OPENS, REMOVE, START, STOP } from './actions.tsx'
import { ChannelDialog } from './add-dialog.tsx'
import { OutputList } from './outputs.tsx'
import { PortButton, PortFaults } from './ports.tsx'
import { inputName, isLive, wordOf } from './status.ts'
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
  const { total, reply } = useStore($channels)
  return (
    <>
      <PortFaults />
      <Rows
        of={$channels}
        list="channels"
        title={TEXT.title}
        columns={COLUMNS}
        sorting={{ key: 'name', order: 'ascending' }}
        // By its own name, its state, and the names of what it takes and gives.
        says={(channel) => [
          channel.name,
          wordOf(channel).text,
          channel.input?.name,
          ...channel.outputs.list.map(nameOf)
        ]}
        adding={{
          call: addChannel,
          verb: TEXT.add,
          onAct: () => openDialog(ChannelDialog)
        }}
        tools={
          <>
            {turn}
            <PortButton name="srt" />
            <PortButton name="rtmp" />
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
        }
        none={{ icon: 'channels', title: t(TEXT.empty), text: t(TEXT.emptyText) }}
        acts={[START, STOP, REMOVE]}
        more={OPENS}
        bar={[START, STOP, REMOVE]}
        details={(channel) => <OutputList channel={channel} onAdd={() => addOutputTo(channel)} />}
        tile={pictures && ((channel, actions) => <ChannelTile channel={channel}>{actions}</ChannelTile>)}
      />
    </>
  )
}
