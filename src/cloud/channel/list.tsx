// Channels of all hubs, worst first.
import { atom } from 'nanostores'
import { useLayoutEffect } from 'react'
import { type CloudChannel, listCloudChannels, openHub } from '../../../contract/cloud/calls.ts'
import { CHANNEL_VERDICTS } from '../../../contract/health.ts'
import type { Action } from '../../parts/actions.tsx'
import { type ListFilter, ResourceList } from '../../parts/resource-list.tsx'
import { channelLink } from '../../paths.ts'
import { createLiveList } from '../../state/live-list.ts'
import { useQuery } from '../../state/location.ts'
import { healthLabel } from '../../text/health.ts'
import { t } from '../../text/language.ts'
import { ElapsedTime } from '../../ui/elapsed-time.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { useStore } from '../../ui/use-store.ts'
import { open } from '../hub/store.ts'
import { ListLimits, useGroupFilter } from '../problem/list-parts.tsx'
import { TEXT } from '../problem/text.ts'
import { CHANNELS, LAST_KNOWN, NONE } from './text.ts'

/** Channels that the page loads. */
const LOADED_MAX = 1000

const $request = atom<{ count: number; key?: string }>({ count: LOADED_MAX })
const keyOf = ({ hub, id }: CloudChannel) => `${hub}/${id}`
const $channels = createLiveList({
  call: listCloudChannels,
  request: $request,
  pace: 'slowest',
  topic: 'channel',
  keyOf
})

/** The state of a channel, and whether it is current. */
export function ChannelState({ channel: { health, confirmed } }: { channel: CloudChannel }) {
  const label = healthLabel(health)
  return (
    <>
      <StatusLabel {...label} tone={confirmed ? label.tone : 'off'} />
      {!confirmed && <small className="muted"> {t(TEXT.lastKnown)}</small>}
    </>
  )
}

const COLUMNS: readonly Column<CloudChannel>[] = [
  { key: 'state', title: TEXT.state, cell: (channel) => <ChannelState channel={channel} /> },
  { key: 'name', title: TEXT.name, text: ({ name }) => name },
  { key: 'hub', title: TEXT.hub, text: (channel) => channel['hub-name'] },
  {
    key: 'since',
    title: TEXT.since,
    cell: ({ health: { since } }) => since !== undefined && <ElapsedTime since={since} />,
    hide: 'xs'
  }
]

const OPEN: Action<CloudChannel> = {
  call: openHub,
  icon: 'forward',
  verb: TEXT.open,
  single: true,
  disabledReason: ([channel]) => (channel?.online ? undefined : t(TEXT.unreachable)),
  run: async ([channel]) => channel !== undefined && open(channel.hub, channelLink(channel.id))
}

const STATE: ListFilter<CloudChannel> = {
  name: 'state',
  label: TEXT.state,
  get chips() {
    const chips = CHANNEL_VERDICTS.map((verdict) => {
      const { text, ...label } = healthLabel({ verdict })
      return { value: verdict as string, label: text, mark: <StatusLabel {...label} text="" /> }
    })
    return [...chips, { value: LAST_KNOWN, label: t(TEXT.lastKnown) }]
  },
  matches: ({ health, confirmed }, value) => (confirmed ? health.verdict : LAST_KNOWN) === value
}

export function ChannelListScreen() {
  const key = useQuery().get('key') ?? ''
  useLayoutEffect(() => $request.set({ ...$request.get(), key }), [key])
  const { items, total, response } = useStore($channels)
  return (
    <ResourceList
      store={$channels}
      settingsKey="cloud-channels"
      title={CHANNELS}
      columns={COLUMNS}
      keyOf={keyOf}
      searchTexts={({ name, hub, ...channel }) => [name, channel['hub-name'], hub]}
      filters={[STATE, ...useGroupFilter(items)]}
      emptyState={{ icon: 'channels', title: t(NONE.title), text: t(NONE.text) }}
      actions={[OPEN]}
      footer={<ListLimits shown={items.length} total={total} unlisted={response?.unlisted} />}
    />
  )
}
