// List of channels: state, input, bit rate, uptime and outputs of each.
import { CHANNEL_VERDICTS } from '../../../contract/health.ts'
import { addChannel, type Channel } from '../../../contract/stream/channel.ts'
import { channelHealth } from '../../other-hubs.ts'
import { ChannelLink } from '../../parts/channel/channel-link.tsx'
import { inputOnAir } from '../../parts/channel/channel-picture.tsx'
import { isOnAir, nextChangeText, outputsText } from '../../parts/channel/channel-state.ts'
import { TileContent } from '../../parts/channel/health-tile.tsx'
import { stateFilter } from '../../parts/channel/state-filter.tsx'
import { WatchLink } from '../../parts/channel/watch-link.tsx'
import { HealthState } from '../../parts/health-state.tsx'
import { $limitReasons } from '../../parts/license-limits.ts'
import { useQueryRequest } from '../../parts/query-request.ts'
import { ResourceList } from '../../parts/resource-list.tsx'
import { SavedViews } from '../../parts/saved-views.tsx'
import { useTagColumn, useTagFilter } from '../../parts/tag/tags.tsx'
import { upSince } from '../../parts/uptime.ts'
import { useListView } from '../../parts/view-toggle.tsx'
import { linkTo } from '../../paths.ts'
import { $channels } from '../../state/channels.ts'
import { $isAllowed } from '../../state/session.ts'
import { healthLabel } from '../../text/health.ts'
import { t } from '../../text/language.ts'
import { alignedBitRate } from '../../text/numbers.ts'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { PhoneFold } from '../../ui/phone-fold.tsx'
import { isAtMost, useScreenSize } from '../../ui/screen-size.ts'
import type { Column } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { DIALOG_ACTIONS, EDIT, REMOVE, START, STOP } from './actions.tsx'
import { AddChannelDialog } from './add-dialog.tsx'
import { OutputList } from './outputs.tsx'
import { PortButton, PortFaults } from './ports.tsx'
import { inputName, nameOf } from './store.ts'
import * as TEXT from './text.ts'

const COLUMNS: readonly Column<Channel>[] = [
  {
    key: 'name',
    title: TEXT.name,
    cell: (channel) => <ChannelLink {...channel} />,
    sort: nameOf
  },
  {
    key: 'state',
    title: TEXT.state,
    cell: (channel) => (
      <>
        <HealthState health={channelHealth(channel)} />
        <small className="cut muted">{nextChangeText(channel)}</small>
      </>
    ),
    sort: (channel) => CHANNEL_VERDICTS.indexOf(channelHealth(channel).verdict)
  },
  {
    key: 'input',
    title: TEXT.input,
    text: (channel) => inputName(inputOnAir(channel)),
    hide: 'xs'
  },
  {
    key: 'rate',
    title: TEXT.rate,
    align: 'end',
    cell: (channel) => (isOnAir(channel) ? alignedBitRate(channel.kbps) : '–'),
    sort: (channel) => channel.kbps
  },
  {
    key: 'up-time',
    title: TEXT.upTime,
    align: 'end',
    // Counts on between two responses of the hub.
    cell: (channel) => (isOnAir(channel) ? <ElapsedTime since={upSince(channel)} /> : '–'),
    sort: (channel) => channel['living-time-s'],
    hide: 'xs'
  },
  {
    key: 'outputs',
    title: TEXT.outputs,
    align: 'end',
    text: (channel) => outputsText(channel, true),
    sort: (channel) => channel.outputs.total
  }
]

/** A count, with the limit of the licence if there is one. */
const countOfLimit = (used = 0, limit = 0) => (limit ? `${used}/${limit}` : used)

export function ChannelListScreen() {
  const isAllowed = useStore($isAllowed)
  useQueryRequest(
    'add',
    (kind) => kind === 'channel' && isAllowed(addChannel),
    () => void openDialog(AddChannelDialog)
  )
  // On a phone, state, bit rate and actions of a row do not fit side by side.
  const [view, viewButtons] = useListView('channels', isAtMost('xxs', useScreenSize()) ? 'view' : 'list')
  const { items, total, response: reply } = useStore($channels)
  return (
    <>
      <PortFaults />
      <ResourceList
        store={$channels}
        settingsKey="channels"
        isCompact={view === 'compact'}
        keepsSorting
        title={TEXT.title}
        columns={useTagColumn(COLUMNS, items)}
        sorting={{ key: 'name', order: 'ascending' }}
        // The search matches the names of the channel, its input and its outputs, and the state.
        searchTexts={(channel) => [
          channel.name,
          healthLabel(channelHealth(channel)).text,
          channel.input?.name,
          ...channel.outputs.list.map(nameOf)
        ]}
        filters={[stateFilter(), ...useTagFilter(items)]}
        addAction={{
          call: addChannel,
          verb: TEXT.add,
          disabledReason: useStore($limitReasons)('max-channel-count'),
          onClick: () => openDialog(AddChannelDialog)
        }}
        toolbar={
          <PhoneFold>
            {viewButtons}
            <SavedViews list="channels" display={view} />
            <a className="button" href={`#${linkTo('channelCalendar')}`}>
              {t(TEXT.calendar)}
            </a>
            <PortButton name="srt" />
            <PortButton name="rtmp" />
          </PhoneFold>
        }
        footer={
          // The counts of all channels are absent for users who do not see all of them.
          reply?.['output-num'] !== undefined && (
            <div className="pager">
              {t(
                TEXT.counts,
                countOfLimit(total, reply['limit-create-num']),
                countOfLimit(reply['enable-num'], reply['limit-num']),
                reply['live-num'],
                countOfLimit(reply['output-num'], reply['limit-output-num']),
                countOfLimit(reply['srt-num'], reply['limit-srt-num'])
              )}
            </div>
          )
        }
        emptyState={{ icon: 'channels', title: t(TEXT.empty), text: t(TEXT.emptyText) }}
        trash="channel"
        actions={[START, STOP]}
        menuActions={[...DIALOG_ACTIONS, REMOVE]}
        bulkActions={[START, STOP, EDIT, REMOVE]}
        details={(channel) => (
          <div className="path-column">
            <OutputList channel={channel} />
          </div>
        )}
        renderTile={
          view === 'view' &&
          ((channel, actions) => (
            <TileContent channel={channel}>
              <WatchLink channel={channel} iconOnly />
              {actions}
            </TileContent>
          ))
        }
        captionHeight={144}
      />
    </>
  )
}
