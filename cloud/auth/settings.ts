// The settings of an organisation, which are those of a hub about its users.
import { ALL_GROUPS, type Visibility } from '../../contract/access/visibility.ts'
import { ADMIN_SESSION_MAX, SESSION_EXPIRY } from '../../contract/limits.ts'
import { DEFAULT_PASSWORD_RULES, type PasswordRules } from '../../contract/rules/password.ts'
import type { Scope } from '../store/scope.ts'

export interface CloudSettings {
  'expired-time': number
  'admin-session': number
  'pwd-rule': PasswordRules
  /** Who sees hubs that inherit it. */
  'device-security': Visibility
}

const DEFAULTS: CloudSettings = {
  'expired-time': SESSION_EXPIRY,
  'admin-session': ADMIN_SESSION_MAX,
  'pwd-rule': DEFAULT_PASSWORD_RULES,
  'device-security': { 'group-mask': ALL_GROUPS, 'usr-mask': 0 }
}

/** Those that the calls for settings have. */
export const SETTING_NAMES = ['expired-time', 'admin-session', 'pwd-rule'] as const

export interface StoredSettings {
  values: CloudSettings
  /** Whether an administrator has set one. */
  isSet(name: keyof CloudSettings): boolean
}

export async function readSettings(scope: Scope): Promise<StoredSettings> {
  const rows = await scope.select('settings').select(['name', 'value']).execute()
  const stored = new Map(rows.map(({ name, value }) => [name, JSON.parse(value)]))
  return { values: { ...DEFAULTS, ...Object.fromEntries(stored) }, isSet: (name) => stored.has(name) }
}

export async function storeSetting(scope: Scope, name: keyof CloudSettings, value: unknown): Promise<void> {
  const row = { name, value: JSON.stringify(value) }
  await scope
    .insert('settings', row)
    .onConflict((conflict) => conflict.columns(['organisation', 'name']).doUpdateSet({ value: row.value }))
    .execute()
}
