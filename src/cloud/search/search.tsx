// The search over all hubs: hubs, channels and devices. The text is that of the box in the header.
import { atom } from 'nanostores'
import { type ReactNode, useLayoutEffect } from 'react'
import { openHub, searchHubs } from '../../../contract/cloud/calls.ts'
import { CallButton } from '../../parts/actions.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { channelLink, linkTo } from '../../paths.ts'
import { createLiveValue } from '../../state/live-value.ts'
import { setQuery, useQuery } from '../../state/location.ts'
import { healthLabel } from '../../text/health.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/placeholder.tsx'
import { isAtMost, useScreenSize } from '../../ui/screen-size.ts'
import { SearchBox } from '../../ui/search-box.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { ChannelState } from '../channel/list.tsx'
import { CHANNELS } from '../channel/text.ts'
import { open } from '../hub/store.ts'
import { HUBS } from '../hub/text.ts'
import { TEXT as PROBLEM_TEXT } from '../problem/text.ts'
import { SEARCH, TEXT } from './text.ts'

const $request = atom({ key: '' })
const $found = createLiveValue({ call: searchHubs, request: $request, pace: 'rare' })

interface Result {
  id: string
  name: string
  note?: string
  state: ReactNode
  hub: string
  isOnline: boolean
  /** The page of the hub's console; absent: the first one. */
  page?: string
}

const Presence = ({ isOnline }: { isOnline: boolean }) => (
  <StatusLabel {...healthLabel({ verdict: isOnline ? 'online' : 'offline' })} />
)

function Results({ title, results }: { title: string; results: readonly Result[] }) {
  if (results.length === 0) return null
  return (
    <Card title={title} note={String(results.length)}>
      <ul className="lines">
        {results.map(({ id, name, note, state, hub, isOnline, page }) => (
          <li key={id}>
            <span className="cut">
              {name} <small className="muted">{note}</small>
            </span>
            {state}
            <CallButton
              call={openHub}
              iconOnly
              icon="forward"
              label={t(PROBLEM_TEXT.open, name)}
              disabledReason={isOnline ? '' : t(PROBLEM_TEXT.unreachable)}
              onClick={() => open(hub, page)}
            />
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Small screens have no box in the header. */
export function SearchScreen() {
  const text = useQuery().get('for') ?? ''
  const key = text.trim()
  return (
    <div className="stack">
      {isAtMost(useScreenSize(), 'xs') && (
        <SearchBox label={t(SEARCH)} value={text} onSearch={(typed) => setQuery({ for: typed })} />
      )}
      {key ? <Found key={key} text={key} /> : <EmptyState icon="search" title={t(TEXT.start)} />}
    </div>
  )
}

function Found({ text }: { text: string }) {
  useLayoutEffect(() => $request.set({ key: text }), [text])
  const { value } = useStore($found)
  const placeholder = usePlaceholder($found, !value, null)
  if (!value || $request.get().key !== text) return placeholder
  const { hubs, channels, devices, unanswered } = value
  const isEmpty = hubs.length + channels.length + devices.length === 0
  const names = unanswered.map((hub) => hub['hub-name']).join(', ')
  return (
    <>
      {isEmpty && <EmptyState icon="search" title={t(TEXT.none)} />}
      <Results
        title={t(HUBS)}
        results={hubs.map(({ sn, name, online }) => ({
          ...{ id: sn, hub: sn, name, note: sn, isOnline: online, state: <Presence isOnline={online} /> }
        }))}
      />
      <Results
        title={t(CHANNELS)}
        results={channels.map((channel) => ({
          id: `${channel.hub}/${channel.id}`,
          ...{ hub: channel.hub, name: channel.name, note: channel['hub-name'], isOnline: channel.online },
          state: <ChannelState channel={channel} />,
          page: channelLink(channel.id)
        }))}
      />
      <Results
        title={t(TEXT.devices)}
        results={devices.map(({ sn, name, online, hub, 'hub-name': hubName }) => ({
          ...{ id: `${hub}/${sn}`, hub, name, note: `${sn}, ${hubName}`, isOnline: true },
          state: <Presence isOnline={online} />,
          page: linkTo('deviceDetail', { sn, catalog: '0' })
        }))}
      />
      {names && <p className="muted">{t(TEXT.unanswered, names)}</p>}
    </>
  )
}
