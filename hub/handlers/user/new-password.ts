// What a new password must be like, whoever sets it: the rule that all have, and what the hub demands besides (contract/session.ts).
import { createHash } from 'node:crypto'
import { INVALID_ARG } from '../../../contract/codes.ts'
import { NO_PASSWORD_RULES, type PasswordRules, passwordByRules } from '../../../contract/rules/password.ts'
import { NO_PASSWORD } from '../../auth/passwords.ts'
import { Refusal } from '../../http/handler.ts'
import type { Store } from '../../store/store.ts'

/** The hub's rules; undefined where they demand nothing. */
export function rulesOf({ settings }: Store): PasswordRules | undefined {
  const rules = settings.get('password-rules')
  const demanded = Object.keys(NO_PASSWORD_RULES) as (keyof PasswordRules)[]
  return demanded.some((name) => rules[name] !== NO_PASSWORD_RULES[name]) ? rules : undefined
}

/**
 * Refuses a password that is not as the hub wants it. The clear one is looked at, and kept nowhere; where the hub demands nothing it
 * need not be sent, but is looked at all the same.
 * @param userName whose password it is going to be
 */
export function refuseUnfit(
  store: Store,
  userName: string,
  { passwd, password }: { passwd: string; password?: string }
) {
  if (passwd === NO_PASSWORD) throw new Refusal(INVALID_ARG, { field: 'passwd', fault: 'required' })
  const rules = rulesOf(store)
  if (password === undefined) {
    if (rules) throw new Refusal(INVALID_ARG, { field: 'password', fault: 'required' })
    return
  }
  const fault = passwordByRules(rules ?? NO_PASSWORD_RULES, userName)(password)
  if (fault) {
    const { name, ...numbers } = fault
    throw new Refusal(INVALID_ARG, { field: 'password', fault: name, ...numbers })
  }
  // Otherwise a good one could be shown, and a bad one set.
  if (createHash('md5').update(password).digest('hex') !== passwd)
    throw new Refusal(INVALID_ARG, { field: 'password', fault: 'invalid' })
}
