// What the hub demands of a new password besides the rule every password has (specification 5): settings of the hub, made by admins.

/** Each demand is off in a new hub. */
export interface PasswordRules {
  /** Characters, 1-32. */
  'min-length': number
  /** At least one small letter, capital letter, digit, or one of ~!@#$%^&*_-+= is in it. */
  lower: boolean
  upper: boolean
  digit: boolean
  special: boolean
  /** The user name is not in it, however written. */
  'not-user-name': boolean
}

export const NO_PASSWORD_RULES: PasswordRules = {
  'min-length': 1,
  lower: false,
  upper: false,
  digit: false,
  special: false,
  'not-user-name': false
}
