// The timelines of all channels that the user may see, or of one of them.
import { TimelineCard } from '../../parts/channel/timeline.tsx'
import { linkTo } from '../../paths.ts'
import { $channels } from '../../state/channels.ts'
import { setQuery, useQuery } from '../../state/location.ts'
import { type Translation, t } from '../../text/language.ts'
import { useStore } from '../../ui/use-store.ts'

const TEXT = {
  channel: ['Channel', '频道'],
  all: ['All channels', '全部频道']
} as const satisfies Record<string, Translation>

export function Timelines() {
  const selected = useQuery().get('channel') ?? ''
  const { items } = useStore($channels)
  const id = Number(selected)
  const channel = items.find((each) => each.id === id)
  return (
    <TimelineCard
      key={selected}
      // Of a channel that the user does not see the hub says that it does not exist.
      channel={selected ? (channel ?? { id, name: selected }) : undefined}
      linkOf={(filter) => linkTo('problems', { tab: 'timeline', channel: selected, ...filter })}
    >
      <select
        aria-label={t(TEXT.channel)}
        value={selected}
        onChange={({ currentTarget }) => setQuery({ channel: currentTarget.value })}
      >
        <option value="">{t(TEXT.all)}</option>
        {selected && !channel && <option value={selected}>{selected}</option>}
        {items.map(({ id: each, name }) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </TimelineCard>
  )
}
