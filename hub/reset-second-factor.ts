// The way out when the phone and the recovery codes of the only administrator are lost: DATA=./data node
// hub/reset-second-factor.ts USER. Switches the second factor of a user off, on the machine itself, while the hub is
// stopped. The password stays.
import { LOG_WARNING } from '../contract/log.ts'
import { runUserCommand } from './user-command.ts'

await runUserCommand('reset-second-factor', (store, { id, name, second_factor_since: since }) => {
  if (since === 0) throw new Error(`${name} has no second factor`)
  store.database.transaction(() => {
    store.secondFactors.clear(id)
    store.users.endOtherSessions(id)
    store.logEvent({ event: 'second-factor-reset', detail: name, level: LOG_WARNING })
  })
  return `${name} signs in with the password alone now, and should set up a second factor again.`
})
