// The way out when the phone and the recovery codes of the only administrator of an organisation are lost: node
// cloud/reset-second-factor.ts USER. Switches the second factor of a user off, on the machine itself.
import { clearSecondFactor } from './auth/second-factor.ts'
import { endOtherSessions } from './auth/sessions.ts'
import { runUserCommand } from './user-command.ts'

await runUserCommand(
  'reset-second-factor',
  'second-factor-reset',
  async (scope, { id, name, second_factor_since: since }) => {
    if (since === 0) throw new Error(`${name} has no second factor`)
    await clearSecondFactor(scope, id)
    await endOtherSessions(scope, id)
    return `${name} signs in with the password alone now, and should set up a second factor again.`
  }
)
