// The way out when the password of the only administrator of an organisation is lost: node cloud/reset-password.ts
// USER. Gives a user a random password, on the machine itself, and prints it once. The second factor stays.
import { hashPassword, md5Of } from '../accounts/passwords.ts'
import { createRandomPassword } from '../accounts/random-password.ts'
import { activeRules, NO_PASSWORD_RULES } from '../contract/rules/password.ts'
import { endOtherSessions } from './auth/sessions.ts'
import { readSettings } from './auth/settings.ts'
import { runUserCommand } from './user-command.ts'

await runUserCommand('reset-password', 'password-reset', async (scope, { id, name, second_factor_since: since }) => {
  const rules = activeRules((await readSettings(scope)).values['pwd-rule'])
  const password = createRandomPassword(rules ?? NO_PASSWORD_RULES, name)
  const change = { password_hash: await hashPassword(md5Of(password)), default_password: 0 }
  await scope.update('users').set(change).where('id', '=', id).execute()
  await endOtherSessions(scope, id)
  const lines = [
    `New password of ${name}: ${password}`,
    'It is not shown again. Change it after signing in. All sessions of the user have ended.'
  ]
  if (since > 0) lines.push('The second factor stays. To switch it off: node cloud/reset-second-factor.ts USER')
  return lines.join('\n')
})
