import { $passwordNotice } from '../state/session.ts'
import { t } from '../text/language.ts'
import { Button } from '../ui/button.tsx'
import { Icon } from '../ui/icon.tsx'
import { useStore } from '../ui/use-store.ts'
import { openPasswordDialog } from './account-dialogs.tsx'
import { TEXT } from './text.ts'

/** Warns while the default password is in use. */
export function PasswordBanner() {
  if (!useStore($passwordNotice)) return null
  return (
    <p className="banner">
      <Icon name="key" />
      <span>{t(TEXT.defaultPassword)}</span>
      <Button label={t(TEXT.password)} onClick={openPasswordDialog} />
    </p>
  )
}
