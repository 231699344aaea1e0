// The certificate page: HTTPS of the hub and its certificate.
import type { Envelope } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { SETTING_RIGHTS } from '../../../contract/settings.ts'
import type { CertificateInfo } from '../../../contract/web/certificate.ts'
import type { WebSettings } from '../../../contract/web/settings.ts'
import { SwitchField } from '../../form/switch-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { settingsOf } from '../../other-hubs.ts'
import { CallButton } from '../../parts/actions.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { moveTo } from '../../parts/save-bar.tsx'
import { SettingsForm } from '../../parts/settings/settings-form.tsx'
import { linkTo, ROUTES } from '../../paths.ts'
import { $settings } from '../../state/settings.ts'
import { dateTime } from '../../text/dates.ts'
import { type Translation, t } from '../../text/language.ts'
import type { Tone } from '../../text/states.ts'
import { Card } from '../../ui/card.tsx'
import { hubNow } from '../../ui/clock.ts'
import { type DescriptionItem, DescriptionList } from '../../ui/description-list.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { StateLabel } from '../../ui/state-label.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { InstallDialog } from './install-dialog.tsx'
import { setWeb } from './store.ts'
import { STATES, TEXT } from './text.ts'

/** The permission for the certificate and the switches of HTTPS. */
const EDIT = { access: SETTING_RIGHTS['web.enable-https'].edit }
const DAY = 86_400_000

/** A row with one of two states. It is left out if the hub does not report the state. */
function stateRow(
  label: Translation,
  isOn: boolean | number | undefined,
  on: Translation,
  off: Translation,
  offTone: Tone = 'bad'
): DescriptionItem {
  return [
    t(label),
    isOn === undefined ? null : <StatusLabel tone={isOn ? 'good' : offTone} text={t(isOn ? on : off)} />
  ]
}

export function CertificateScreen() {
  const { value } = useStore($settings)
  const placeholder = usePlaceholder($settings, !value, null)
  if (!value) return <>{placeholder}</>
  const { web } = settingsOf(value)
  return (
    <div className="cards">
      <HttpsCard web={web} />
      {web?.['https-state'] && <HttpsForm web={web} isOverHttps={location.protocol === 'https:'} />}
      {web?.certificate && <CertificateCard web={web} certificate={web.certificate} />}
    </div>
  )
}

function HttpsCard({ web }: { web: WebSettings | undefined }) {
  // Also true for a page of this machine itself, whose requests do not cross the network.
  const isSecure = window.isSecureContext
  const isOverHttps = location.protocol === 'https:'
  const state = web?.['https-state']
  const port = web?.['enable-https'] ? web['https-port'] : undefined
  return (
    <Card title="HTTPS">
      {web && !web['enable-https'] && <p>{t(TEXT.atProxy)}</p>}
      {!isSecure && <p className="fault">{t(TEXT.unencrypted)}</p>}
      <DescriptionList
        items={[
          stateRow(TEXT.page, isOverHttps, TEXT.encrypted, TEXT.plain, isSecure ? 'off' : 'warn'),
          state
            ? [t(TEXT.hub), <StateLabel key="state" state={STATES[state]} />]
            : stateRow(TEXT.hub, web?.['enable-https'], TEXT.enabled, TEXT.disabled, 'off'),
          [t(TEXT.httpPort), web?.['http-port']],
          [t(TEXT.httpsPort), port],
          stateRow(TEXT.certificate, web?.['is-cert-valid'], TEXT.valid, TEXT.invalid),
          stateRow(TEXT.privateKey, web?.['is-cert-key-valid'], TEXT.valid, TEXT.invalid)
        ]}
      />
      <p>
        <a href={`#${linkTo('network', { setting: 'port' })}`}>{t(TEXT.ports)}</a>
      </p>
      {!isOverHttps && port !== undefined && (
        <a className="button" href={`https://${location.hostname}:${port}/#${ROUTES.certificate}`}>
          {t(TEXT.openHttps)}
        </a>
      )}
    </Card>
  )
}

/** Asks before HTTPS is turned off. */
function confirmTurnOff(): Promise<boolean> {
  const label = t(TEXT.turnOff)
  return confirm({ text: t(TEXT.turnOffText), confirmLabel: label, danger: true })
}

/** Edits the switches of HTTPS. A page over HTTPS goes to HTTP when HTTPS was turned off. */
function HttpsForm({ web, isOverHttps }: { web: WebSettings; isOverHttps: boolean }) {
  const { 'enable-https': serve, 'redirect-http': redirect = false, hsts = false, 'http-port': httpPort } = web
  const saved = { serve, redirect, hsts }
  const form = useForm({}, saved, async (values): Promise<Envelope | undefined> => {
    if (serve && !values.serve && !(await confirmTurnOff())) return undefined
    const response = await setWeb({
      ...(values.serve !== serve && { 'enable-https': values.serve }),
      ...(values.redirect !== redirect && { 'redirect-http': values.redirect }),
      ...(values.hsts !== hsts && { hsts: values.hsts })
    })
    if (response.result !== SUCCESS) return response
    if (serve && !values.serve && isOverHttps && httpPort)
      moveTo(`http://${location.hostname}:${httpPort}/#${ROUTES.certificate}`)
    await $settings.refresh()
    return response
  })
  return (
    <SettingsForm title={t(TEXT.switches)} form={form} saved={saved} access={EDIT.access}>
      <SwitchField {...form.field('serve')} label={t(TEXT.serve)} />
      {serve && (
        <fieldset className="field" disabled={!isOverHttps && !redirect}>
          <SwitchField
            {...form.field('redirect')}
            label={t(TEXT.redirect)}
            hint={t(isOverHttps ? TEXT.redirectHint : TEXT.overHttps)}
          />
        </fieldset>
      )}
      {serve && (hsts || web['can-hsts']) && (
        <fieldset className="field" disabled={!isOverHttps && !hsts}>
          <SwitchField
            {...form.field('hsts')}
            label={t(TEXT.hsts)}
            hint={t(isOverHttps || hsts ? TEXT.hstsHint : TEXT.overHttps)}
          />
        </fieldset>
      )}
    </SettingsForm>
  )
}

/** The warning about the certificate, with the next step; undefined if there is none. */
function notice({ 'https-state': state, 'cert-damaged': isDamaged }: WebSettings, end: string): string | undefined {
  if (isDamaged) return t(TEXT.damaged)
  if (state === 'expired') return t(TEXT.hasExpired, end)
  if (state === 'expiring') return t(TEXT.expiresSoon, end)
  return state === 'self-signed' ? t(TEXT.selfSigned) : undefined
}

async function useOwnCertificate(): Promise<void> {
  const label = t(TEXT.useOwn)
  if (await confirm({ text: t(TEXT.useOwnText), confirmLabel: label }))
    await setWeb({ 'cert-filename': '', 'cert-key-filename': '' })
}

function CertificateCard({ web, certificate }: { web: WebSettings; certificate: CertificateInfo }) {
  const { names, subject, issuer, fingerprint, 'key-pin': pin, chain, trusted } = certificate
  const end = dateTime(certificate['not-after'])
  const days = Math.floor((certificate['not-after'] - hubNow()) / DAY)
  const text = notice(web, end)
  const isUrgent = web['cert-damaged'] || web['https-state'] === 'expired' || web['https-state'] === 'expiring'
  return (
    <Card title={t(TEXT.certificate)}>
      {text && <p className={isUrgent ? 'fault' : undefined}>{text}</p>}
      <DescriptionList
        items={[
          [t(TEXT.names), names.join(', ')],
          [t(TEXT.subject), subject],
          [t(TEXT.issuer), issuer],
          [t(TEXT.from), dateTime(certificate['not-before'])],
          [t(TEXT.until), days >= 0 ? t(TEXT.daysLeft, end, days) : end],
          [t(TEXT.chain), chain.map((link) => link.subject).join(' → ')],
          stateRow(TEXT.trust, trusted, TEXT.trusted, TEXT.untrusted, 'warn'),
          [t(TEXT.fingerprint), <code key="fingerprint">{fingerprint}</code>],
          [t(TEXT.keyPin), pin && <code key="pin">{pin}</code>]
        ]}
      />
      <span className="row">
        <CallButton call={EDIT} kind="main" label={t(TEXT.install)} onClick={() => void openDialog(InstallDialog)} />
        {web['cert-path'] && <CallButton call={EDIT} label={t(TEXT.useOwn)} onClick={useOwnCertificate} />}
      </span>
    </Card>
  )
}
