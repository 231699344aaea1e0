// The page of a channel: the verdict, the signal path, and below it statistics, log, ingest keys and clients.
import { useLayoutEffect } from 'react'
import { NOT_EXIST } from '../../../contract/codes.ts'
import { Actions } from '../../parts/actions.tsx'
import { nextChangeText } from '../../parts/channel/channel-state.ts'
import { WatchLink } from '../../parts/channel/watch-link.tsx'
import { DeletedState, leadingTo, useWasSeen } from '../../parts/deleted-state.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { linkTo } from '../../paths.ts'
import { useParams } from '../../state/location.ts'
import { usePageTitle } from '../../state/title.ts'
import { t } from '../../text/language.ts'
import { EmptyState } from '../../ui/placeholder.tsx'
import { useStore } from '../../ui/use-store.ts'
import { DIALOG_ACTIONS, REMOVE, START, STOP } from './actions.tsx'
import { LowerCards } from './lower-cards.tsx'
import { SignalPath } from './path/signal-path.tsx'
import { VerdictBanner } from './path/verdict.tsx'
import { PortFaults } from './ports.tsx'
import { $channel, $channelId, nameOf } from './store.ts'
import * as TEXT from './text.ts'

const REMOVE_HERE = leadingTo(linkTo('channels'), REMOVE)

export function ChannelDetailScreen() {
  const id = Number(useParams().channelId)
  useLayoutEffect(() => $channelId.set(id))
  const { value, code } = useStore($channel)
  const channel = value?.channel.id === id ? value.channel : undefined
  const placeholder = usePlaceholder($channel, !channel, null)
  usePageTitle(code === NOT_EXIST ? undefined : channel?.name)
  const wasSeen = useWasSeen(channel !== undefined)
  if (code === NOT_EXIST && wasSeen) return <DeletedState icon="channels" list={linkTo('channels')} />
  if (code === NOT_EXIST) return <EmptyState icon="channels" title={t(TEXT.unknown)} />
  if (!channel) return <>{placeholder}</>
  const nextChange = nextChangeText(channel)
  return (
    <div className="stack">
      <PortFaults />
      <VerdictBanner channel={channel}>
        <WatchLink channel={channel} />
        <Actions
          actions={[START, STOP].filter(({ isApplicable }) => isApplicable?.(channel))}
          menuActions={[...DIALOG_ACTIONS, REMOVE_HERE]}
          rows={[channel]}
          nameOf={nameOf}
          countText={TEXT.itemCount}
        />
      </VerdictBanner>
      {nextChange && (
        <p>
          {nextChange}. <small className="muted">{t(TEXT.byHand)}</small>
        </p>
      )}
      <SignalPath channel={channel} />
      <LowerCards channel={channel} />
    </div>
  )
}
