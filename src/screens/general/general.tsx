// The page of the general settings. Each part has a form of its own.
import { SYSTEM_CONFIG_EDIT, USER_CONTROL } from '../../../contract/access/permissions.ts'
import { describeForms } from '../../../contract/form/form.ts'
import { type HubName, hostNameFor, setDeviceName } from '../../../contract/machine/name.ts'
import { rebootSystem } from '../../../contract/machine/power.ts'
import { getTime } from '../../../contract/machine/time.ts'
import { hubName, invitationCode } from '../../../contract/rules/hub.ts'
import type { RuleSet } from '../../../contract/rules/rules.ts'
import { SETTING_RIGHTS, type Settings } from '../../../contract/settings.ts'
import type { WebSettings } from '../../../contract/web/settings.ts'
import { SwitchField } from '../../form/switch-field.tsx'
import { NumberField, TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { settingsOf } from '../../other-hubs.ts'
import { NotSetUp } from '../../parts/access-note.tsx'
import { DescribedCards } from '../../parts/described-form/cards.tsx'
import { usePlaceholder } from '../../parts/load-state.tsx'
import { HttpsLabel } from '../../parts/settings/https-label.tsx'
import { saveSettings } from '../../parts/settings/save-settings.ts'
import { SettingsForm } from '../../parts/settings/settings-form.tsx'
import { linkTo } from '../../paths.ts'
import { isMissing } from '../../state/other-hub.ts'
import { $isAllowed } from '../../state/session.ts'
import { $settings } from '../../state/settings.ts'
import { t } from '../../text/language.ts'
import { Card } from '../../ui/card.tsx'
import { DescriptionList } from '../../ui/description-list.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { useStore } from '../../ui/use-store.ts'
import { saveName } from './store.ts'
import { TEXT } from './text.ts'
import { TimeSettings } from './time.tsx'

export function GeneralScreen() {
  const { value } = useStore($settings)
  const isAllowed = useStore($isAllowed)
  const placeholder = usePlaceholder($settings, !value, null)
  if (!value) return <>{placeholder}</>
  const { name, security, streams, previews, web } = settingsOf(value)
  return (
    <div className="cards">
      {name && <NameForm current={name} />}
      {security && <CodeForm settings={security} />}
      {streams && <AddressForm isForbidden={streams['forbid-private']} />}
      {previews && <PreviewForm isDataSaverOn={previews['data-saver']} />}
      {!isMissing(describeForms.path) && <DescribedCards page="general" />}
      <HttpsCard web={web} />
      {isAllowed(getTime) ? (
        <TimeSettings hostName={name?.access} />
      ) : (
        name && <NotSetUp parts={[[t(TEXT.hostName), name.access]]} />
      )}
      {!isMissing(rebootSystem.path) && <PowerCard />}
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
  const isAllowed = useStore($isAllowed)
  const state = web?.['https-state']
  return (
    <Card title={t(TEXT.https)}>
      <DescriptionList items={[[t(TEXT.state), state && <HttpsLabel state={state} />]]} />
      <p>
        <a href={`#${linkTo('certificate')}`}>{t(TEXT.certificate)}</a>
      </p>
      {isAllowed({ access: USER_CONTROL }) && isAllowed({ access: SYSTEM_CONFIG_EDIT }) && (
        <p>
          <a href={`#${linkTo('users', { tab: 'rules', setting: 'session' })}`}>{t(TEXT.sessions)}</a>
        </p>
      )}
    </Card>
  )
}

/** Asks before running streams end. */
function confirmRefusal(): Promise<boolean> {
  const label = t(TEXT.forbid)
  return confirm({ text: t(TEXT.forbidText), confirmLabel: label, danger: true })
}

/** Edits the address policy of streams. */
function AddressForm({ isForbidden }: { isForbidden: boolean }) {
  const saved = { isAllowed: !isForbidden }
  const form = useForm({}, saved, async ({ isAllowed }, options) => {
    if (!isAllowed && !isForbidden && !(await confirmRefusal())) return undefined
    return saveSettings({ streams: { 'forbid-private': !isAllowed } }, options)
  })
  return (
    <SettingsForm title={t(TEXT.addresses)} form={form} saved={saved} access={SETTING_RIGHTS.streams.edit}>
      <SwitchField {...form.field('isAllowed')} label={t(TEXT.allowPrivate)} />
      <p className="muted">{t(form.values.isAllowed ? TEXT.allowed : TEXT.forbidden)}</p>
    </SettingsForm>
  )
}

/** Edits the name of the hub, with which its machine gets its host name. */
function NameForm({ current }: { current: HubName }) {
  const { 'device-name': stored, 'host-name': hostName, access } = current
  const saved = { name: stored }
  const form = useForm({ name: hubName }, saved, ({ name }, options) => saveName(name, options))
  const nextHostName = hostNameFor(form.values.name)
  return (
    <SettingsForm title={t(TEXT.name)} form={form} saved={saved} access={setDeviceName.access}>
      <TextField {...form.field('name')} label={t(TEXT.hubName)} />
      <DescriptionList items={[[t(TEXT.hostName), hostName]]} />
      {!access.reason && (
        <>
          {nextHostName !== hostName && <p>{t(TEXT.alsoHostName, nextHostName)}</p>}
          <p className="muted">{t(TEXT.ndiName)}</p>
        </>
      )}
    </SettingsForm>
  )
}

/** Edits the default of the data saver. */
function PreviewForm({ isDataSaverOn }: { isDataSaverOn: boolean }) {
  const saved = { isDataSaverOn }
  const form = useForm({}, saved, (values, options) =>
    saveSettings({ previews: { 'data-saver': values.isDataSaverOn } }, options)
  )
  return (
    <SettingsForm title={t(TEXT.previews)} form={form} saved={saved} access={SETTING_RIGHTS.previews.edit}>
      <SwitchField {...form.field('isDataSaverOn')} label={t(TEXT.dataSaver)} hint={t(TEXT.dataSaverHint)} />
    </SettingsForm>
  )
}

interface Values {
  isRequired: boolean
  code: string
}

const RULES: RuleSet<Values> = { code: (value, { isRequired }) => (isRequired ? invitationCode(value) : undefined) }

/** A form that edits the invitation code. The hub sends the code only to users with the permission to edit settings. */
function CodeForm({ settings }: { settings: Settings['security'] }) {
  const { 'enable-code': isRequired, 'code-value': code } = settings
  const initial: Values = { isRequired, code: code ?? '' }
  const form = useForm<Values>(
    RULES,
    initial,
    (values, options) =>
      saveSettings(
        { security: { 'enable-code': values.isRequired, ...(values.isRequired && { 'code-value': values.code }) } },
        options
      ),
    { fieldOfWireName: { 'security.code-value': 'code' } }
  )
  return (
    <SettingsForm title={t(TEXT.registration)} form={form} saved={initial} access={SETTING_RIGHTS.security.edit}>
      <SwitchField {...form.field('isRequired')} label={t(TEXT.requireCode)} />
      {!form.values.isRequired && <p className="muted">{t(TEXT.codeOff)}</p>}
      {form.values.isRequired && code !== undefined && (
        <NumberField {...form.field('code')} label={t(TEXT.code)} hint={t(TEXT.codeHint)} />
      )}
    </SettingsForm>
  )
}
