// Schemas of access/session.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import {
  ACCOUNT_EXPIRED,
  INVALID_ARG,
  MISMATCH,
  NOT_EXIST,
  NOT_LOGGED_IN,
  NOT_PERMITTED,
  REAUTHENTICATION_REQUIRED,
  SECOND_FACTOR_REQUIRED,
  STATE_CHANGED,
  TRY_AGAIN
} from '../codes.ts'
import { LockoutInfo } from '../envelope.schema.ts'
import { emptyRequest, family, md5, secondFactorCode, text, vendor } from '../fields.schema.ts'
import { PasswordRules } from '../rules/password.schema.ts'
import { SecondFactor } from './second-factor.schema.ts'

/** The signed-in user. */
export const LoginUser = z.object({
  name: z.string().meta(vendor('Name with which the user signs in')),
  nick: z.string().optional().meta(family('Nickname')),
  id: z.int().meta(vendor('One bit of a 32-bit mask')),
  'group-name': z.string().meta(vendor('Name of the user group')),
  permission: z.number().meta(vendor('Unsigned 32-bit permission mask')),
  type: z.int().describe('Group type (`permissions.ts`)')
})
/** The current session. */
export const SessionResponse = z.object({
  user: LoginUser,
  'default-password': z
    .boolean()
    .optional()
    .describe('The default password is still in use. On a remote machine `must-change-password` is then set too'),
  'must-change-password': z.boolean().optional().describe('Every call except the password change is refused'),
  'pwd-rule': PasswordRules.optional().describe('Password rules of the hub; absent if only the built-in rule applies'),
  'second-factor': SecondFactor.optional().describe('Absent while the user has none'),
  'must-enroll': z
    .boolean()
    .optional()
    .describe(
      "The user's group demands a second factor, and the user has none: every call but those that set one up is refused"
    ),
  display: z.string().optional().describe('Name of the wall display, if the session is one (`display.ts`)')
})
export const LoginResponse = z.object({
  ...SessionResponse.shape,
  ...LockoutInfo.shape,
  token: z.string().describe('The value of the `mwcloud-sid` cookie, which the response also sets'),
  'is-hardware': z.boolean()
})

export type LoginUser = z.infer<typeof LoginUser>
export type SessionResponse = z.infer<typeof SessionResponse>
export type LoginResponse = z.infer<typeof LoginResponse>

export const sessionSchemas = {
  'POST /login': {
    summary:
      'Signs in. For a user with a second factor: 1101 if the password is right and `code` is missing; 39 with `field` = `code` if the code is wrong or was used before.',
    operation: ['Sign in', '登录'],
    request: z.object({
      id: z.string().min(1).max(64).describe('user name'),
      pass: md5.describe('MD5'),
      code: secondFactorCode.optional().describe('with a second factor'),
      'setup-code': z
        .string()
        .max(40)
        .optional()
        .describe('beside the default password from another machine, on a hub that manages its machine')
    }),
    response: LoginResponse,
    responseNote:
      '`token` (value of the cookie `mwcloud-sid`), `is-hardware` (`false`), `user` (`name`, `nick`, `id`, `group-name`, `permission`, `type`), `default-password`, `must-change-password`, `pwd-rule`, `second-factor`, `must-enroll`',
    errors: {
      [MISMATCH]: 'wrong user name or password or, with `field` = `code` or `setup-code`, wrong code, with `locked-s`',
      [SECOND_FACTOR_REQUIRED]: 'the code is missing; with `field` = `setup-code` that of the machine',
      [ACCOUNT_EXPIRED]: 'the account has ended; with the right password only',
      [TRY_AGAIN]: 'too many queued attempts'
    },
    source:
      'vendor; own: `code`, `setup-code`, `default-password`, `must-change-password`, `pwd-rule`, `second-factor`, `must-enroll`, `locked-s`, 1101, 1103',
    examples: [
      { id: 'Admin', pass: 'e3afed0047b08059d0fada10f400c1e5' },
      { id: 'Admin', pass: 'e3afed0047b08059d0fada10f400c1e5', code: '123456', 'setup-code': '7KQD-3MXH' }
    ]
  },
  'POST /logout': {
    summary: 'Signs out.',
    operation: ['Sign out', '退出登录'],
    request: emptyRequest,
    errors: { [NOT_PERMITTED]: 'with an access token' },
    source: 'vendor',
    examples: [{}]
  },
  'GET /logout': {
    summary: 'Signs out, with GET.',
    request: emptyRequest,
    errors: { [NOT_PERMITTED]: 'with an access token' },
    source: 'vendor',
    examples: [{}]
  },
  'GET /session': {
    summary: 'Returns the user of the current session, for example after the page was reloaded.',
    request: emptyRequest,
    response: SessionResponse,
    errors: { [NOT_LOGGED_IN]: '' },
    source: 'own',
    examples: [{}]
  },
  'POST /session/reauthenticate': {
    summary:
      'Proves the password of the caller again, so that calls with `reauthenticate` are permitted for `REAUTHENTICATE_AFTER` minutes. Failures count towards the lock-out at sign-in. For a user with a second factor, `code` is required as for `login`.',
    operation: ['Confirm password', '确认密码'],
    request: z.object({
      pass: md5.describe("MD5 of the caller's password"),
      code: secondFactorCode.optional().describe('with a second factor')
    }),
    response: LockoutInfo,
    errors: {
      [MISMATCH]: 'as for login',
      [SECOND_FACTOR_REQUIRED]: 'as for login',
      [TRY_AGAIN]: 'as for login',
      [NOT_PERMITTED]: 'with an access token'
    },
    source: 'own',
    examples: [
      { pass: 'e3afed0047b08059d0fada10f400c1e5' },
      { pass: 'e3afed0047b08059d0fada10f400c1e5', code: '123 456' }
    ]
  },
  'POST /usr/password/check': {
    summary: 'Says whether a password is one of the most common ones. Nothing is refused for that, and nothing stored.',
    request: z.object({ passwd: md5.describe('MD5 of the password') }),
    response: z.object({ common: z.boolean().describe('Attackers try it first') }),
    source: 'own',
    examples: [{ passwd: 'e3afed0047b08059d0fada10f400c1e5' }]
  },
  'POST /usr/update': {
    summary:
      "Changes a password and ends all sessions of the user except the caller's. Access tokens stay valid. For another user, the caller must have proved the own password like for calls with `reauthenticate`; 1100 otherwise.",
    operation: ['Change password', '修改密码'],
    request: z.object({
      name: z.string().min(1).max(64).optional().describe('default: the caller; another user with USER_CONTROL'),
      'old-passwd': md5.optional().describe('MD5, required for the own password'),
      passwd: md5.describe('MD5 of the new password'),
      password: text
        .optional()
        .describe('new password in plain text, required if an administrator has set password rules')
    }),
    response: LockoutInfo,
    errors: {
      [NOT_EXIST]: 'unknown user',
      [MISMATCH]: 'wrong old password',
      [INVALID_ARG]: 'password rules, or empty or unchanged password',
      [STATE_CHANGED]: 'changed by another user meanwhile',
      [NOT_PERMITTED]: '',
      [REAUTHENTICATION_REQUIRED]: 'for another user'
    },
    source: 'vendor; own: `password`, `locked-s`',
    examples: [
      { passwd: 'e3afed0047b08059d0fada10f400c1e5' },
      {
        name: 'Admin',
        'old-passwd': 'e3afed0047b08059d0fada10f400c1e5',
        passwd: 'e3afed0047b08059d0fada10f400c1e5',
        password: 'Secret-1'
      }
    ]
  }
} satisfies CallSchemas
