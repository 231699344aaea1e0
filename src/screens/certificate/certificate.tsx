// The certificate page: HTTPS of the hub and its certificate.
import { SUCCESS } from '../../../contract/codes.ts'
import { settingRights } from '../../../contract/settings.ts'
import type { CertificateInfo, HttpsState } from '../../../contract/web/certificate.ts'
import type { WebRequest, WebSettings } from '../../../contract/web/settings.ts'
import { SwitchField } from '../../form/switch-field.tsx'
import { transport } from '../../link/fetch-json.ts'
import { settingsOf } from '../../other-hubs.ts'
import { CallButton, QUESTION } from '../../parts/actions.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { READ_ONLY } from '../../parts/settings/settings-form.tsx'
import { linkTo, ROUTES } from '../../paths.ts'
import { $isAllowed } from '../../state/session.ts'
import { dateTime } from '../../text/dates.ts'
import { type Translation, t } from '../../text/language.ts'
import type { Tone } from '../../text/states.ts'
import { Card } from '../../ui/card.tsx'
import { hubNow } from '../../ui/clock.ts'
import { type DescriptionItem, DescriptionList } from '../../ui/description-list.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { InstallDialog } from './install-dialog.tsx'
import { $settings, setWeb } from './store.ts'
import { TEXT } from './text.ts'

/** The permission for the certificate and the switches of HTTPS. */
const EDIT = { access: settingRights('web', 'enable-https').edit }
const DAY = 86_400_000

const STATE_TONES: Readonly<Record<HttpsState, Tone>> = {
  disabled: 'off',
  'self-signed': 'warn',
  enabled: 'good',
  expiring: 'warn',
  expired: 'bad',
  failed: 'bad'
}

/** A row with one of two states. It is left out if the hub does not report the state. */
function stateRow(
  label: keyof typeof TEXT,
  isOn: boolean | number | undefined,
  on: keyof typeof TEXT,
  off: keyof typeof TEXT,
  offTone: Tone = 'bad'
): DescriptionItem {
  return [
    t(TEXT[label] as Translation),
    isOn === undefined ? null : (
      <StatusLabel tone={isOn ? 'good' : offTone} text={t(TEXT[isOn ? on : off] as Translation)} />
    )
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
          stateRow('page', isOverHttps, 'encrypted', 'plain', isSecure ? 'off' : 'warn'),
          state
            ? [t(TEXT.hub), <StatusLabel key="state" tone={STATE_TONES[state]} text={t(TEXT[state])} />]
            : stateRow('hub', web?.['enable-https'], 'enabled', 'disabled', 'off'),
          [t(TEXT.httpPort), web?.['http-port']],
          [t(TEXT.httpsPort), port],
          stateRow('certificate', web?.['is-cert-valid'], 'valid', 'invalid'),
          stateRow('privateKey', web?.['is-cert-key-valid'], 'valid', 'invalid')
        ]}
      />
      {transport.relayedHub === undefined && (
        <p>
          <a href={`#${linkTo('network', { setting: 'port' })}`}>{t(TEXT.ports)}</a>
        </p>
      )}
      {state && web && <HttpsSwitches web={web} isOverHttps={isOverHttps} />}
      {!isOverHttps && port !== undefined && (
        <a className="button" href={`https://${location.hostname}:${port}/#${ROUTES.certificate}`}>
          {t(TEXT.openHttps)}
        </a>
      )}
    </Card>
  )
}

/** Turns HTTPS off after a confirmation. A page over HTTPS goes to HTTP then. */
async function turnOff({ 'http-port': httpPort }: WebSettings, isOverHttps: boolean): Promise<void> {
  const label = t(TEXT.turnOff)
  if (!(await confirm({ title: t(QUESTION, label), text: t(TEXT.turnOffText), confirmLabel: label, danger: true })))
    return
  const { result } = await setWeb({ 'enable-https': false })
  if (result === SUCCESS && isOverHttps && httpPort)
    location.assign(`http://${location.hostname}:${httpPort}/#${ROUTES.certificate}`)
}

function HttpsSwitches({ web, isOverHttps }: { web: WebSettings; isOverHttps: boolean }) {
  const mayEdit = useStore($isAllowed)(EDIT)
  const { 'enable-https': isOn, 'redirect-http': isRedirecting = false, hsts: isStrict = false } = web
  const field = (name: string, value: boolean, change: (value: boolean) => unknown, isDisabled = false) => ({
    name,
    value,
    disabled: isDisabled || !mayEdit,
    onValueChange: (next: boolean) => void change(next),
    onBlur() {}
  })
  const change = (request: WebRequest) => setWeb(request)
  return (
    <>
      {!mayEdit && <p className="muted">{t(READ_ONLY)}</p>}
      <fieldset className="field" disabled={!mayEdit}>
        <SwitchField
          {...field('enable-https', isOn, (next) =>
            next ? change({ 'enable-https': true }) : turnOff(web, isOverHttps)
          )}
          label={t(TEXT.serve)}
        />
      </fieldset>
      {isOn && (
        <fieldset className="field" disabled={!mayEdit || (!isOverHttps && !isRedirecting)}>
          <SwitchField
            {...field('redirect-http', isRedirecting, (next) => change({ 'redirect-http': next }))}
            label={t(TEXT.redirect)}
            hint={t(isOverHttps ? TEXT.redirectHint : TEXT.overHttps)}
          />
        </fieldset>
      )}
      {isOn && (isStrict || web['can-hsts']) && (
        <fieldset className="field" disabled={!mayEdit || (!isOverHttps && !isStrict)}>
          <SwitchField
            {...field('hsts', isStrict, (next) => change({ hsts: next }))}
            label={t(TEXT.hsts)}
            hint={t(isOverHttps || isStrict ? TEXT.hstsHint : TEXT.overHttps)}
          />
        </fieldset>
      )}
    </>
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
  if (await confirm({ title: t(QUESTION, label), text: t(TEXT.useOwnText), confirmLabel: label }))
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
          stateRow('trust', trusted, 'trusted', 'untrusted', 'warn'),
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
