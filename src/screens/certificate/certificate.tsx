// The certificate page: whether the hub serves HTTPS, and whether this page was loaded over it.
import { usePlaceholder } from '../../parts/load-state.tsx'
import { t } from '../../text/language.ts'
import type { Tone } from '../../text/states.ts'
import { Card } from '../../ui/card.tsx'
import { type DescriptionItem, DescriptionList } from '../../ui/description-list.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { $settings } from './store.ts'
import { TEXT } from './text.ts'

/** A row with one of two states. It is left out if the hub does not report the state. */
function stateRow(
  label: keyof typeof TEXT,
  isOn: boolean | number | undefined,
  on: keyof typeof TEXT,
  off: keyof typeof TEXT,
  offTone: Tone = 'bad'
): DescriptionItem {
  return [
    t(TEXT[label]),
    isOn === undefined ? null : <StatusLabel tone={isOn ? 'good' : offTone} text={t(TEXT[isOn ? on : off])} />
  ]
}

export function CertificateScreen() {
  const { value } = useStore($settings)
  const placeholder = usePlaceholder($settings, !value, null)
  if (!value) return <>{placeholder}</>
  // Another hub may leave it out.
  const web = value.settings?.web
  // Also true for a page of this machine itself, whose requests do not cross the network.
  const isSecure = window.isSecureContext
  return (
    <div className="cards">
      <Card title="HTTPS">
        {web && !web['enable-https'] && <p>{t(TEXT.atProxy)}</p>}
        {!isSecure && <p className="fault">{t(TEXT.unencrypted)}</p>}
        <DescriptionList
          items={[
            stateRow('page', location.protocol === 'https:', 'encrypted', 'plain', isSecure ? 'off' : 'warn'),
            stateRow('hub', web?.['enable-https'], 'enabled', 'disabled', 'off'),
            [t(TEXT.httpPort), web?.['http-port']],
            [t(TEXT.httpsPort), web?.['enable-https'] ? web['https-port'] : undefined],
            stateRow('certificate', web?.['is-cert-valid'], 'valid', 'invalid'),
            stateRow('privateKey', web?.['is-cert-key-valid'], 'valid', 'invalid')
          ]}
        />
      </Card>
    </div>
  )
}
