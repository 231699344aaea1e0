// The settings of an organisation: what a hub has of them about users (contract/settings.ts).
import { mustReauthenticate } from '../../accounts/session-times.ts'
import { isPermitted } from '../../contract/access/permissions.ts'
import { INVALID_ARG, NOT_PERMITTED, REAUTHENTICATION_REQUIRED } from '../../contract/codes.ts'
import { ADMIN_SESSION_MAX, SESSION_NEVER } from '../../contract/limits.ts'
import { NO_PASSWORD_RULES } from '../../contract/rules/password.ts'
import { getSettings, setSettings, settingRights } from '../../contract/settings.ts'
import { CallError } from '../../web-server/call-error.ts'
import { readSettings, SETTING_NAMES, storeSetting } from '../auth/settings.ts'
import { type Handler, handle, requireCaller } from '../http/handler.ts'

export function settingsHandlers({ now }: { now: () => number }): Handler[] {
  return [
    handle(getSettings, async (_context, scope) => {
      const { values } = await readSettings(scope)
      return { settings: Object.fromEntries(SETTING_NAMES.map((name) => [name, values[name]])) }
    }),
    handle(setSettings, async (context, scope, request) => {
      const caller = requireCaller(context)
      const name = SETTING_NAMES.find((each) => request[each] !== undefined)
      if (!name) throw new CallError(INVALID_ARG)
      context.detail = name
      const { edit, reauthenticate } = settingRights(name)
      if (!isPermitted(edit, caller.user) || (reauthenticate && caller.scopes)) throw new CallError(NOT_PERMITTED)
      if (reauthenticate && mustReauthenticate(caller.authenticatedAt, now()))
        throw new CallError(REAUTHENTICATION_REQUIRED)
      if (name === 'admin-session' && request[name] === SESSION_NEVER)
        throw new CallError(INVALID_ARG, { field: name, fault: 'range', min: 1, max: ADMIN_SESSION_MAX })
      const value = name === 'pwd-rule' ? { ...NO_PASSWORD_RULES, ...request[name] } : request[name]
      await storeSetting(scope, name, value)
      return {}
    })
  ]
}
