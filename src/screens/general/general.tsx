// The page of the general settings. Each part has a form of its own.

import type { WebSettings } from '../../../contract/web/settings.ts'
import { settingsOf } from '../../other-hubs.ts'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { HttpsLabel } from '../../parts/settings/https-label.tsx'
import { SessionExpiryForm } from '../../parts/settings/session-expiry.tsx'
import { linkTo } from '../../paths.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { useStore } from '../../ui/use-store.ts'
import { AddressForm } from './address-form.tsx'
import { CodeForm } from './code-form.tsx'
import { NameForm } from './name-form.tsx'
import { PreviewForm } from './preview-form.tsx'
import { $settings } from './store.ts'
import { TEXT } from './text.ts'
import { TimeSettings } from './time/time.tsx'

export function GeneralScreen() {
  const { value } = useStore($settings)
  const placeholder = usePlaceholder($settings, !value, null)
  if (!value) return <>{placeholder}</>
  const { name, 'expired-time': expiry, security, streams, previews, web } = settingsOf(value)
  return (
    <div className="cards">
      {name && <NameForm current={name} />}
      {expiry !== undefined && <SessionExpiryForm minutes={expiry} />}
      {security && <CodeForm settings={security} />}
      {streams && <AddressForm isForbidden={streams['forbid-private']} />}
      {previews && <PreviewForm isDataSaverOn={previews['data-saver']} />}
      <HttpsCard web={web} />
      <TimeSettings />
      <PowerCard />
    </div>
  )
}

/** Links to the pages that restart, shut down and reset the hub. */
function PowerCard() {
  return (
    <Card title={t(TEXT.power)}>
      <p>
        <a href={`#${linkTo('reboot')}`}>{t(TEXT.reboot)}</a>
      </p>
      <p>
        <a href={`#${linkTo('reset')}`}>{t(TEXT.reset)}</a>
      </p>
    </Card>
  )
}

function HttpsCard({ web }: { web: WebSettings | undefined }) {
  const state = web?.['https-state']
  return (
    <Card title={t(TEXT.https)}>
      <DescriptionList items={[[t(TEXT.state), state && <HttpsLabel state={state} />]]} />
      <p>
        <a href={`#${linkTo('certificate')}`}>{t(TEXT.certificate)}</a>
      </p>
    </Card>
  )
}
