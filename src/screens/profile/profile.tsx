// The user's own account: password, display name, second factor, language and theme, sessions.

import { renewRecoveryCodes } from '../../../contract/access/second-factor.ts'
import { PasswordDialog } from '../../parts/password/password-dialog.tsx'
import { PASSWORD_TEXT } from '../../parts/password/password-form.tsx'
import { EnrollDialog, showRecoveryCodes } from '../../parts/second-factor/enroll.tsx'
import { TEXT as SECOND_FACTOR } from '../../parts/second-factor/text.ts'
import { SessionList } from '../../parts/session-list.tsx'
import { sendMutation } from '../../state/mutations.ts'
import { $secondFactor, $session, verifySession } from '../../state/session.ts'
import { $sessions, endSessions } from '../../state/sessions.ts'
import { t } from '../../text/language.ts'
import * as OUTCOME from '../../text/outcomes.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { confirm } from '../../ui/dialog/confirm.tsx'
import { openDialog } from '../../ui/dialog/dialog-host.tsx'
import { StatusLabel } from '../../ui/status-label.tsx'
import { useStore } from '../../ui/use-store.ts'
import { AppearanceCard } from './appearance.tsx'
import { DisableDialog } from './disable-dialog.tsx'
import { NameForm } from './name-form.tsx'
import { TEXT } from './text.ts'

export function ProfileScreen() {
  const user = useStore($session)
  return (
    <>
      <div className="cards">
        <Card title={user?.name ?? ''} note={user?.['group-name']}>
          <Button label={t(PASSWORD_TEXT.title)} icon="key" onClick={() => openDialog(PasswordDialog)} />
        </Card>
        <NameForm nick={user?.nick ?? ''} />
        <SecondFactorCard />
        <AppearanceCard />
      </div>
      <h2>{t(TEXT.sessions)}</h2>
      <SessionList userId={user?.id} toolbar={<EndOtherSessions userId={user?.id} />} />
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
    if (await confirm({ title: `${label}?`, confirmLabel: label, danger: true }))
      await endSessions(others, ({ browser }) => browser)
  }
  return others.length > 0 && <Button label={label} onClick={() => void endOthers()} />
}
