// The change that waits for its confirmation, and how the last one ended.
import {
  confirmNetwork,
  type NetworkCheck,
  type NetworkList,
  type NetworkOutcome
} from '../../../contract/machine/network.ts'
import { UndoingCard, UndoneCard, WaitingCard } from '../../parts/confirmation/cards.tsx'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { useSecondsUntil } from '../../ui/clock.ts'
import { DescriptionList } from '../../ui/description-list.tsx'
import { StateLabel } from '../../ui/state-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $followed, type FollowedChange } from './follow.ts'
import { TEXT } from './text.ts'

interface ChangeBannerProps {
  value: NetworkList
  /** When the list arrived, in milliseconds since the epoch. */
  updatedAt: number
  /** Absent while the hub accepts no change. */
  onTryAgain?: (outcome: NetworkOutcome) => void
}

export function ChangeBanner({ value: { change, last }, updatedAt, onTryAgain }: ChangeBannerProps) {
  const followed = useStore($followed)
  const deadline = updatedAt + (change?.['seconds-left'] ?? 0) * 1000
  if (change?.state === 'undoing') return <UndoingCard subject={change.iface} by={change.by} />
  if (change?.state === 'waiting')
    return (
      <WaitingCard call={confirmNetwork} subject={change.iface} by={change.by} deadline={deadline}>
        <Checks list={change.checks ?? []} />
      </WaitingCard>
    )
  // The list is of before the change until the hub answers again.
  if (followed && last?.time === followed.formerOutcome) return <ApplyingCard {...followed} />
  // Another page has requested it, or this one before it was reloaded.
  if (change) return <ApplyingCard change={change} deadline={deadline} />
  if (!last) return null
  return (
    <UndoneCard
      call={confirmNetwork}
      subject={last.iface}
      last={last}
      onTryAgain={onTryAgain && (() => onTryAgain(last))}
    />
  )
}

const CHECK_STATES = {
  asking: ['off', TEXT.asking],
  answers: ['good', TEXT.answers],
  silent: ['bad', TEXT.silent]
} as const

const CHECK_KINDS = { gateway: TEXT.gateway, dns: TEXT.dns, time: TEXT.timeServer } as const

/** What the machine reaches with the new settings. */
function Checks({ list }: { list: readonly NetworkCheck[] }) {
  const gateways = list.filter(({ kind, state }) => kind === 'gateway' && state === 'silent')
  return (
    <>
      <DescriptionList
        items={list.map(({ kind, address, state }) => [
          `${t(CHECK_KINDS[kind])} ${address}`,
          <StateLabel key={address} state={CHECK_STATES[state]} />
        ])}
      />
      {gateways.map(({ address }) => (
        <p key={address} className="fault" role="alert">
          {t(TEXT.gatewaySilent, address)}
        </p>
      ))}
    </>
  )
}

function ApplyingCard({ change, url, deadline }: Omit<FollowedChange, 'formerOutcome'>) {
  const seconds = useSecondsUntil(deadline)
  return (
    <Card title={t(TEXT.applying, change.iface)} fullWidth>
      <p>{t(TEXT.applyingText, seconds)}</p>
      {url ? (
        <p>
          {t(TEXT.following, change.ipaddr)} <a href={url}>{t(TEXT.openNew, change.ipaddr)}</a>
        </p>
      ) : (
        !change.ipaddr && <p>{t(TEXT.newByDhcp)}</p>
      )}
    </Card>
  )
}
