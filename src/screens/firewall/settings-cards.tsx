// Cards about settings that are not in effect: edited ones with their effect, and those that the kernel does not have.
import { FIREWALL_CONFIRM_SECONDS } from '../../../contract/limits.ts'
import { type FirewallState, setFirewall } from '../../../contract/machine/firewall/firewall.ts'
import { CallButton } from '../../parts/actions.tsx'
import { useSaveTogether } from '../../parts/settings/save-together.tsx'
import { t } from '../../text/language.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { describeChange } from './port-text.ts'
import { $draft, applySettings, editSettings, type FirewallDraft } from './store.ts'
import { TEXT } from './text.ts'

export function DraftCard({ state, draft }: { state: FirewallState; draft: FirewallDraft }) {
  const { effects, warnings } = describeChange(state, draft, state.ports)
  const { revision } = state
  const outdated = draft.revision === revision ? undefined : t(TEXT.outdated)
  useSaveTogether(
    { title: t(TEXT.firewall), save: () => applySettings(draft), discard: () => $draft.set(undefined) },
    true
  )
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
        {outdated && <p className="fault">{outdated}</p>}
      </div>
      <p className="muted">{t(TEXT.confirmHint, FIREWALL_CONFIRM_SECONDS)}</p>
      {outdated && (
        <p className="row">
          <Button label={t(TEXT.keep)} onClick={() => editSettings(draft, { revision })} />
        </p>
      )}
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
