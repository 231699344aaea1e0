// List of channels: state, input, bit rate, uptime and outputs of each.
import { addChannel, type Channel } from '../../../contract/stream/channel.ts'
import { ResourceList } from '../../parts/resource-list.tsx'
import { upSince } from '../../parts/uptime.ts'
import { useTileView } from '../../parts/view-toggle.tsx'
import { $channels } from '../../state/channels.ts'
import { t } from '../../text/language.ts'
import { bitRate } from '../../text/numbers.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { DIALOG_ACTIONS, openOutputDialog, REMOVE, START, STOP } from './actions.tsx'
import { AddChannelDialog } from './add-dialog.tsx'
import { OutputList } from './outputs.tsx'
import { PortButton, PortFaults } from './ports.tsx'
import { channelState, inputName, isLive } from './status.ts'
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
    cell: (channel) => <StatusLabel {...channelState(channel)} tooltip={channel.input?.reason} />,
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
    // Counts on between two responses of the hub.
    cell: (channel) => (isLive(channel) ? <ElapsedTime since={upSince(channel)} /> : '–'),
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

/** A count, with the limit of the licence if there is one. */
const countOfLimit = (used = 0, limit = 0) => (limit ? `${used}/${limit}` : used)

export function ChannelListScreen() {
  const [isTileView, viewToggle] = useTileView('channels')
  const { total, response: reply } = useStore($channels)
  return (
    <>
      <PortFaults />
      <ResourceList
        store={$channels}
        settingsKey="channels"
        title={TEXT.title}
        columns={COLUMNS}
        sorting={{ key: 'name', order: 'ascending' }}
        // The search matches the names of the channel, its input and its outputs, and the state.
        searchTexts={(channel) => [
          channel.name,
          channelState(channel).text,
          channel.input?.name,
          ...channel.outputs.list.map(nameOf)
        ]}
        addAction={{
          call: addChannel,
          verb: TEXT.add,
          onClick: () => openDialog(AddChannelDialog)
        }}
        toolbar={
          <>
            {viewToggle}
            <PortButton name="srt" />
            <PortButton name="rtmp" />
            {reply && (
              <span className="muted">
                {t(
                  TEXT.counts,
                  countOfLimit(total, reply['limit-create-num']),
                  countOfLimit(reply['enable-num'], reply['limit-num']),
                  reply['live-num'],
                  countOfLimit(reply['output-num'], reply['limit-output-num']),
                  countOfLimit(reply['srt-num'], reply['limit-srt-num'])
                )}
              </span>
            )}
          </>
        }
        emptyState={{ icon: 'channels', title: t(TEXT.empty), text: t(TEXT.emptyText) }}
        actions={[START, STOP, REMOVE]}
        menuActions={DIALOG_ACTIONS}
        bulkActions={[START, STOP, REMOVE]}
        details={(channel) => <OutputList channel={channel} onAdd={() => openOutputDialog(channel)} />}
        renderTile={isTileView && ((channel, actions) => <ChannelTile channel={channel}>{actions}</ChannelTile>)}
      />
    </>
  )
}
