// Cards about changes: edited settings with their effect, a change that waits for its confirmation, and how the last one ended.
import { FIREWALL_CONFIRM_SECONDS } from '../../../contract/limits.ts'
import {
  confirmFirewall,
  type FirewallChange,
  type FirewallOutcome,
  type FirewallSettings,
  type FirewallState,
  setFirewall
} from '../../../contract/machine/firewall/firewall.ts'
import { CallButton } from '../../parts/actions.tsx'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { hubNow } from '../../ui/clock.ts'
import { useSecondsUntil } from '../../ui/seconds-until.ts'
import { describeChange } from './port-text.ts'
import { $draft, applySettings, confirmChange } from './store.ts'
import { TEXT } from './text.ts'

/** Milliseconds for which the page shows that a change was undone. */
const OUTCOME_SHOWN = 3_600_000

export function DraftCard({ state, draft }: { state: FirewallState; draft: FirewallSettings }) {
  const { effects, warnings } = describeChange(state, draft, state.ports)
  return (
    <Card title={t(TEXT.draft)} fullWidth>
      <div role="status">
        {effects.map((effect) => (
          <p key={effect}>{effect}</p>
        ))}
        {warnings.map((warning) => (
          <p className="fault" key={warning}>
            {warning}
          </p>
        ))}
      </div>
      <p className="muted">{t(TEXT.confirmHint, FIREWALL_CONFIRM_SECONDS)}</p>
      <p className="row">
        <CallButton call={setFirewall} kind="main" label={t(TEXT.apply)} onClick={() => applySettings(draft)} />
        <Button label={t(TEXT.discard)} onClick={() => $draft.set(undefined)} />
      </p>
    </Card>
  )
}

/** Settings that the kernel does not have. */
export function DifferentCard({ state }: { state: FirewallState }) {
  return (
    <Card title={t(TEXT.different)} fullWidth>
      <p className="fault">{t(TEXT.differentText)}</p>
      <p className="row">
        <CallButton call={setFirewall} label={t(TEXT.applyAgain)} onClick={() => applySettings(state)} />
      </p>
    </Card>
  )
}

/** @param updatedAt when the state arrived, in milliseconds since the epoch */
export function WaitingCard({ change, updatedAt }: { change: FirewallChange; updatedAt: number }) {
  const seconds = useSecondsUntil(updatedAt + change['seconds-left'] * 1000)
  return (
    <Card title={t(TEXT.keepQuestion, t(TEXT.theFirewall))} fullWidth>
      <p role="timer">{t(TEXT.keepText, seconds)}</p>
      <p className="muted">{t(TEXT.changedBy, change.by)}</p>
      <p className="row">
        <CallButton call={confirmFirewall} kind="main" label={t(TEXT.keep)} onClick={() => confirmChange(true)} />
        <CallButton call={confirmFirewall} label={t(TEXT.undo)} onClick={() => confirmChange(false)} />
      </p>
    </Card>
  )
}

export function UndoneCard({ last }: { last: FirewallOutcome | undefined }) {
  if (last?.outcome !== 'undone' || hubNow() - last.time > OUTCOME_SHOWN) return null
  const { by, text = '', request } = last
  return (
    <Card title={t(TEXT.undone, t(TEXT.theFirewall), text)} fullWidth>
      <p role="status">{t(TEXT.undoneText)}</p>
      <p className="muted">{t(TEXT.changedBy, by)}</p>
      {request && (
        <p className="row">
          <CallButton call={setFirewall} label={t(TEXT.tryAgain)} onClick={() => $draft.set(request)} />
        </p>
      )}
    </Card>
  )
}
