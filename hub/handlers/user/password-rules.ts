// The password rules in the hub's settings.
import type { NewPasswordRules } from '../../../accounts/new-password.ts'
import { activeRules, type PasswordRules } from '../../../contract/rules/password.ts'
import type { Store } from '../../store/store.ts'

/** Undefined if the rules require nothing. */
export const activePasswordRules = ({ settings }: Store): PasswordRules | undefined =>
  activeRules(settings.get('pwd-rule'))

export const newPasswordRules = (store: Store): NewPasswordRules => ({
  rules: activePasswordRules(store),
  isSet: store.settings.isSet('pwd-rule')
})
