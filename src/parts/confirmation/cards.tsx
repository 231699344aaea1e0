// Cards about a change of the machine that the hub undoes without a confirmation: the change that waits for it, and the
// one that was undone.
import type { ReactNode } from 'react'
import type { Call, Envelope } from '../../../contract/call.ts'
import { sendOverFreshConnection } from '../../link/fresh-connection.ts'
import { mutate } from '../../state/mutations.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { hubNow, useSecondsUntil } from '../../ui/clock.ts'
import { CallButton } from '../actions.tsx'
import { TEXT } from './text.ts'

/** Milliseconds for which a page shows that a change was undone. */
const OUTCOME_SHOWN = 3_600_000

interface WaitingCardProps {
  call: ConfirmCall
  /** Name of the changed interface, or of the firewall. */
  subject: string
  /** Name of the user who changed it. */
  by: string
  /** When the hub undoes the change, in milliseconds since the epoch. */
  deadline: number
  /** What helps to decide. */
  children?: ReactNode
}

export function WaitingCard({ call, subject, by, deadline, children }: WaitingCardProps) {
  const seconds = useSecondsUntil(deadline)
  const confirm = (keep: boolean) => confirmChange(call, subject, keep)
  return (
    <Card title={t(TEXT.keepQuestion, subject)} fullWidth>
      <p role="timer">{t(TEXT.keepText, seconds)}</p>
      {children}
      <p className="muted">{t(TEXT.changedBy, by)}</p>
      <p className="row">
        <CallButton call={call} kind="main" label={t(TEXT.keep)} onClick={() => confirm(true)} />
        <CallButton call={call} label={t(TEXT.undo)} onClick={() => confirm(false)} />
      </p>
    </Card>
  )
}

/** A change that the hub undoes now. It can no longer be kept. */
export function UndoingCard({ subject, by }: Pick<WaitingCardProps, 'subject' | 'by'>) {
  return (
    <Card title={t(TEXT.restoring, subject)} fullWidth>
      <p className="muted">{t(TEXT.changedBy, by)}</p>
    </Card>
  )
}

/** How the last change ended. */
interface Outcome {
  /** Milliseconds since the epoch. */
  time: number
  by: string
  outcome: 'kept' | 'undone'
  /** Why it was undone. */
  text?: string
  detail?: string
  /** It is not known whether the previous settings are in effect. */
  unverified?: true
}

interface UndoneCardProps {
  call: ConfirmCall
  subject: string
  last: Outcome | undefined
  /** Shows the requested settings again. Absent if they are unknown. */
  onTryAgain: (() => void) | undefined
}

/** Shown for an hour after a change was undone. */
export function UndoneCard({ call, subject, last, onTryAgain }: UndoneCardProps) {
  if (last?.outcome !== 'undone' || hubNow() - last.time > OUTCOME_SHOWN) return null
  const { by, text = '', detail, unverified } = last
  return (
    <Card title={t(unverified ? TEXT.notKept : TEXT.undone, subject, text)} fullWidth>
      <div role="status">
        <p>{t(unverified ? TEXT.notKeptText : TEXT.undoneText)}</p>
        {detail && <p className="muted">{detail}</p>}
      </div>
      <p className="muted">{t(TEXT.changedBy, by)}</p>
      {onTryAgain && (
        <p className="row">
          <CallButton call={call} label={t(TEXT.tryAgain)} onClick={onTryAgain} />
        </p>
      )}
    </Card>
  )
}

/** A call that keeps the waiting change, or undoes it. */
type ConfirmCall = Call<{ keep?: boolean }, unknown>

/** @param subject name of the changed interface, or of the firewall */
const confirmChange = (call: ConfirmCall, subject: string, keep: boolean): Promise<Envelope> =>
  mutate(sendOverFreshConnection(call, { keep }), {
    success: { text: keep ? TEXT.kept : TEXT.restoring, names: [subject] },
    attempt: call.path
  })
