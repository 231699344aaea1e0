// The change that waits for its confirmation, and how the last one ended.
import {
  confirmNetwork,
  type NetworkChange,
  type NetworkList,
  type NetworkOutcome
} from '../../../contract/machine/network.ts'
import { CallButton } from '../../parts/actions.tsx'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { hubNow } from '../../ui/clock.ts'
import { useSecondsUntil } from '../../ui/seconds-until.ts'
import { useStore } from '../../ui/use-store.ts'
import { $followed, type FollowedChange } from './follow.ts'
import { confirmChange } from './store.ts'
import { TEXT } from './text.ts'

/** Milliseconds for which the page shows that a change was undone. */
const OUTCOME_SHOWN = 3_600_000

interface ChangeBannerProps {
  value: NetworkList
  /** When the list arrived, in milliseconds since the epoch. */
  updatedAt: number
  onTryAgain: (outcome: NetworkOutcome) => void
}

export function ChangeBanner({ value: { change, last }, updatedAt, onTryAgain }: ChangeBannerProps) {
  const followed = useStore($followed)
  if (change?.state === 'waiting') {
    const deadline = updatedAt + change['seconds-left'] * 1000
    return <WaitingCard change={change} deadline={deadline} />
  }
  // The list is of before the change until the hub answers again.
  if (followed && !(last && last.time > followed.deadline - 61_000)) return <ApplyingCard followed={followed} />
  if (last?.outcome !== 'undone' || hubNow() - last.time > OUTCOME_SHOWN) return null
  return (
    <Card title={t(TEXT.undone, last.iface, last.text ?? '')} fullWidth>
      <div role="status">
        <p>{t(TEXT.undoneText)}</p>
        {last.detail && <p className="muted">{last.detail}</p>}
        <p className="row">
          <CallButton call={confirmNetwork} label={t(TEXT.tryAgain)} onClick={() => onTryAgain(last)} />
        </p>
      </div>
    </Card>
  )
}

function ApplyingCard({ followed: { change, url, deadline } }: { followed: FollowedChange }) {
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

function WaitingCard({ change: { iface }, deadline }: { change: NetworkChange; deadline: number }) {
  const seconds = useSecondsUntil(deadline)
  return (
    <Card title={t(TEXT.keepQuestion, iface)} fullWidth>
      <p role="timer">{t(TEXT.keepText, seconds)}</p>
      <p className="row">
        <CallButton call={confirmNetwork} kind="main" label={t(TEXT.keep)} onClick={() => confirmChange(iface, true)} />
        <CallButton call={confirmNetwork} label={t(TEXT.undo)} onClick={() => confirmChange(iface, false)} />
      </p>
    </Card>
  )
}
