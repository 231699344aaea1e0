// Rules about accounts: new passwords, and when sessions end.

import { settingAccess } from '../../../contract/settings.ts'
import { settingsOf } from '../../other-hubs.ts'
import { LoadState } from '../../parts/load-state.tsx'
import { SessionExpiryForm } from '../../parts/settings/session-expiry.tsx'
import { $isAllowed } from '../../state/session.ts'
import { useStore } from '../../ui/use-store.ts'
import { PasswordRulesForm } from './password-rules.tsx'
import { $settings } from './store.ts'

/**
 * The password rules, which only the Admin group changes, and the session expiry, which users with SYSTEM_CONFIG_EDIT
 * change.
 */
export function AccountRulesTab() {
  const { value } = useStore($settings)
  const isAllowed = useStore($isAllowed)
  const { 'pwd-rule': rules, 'expired-time': minutes } = settingsOf(value)
  return (
    <LoadState store={$settings} isEmpty={!value} emptyText="">
      <div className="cards">
        {rules && isAllowed({ access: 'admin' }) && <PasswordRulesForm rules={rules} />}
        {minutes !== undefined && isAllowed({ access: settingAccess('expired-time').edit }) && (
          <SessionExpiryForm minutes={minutes} />
        )}
      </div>
    </LoadState>
  )
}
