// The user's own account: password, display name, second factor, language and theme, sessions.
import { useState } from 'react'
import { setProfile } from '../../../contract/access/profile.ts'
import { disableSecondFactor, renewRecoveryCodes, startSecondFactor } from '../../../contract/access/second-factor.ts'
import { listSessions } from '../../../contract/access/user.ts'
import type { Envelope } from '../../../contract/call.ts'
import { SUCCESS } from '../../../contract/codes.ts'
import { nickName } from '../../../contract/rules/account.ts'
import { required } from '../../../contract/rules/rules.ts'
import { CodeField } from '../../form/code-field.tsx'
import { FormDialog } from '../../form/form-dialog.tsx'
import { SelectField } from '../../form/select-field.tsx'
import { PasswordField, TextField } from '../../form/text-field.tsx'
import { useForm } from '../../form/use-form.ts'
import { md5 } from '../../link/md5.ts'
import { send } from '../../link/send.ts'
import { PasswordDialog } from '../../parts/password/password-dialog.tsx'
import { PASSWORD_TEXT } from '../../parts/password/password-form.tsx'
import { EnrollDialog, TEXT as SECOND_FACTOR, showRecoveryCodes } from '../../parts/second-factor.tsx'
import { SessionList } from '../../parts/session-list.tsx'
import { SettingsForm } from '../../parts/settings/settings-form.tsx'
import { sendMutation } from '../../state/mutations.ts'
import { $isAllowed, $secondFactor, $session, verifySession } from '../../state/session.ts'
import { $theme, setTheme, THEMES } from '../../state/theme.ts'
import { notify } from '../../state/toasts.ts'
import { $sessions, endSessions } from '../../state/users.ts'
import { NO_LANGUAGE_PACK } from '../../text/codes.ts'
import { $language, LANGUAGES, languageName, setLanguage, t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { credentialsError } from '../../text/response-message.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { TEXT } from './text.ts'

export function ProfileScreen() {
  const user = useStore($session)
  const isAllowed = useStore($isAllowed)
  return (
    <>
      <div className="cards">
        <Card title={user?.name ?? ''} note={user?.['group-name']}>
          <Button label={t(PASSWORD_TEXT.title)} icon="key" onClick={() => openDialog(PasswordDialog)} />
        </Card>
        {isAllowed(setProfile) && <NameForm nick={user?.nick ?? ''} />}
        {isAllowed(startSecondFactor) && <SecondFactorCard />}
        <AppearanceCard />
      </div>
      {isAllowed(listSessions) && (
        <>
          <h2>{t(TEXT.sessions)}</h2>
          <SessionList userId={user?.id} toolbar={<EndOtherSessions userId={user?.id} />} />
        </>
      )}
    </>
  )
}

async function renewCodes(): Promise<void> {
  const { codes } = await sendMutation(
    renewRecoveryCodes,
    {},
    { success: { text: OUTCOME.saved, names: [t(SECOND_FACTOR.codes)] } }
  )
  if (codes) void showRecoveryCodes(codes)
  await verifySession()
}

function SecondFactorCard() {
  const secondFactor = useStore($secondFactor)
  return (
    <Card
      title={t(SECOND_FACTOR.title)}
      action={<StatusLabel tone={secondFactor ? 'good' : 'off'} text={t(secondFactor ? TEXT.on : TEXT.off)} />}
    >
      <p className="muted">{secondFactor ? t(TEXT.left, secondFactor['recovery-codes']) : t(TEXT.lead)}</p>
      <div className="row">
        {secondFactor ? (
          <>
            <Button label={t(TEXT.renew)} onClick={() => void renewCodes()} />
            <Button label={t(TEXT.disable)} onClick={() => openDialog(DisableDialog)} />
          </>
        ) : (
          <Button label={t(SECOND_FACTOR.enable)} kind="main" onClick={() => openDialog(EnrollDialog)} />
        )}
      </div>
    </Card>
  )
}

/** Ends all sessions of the user but this one, after a confirmation. */
function EndOtherSessions({ userId }: { userId: number | undefined }) {
  const others = (useStore($sessions).value?.list ?? []).filter((row) => row['user-id'] === userId && !row.own)
  const label = t(TEXT.others)
  async function endOthers(): Promise<void> {
    if (await confirm({ confirmLabel: label, danger: true })) await endSessions(others, ({ browser }) => browser)
  }
  return others.length > 0 && <Button label={label} onClick={() => void endOthers()} />
}

/** Edits the user's own display name. */
function NameForm({ nick }: { nick: string }) {
  const form = useForm({ nick: nickName }, { nick }, async (values, options) => {
    const reply = await sendMutation(setProfile, values, {
      ...options,
      success: { text: OUTCOME.saved, names: [t(TEXT.nick)] }
    })
    // Shows the stored name.
    await verifySession()
    return reply
  })
  return (
    <SettingsForm title={t(TEXT.nick)} form={form} saved={{ nick }} access={setProfile.access}>
      <TextField {...form.field('nick')} label={t(TEXT.nick)} hint={t(TEXT.nickHint)} autoComplete="nickname" />
    </SettingsForm>
  )
}

const RULES = { password: required, code: required }

/** Switches the second factor off, with password and code. */
function DisableDialog({ onClose }: { onClose: () => void }) {
  const [response, setResponse] = useState<Envelope>({ result: SUCCESS })
  const form = useForm(RULES, { password: '', code: '' }, async ({ password, code }) => {
    const reply = await send(disableSecondFactor, { pass: md5(password), code })
    setResponse(reply)
    if (reply.result !== SUCCESS) return
    onClose()
    await verifySession()
  })
  return (
    <FormDialog form={form} submitLabel={t(TEXT.disable)} onClose={onClose}>
      <PasswordField {...form.field('password')} label={t(TEXT.password)} autoComplete="current-password" autoFocus />
      <CodeField {...form.field('code')} />
      <p role="alert" className="fault">
        {credentialsError(response)}
      </p>
    </FormDialog>
  )
}

// Language and theme of this browser.
const THEME_NAMES = { system: TEXT.system, light: TEXT.light, dark: TEXT.dark }

function AppearanceCard() {
  const language = useStore($language)
  const theme = useStore($theme)
  return (
    <Card title={t(TEXT.appearance)}>
      <SelectField
        name="language"
        value={language}
        label={t(TEXT.language)}
        options={LANGUAGES.map((name) => ({ value: name, label: languageName(name) }))}
        onValueChange={(name) => void setLanguage(name).catch(() => notify(NO_LANGUAGE_PACK))}
      />
      <SelectField
        name="theme"
        value={theme}
        label={t(TEXT.theme)}
        options={THEMES.map((name) => ({ value: name, label: t(THEME_NAMES[name]) }))}
        onValueChange={setTheme}
      />
      <p className="muted">{t(TEXT.appearanceHint)}</p>
    </Card>
  )
}
