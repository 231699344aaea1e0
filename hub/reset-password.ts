// The way out when the password of the only administrator is lost: DATA=./data node hub/reset-password.ts USER.
// Gives a user a random password, on the machine itself, while the hub is stopped, and prints it once. The second
// factor stays.

import { hashPassword, md5Of } from '../accounts/passwords.ts'
import { createRandomPassword } from '../accounts/random-password.ts'
import { LOG_WARNING } from '../contract/log.ts'
import { NO_PASSWORD_RULES } from '../contract/rules/password.ts'
import { activePasswordRules } from './handlers/user/password-rules.ts'
import { runUserCommand } from './user-command.ts'

await runUserCommand('reset-password', async (store, { id, name, second_factor_since: since }) => {
  const password = createRandomPassword(activePasswordRules(store) ?? NO_PASSWORD_RULES, name)
  const hash = await hashPassword(md5Of(password))
  store.database.transaction(() => {
    store.users.setPassword(id, hash, false, undefined)
    store.logEvent({ event: 'password-reset', detail: name, level: LOG_WARNING })
  })
  const lines = [
    `New password of ${name}: ${password}`,
    'It is not shown again. Change it after signing in. All sessions of the user have ended.'
  ]
  if (since > 0) lines.push('The second factor stays. To switch it off: node hub/reset-second-factor.ts USER')
  return lines.join('\n')
})
