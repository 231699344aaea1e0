// Schemas of access/user.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import {
  ALREADY_EXISTS,
  GROUP_MISSING,
  INVALID_ARG,
  NOT_EXIST,
  NOT_PERMITTED,
  STATE_CHANGED,
  TOO_MANY
} from '../codes.ts'
import { emptyRequest, family, id, ids, mask, md5, own, queryNumber, text, textRule, vendor } from '../fields.schema.ts'
import { groupDescription, groupName, nickName, wireUserName } from '../rules/account.ts'
import { NEVER_EXPIRES } from './token.ts'

const userName = textRule(wireUserName)

const expires = z
  .union([z.literal(NEVER_EXPIRES), z.int().min(1).max(Number.MAX_SAFE_INTEGER)])
  .optional()
  .describe('end of the account in milliseconds since the epoch, in the future; -1: none')

const nick = textRule(nickName).optional()

const group = {
  name: textRule(groupName),
  permissions: mask,
  users: z.array(userName).max(32).optional().describe('names of all members'),
  desc: textRule(groupDescription).optional(),
  'require-second-factor': z.boolean().optional()
}

export const User = z.object({
  id: z.int().meta(vendor('One bit of an unsigned 32-bit mask; 1 is Admin. The id of a deleted user is reused')),
  name: z.string().meta(vendor('Name with which the user signs in')),
  'group-id': z.int().meta(vendor('Id of the user group')),
  'group-name': z.string().meta(vendor('Name of the user group')),
  permission: z.number().meta(vendor('[Permission mask](#permissions) of the user group')),
  nick: z.string().optional().meta(family('Nickname')),
  'last-login': z
    .int()
    .optional()
    .meta(own('Last sign-in in milliseconds since the epoch; absent if there was none. For callers with USER_CONTROL')),
  'default-password': z
    .boolean()
    .optional()
    .meta(own('`true`: the default password is in use. For callers with USER_CONTROL')),
  'second-factor': z
    .boolean()
    .optional()
    .meta(own('`true`: the user signs in with a second factor. For callers with USER_CONTROL')),
  expires: z
    .int()
    .optional()
    .meta(
      own('End of the account in milliseconds since the epoch; absent if it has none. For callers with USER_CONTROL')
    ),
  guest: z.boolean().optional().meta(own('`true`: the user is a guest, who sees only what names him'))
})
export const UserGroup = z.object({
  id: z.int().meta(vendor('One bit of an unsigned 32-bit mask: 1 Admin, 2 User, 4 Viewer, 8 and above custom groups')),
  name: z.string().meta(vendor('Name of the group')),
  desc: z.string().meta(vendor('Description of the group; may be empty')),
  permission: z.number().meta(vendor('Permission mask; `permissions` in write calls')),
  type: z.int().meta(vendor('1 Admin, 2 User, 4 Viewer, 8 custom')),
  users: z
    .union([
      z.array(z.string()),
      z.array(
        z.object({
          name: z.string(),
          id: z.int()
        })
      )
    ])
    .meta(vendor('Names of the members; with `more` objects with `name` and `id`')),
  'require-second-factor': z.boolean().optional().meta(own('`true`: members must have a second factor'))
})
/** A browser session. */
export const Session = z.object({
  id: z.int().meta(own('Number, not derived from the secret')),
  user: z.string().meta(own('Name of the user')),
  'user-id': z.int().meta(own('Id of the user')),
  ip: z.string().meta(own('Client address of the last request')),
  created: z.int().meta(own('Time of the sign-in in milliseconds since the epoch')),
  seen: z.int().meta(own('Time of the last request in milliseconds since the epoch, updated every 30 s')),
  own: z.boolean().optional().meta(own('`true`: the session of the caller')),
  display: z.string().optional().meta(own('Name of the [wall display](#wall-displays), if the session is one')),
  agent: z.string().optional().meta(own('User-Agent header (at most 128 characters)')),
  browser: z.string().meta(own('Browser and operating system as text, derived from `agent`'))
})

export type User = z.infer<typeof User>
export type UserGroup = z.infer<typeof UserGroup>
export type Session = z.infer<typeof Session>

export const userSchemas = {
  'GET /usr/list': {
    summary:
      'Lists users and user groups. Who sets the visibility of devices or device groups selects users and groups by name. Without USER_CONTROL, users have no `last-login`, `default-password` and `second-factor`.',
    request: z.object({
      type: z.enum(['usr', 'group']).optional().describe('`usr`, `group`'),
      id: queryNumber(0, 4294967295).describe('with `group`'),
      more: queryNumber(0, 1).describe('1: members with ids')
    }),
    response: z.object({
      users: z.array(User).optional(),
      groups: z.array(UserGroup).optional()
    }),
    errors: { [NOT_EXIST]: '' },
    source: 'vendor',
    examples: [{}, { type: 'group', id: 4294967295, more: 1 }]
  },
  'POST /usr/add': {
    summary: 'Adds a user.',
    operation: ['Add user', '添加用户'],
    request: z.object({
      name: userName,
      passwd: md5.describe('MD5'),
      password: text.optional().describe('plain text, required if an administrator has set password rules'),
      'group-id': id.optional().describe('default: Viewer'),
      nick,
      expires,
      guest: z
        .boolean()
        .optional()
        .describe('`true`: the user sees only what names him, or has a tag that names him; cannot be changed later'),
      channels: z
        .array(id)
        .max(1000)
        .optional()
        .describe('of a guest: ids of channels that he sees; for the Admin group')
    }),
    response: z.object({
      id: z.int()
    }),
    errors: {
      [TOO_MANY]: '',
      [ALREADY_EXISTS]: '',
      [GROUP_MISSING]: '',
      [INVALID_ARG]: '',
      [NOT_EXIST]: 'a channel',
      [NOT_PERMITTED]: 'the group, `channels`, or an end after that of the caller'
    },
    source: 'own',
    examples: [
      { name: 'x', passwd: 'e3afed0047b08059d0fada10f400c1e5' },
      { name: '王小明', passwd: 'e3afed0047b08059d0fada10f400c1e5', password: 'Secret-1', 'group-id': 4, nick: '' },
      {
        name: 'vera',
        passwd: 'e3afed0047b08059d0fada10f400c1e5',
        password: 'Secret-1',
        'group-id': 4,
        nick: '',
        expires: 4102444800000,
        guest: true,
        channels: []
      }
    ]
  },
  'POST /usr/set': {
    summary: 'Sets name, nickname and the end of the account.',
    operation: ['Edit user', '编辑用户'],
    request: z.object({
      id,
      name: userName.optional(),
      nick,
      expires,
      was: z
        .object({ name: text.optional(), nick: text.optional(), expires: z.int().optional() })
        .optional()
        .describe('`name`, `nick`, `expires`')
    }),
    errors: {
      [NOT_EXIST]: '',
      [ALREADY_EXISTS]: '',
      [NOT_PERMITTED]: 'renames the user Admin or gives it an end, or sets an end after that of the caller',
      [STATE_CHANGED]: ''
    },
    source: 'own',
    examples: [{ id: 2 }, { id: 2147483648, name: 'vera', nick: 'x'.repeat(32), expires: -1 }]
  },
  'POST /usr/del': {
    summary:
      'Deletes users with their sessions and access tokens; all or none of them. Other members of the Admin group can be deleted, also by themselves.',
    operation: ['Delete users', '删除用户'],
    request: z.object({
      id: ids.describe('one or several'),
      names: z.array(text).max(32).optional().describe('expected names')
    }),
    errors: { [NOT_EXIST]: '', [NOT_PERMITTED]: 'the user Admin', [STATE_CHANGED]: '' },
    source: 'own',
    examples: [{ id: 2 }, { id: [2, 2147483648] }]
  },
  'POST /usr/set-group': {
    summary: 'Moves users to a group; all or none of them.',
    operation: ['Move users', '移动用户'],
    request: z.object({ id: ids.describe('one or several'), 'group-id': id }),
    errors: { [NOT_EXIST]: '', [GROUP_MISSING]: '', [NOT_PERMITTED]: 'the user Admin' },
    source: 'own',
    examples: [
      { id: 2, 'group-id': 4 },
      { id: [2, 4], 'group-id': 32 }
    ]
  },
  'POST /usr-group/add': {
    summary: 'Adds a user group.',
    operation: ['Add user group', '添加用户组'],
    request: z.object(group),
    response: z.object({
      id: z.int()
    }),
    errors: {
      [TOO_MANY]: '',
      [ALREADY_EXISTS]: '',
      [NOT_EXIST]: 'unknown user',
      [INVALID_ARG]: '',
      [NOT_PERMITTED]: ''
    },
    source: 'vendor; own: `require-second-factor`',
    examples: [
      { name: 'Crew', permissions: 1 },
      { name: 'Crew', permissions: 4294967295, users: ['vera'], desc: '' }
    ]
  },
  'POST /usr-group/set': {
    summary:
      'Changes a user group. For the built-in groups only `users` and `require-second-factor` can be set; other fields fail with 31. Takes effect at once for sessions and tokens of all members.',
    operation: ['Edit user group', '编辑用户组'],
    request: z.object({
      id,
      ...group,
      name: group.name.optional(),
      permissions: group.permissions
        .optional()
        .describe(
          'Permission mask. Required permissions are added (`addRequiredPermissions`). 7 for 0 and unknown bits; 31 for permissions that the caller may not grant'
        ),
      was: z
        .object({
          name: text.optional(),
          permissions: mask.optional(),
          desc: text.optional(),
          'require-second-factor': z.boolean().optional()
        })
        .optional()
        .describe('`name`, `permissions`, `desc`, `require-second-factor`')
    }),
    errors: {
      [NOT_EXIST]: '',
      [ALREADY_EXISTS]: '',
      [NOT_PERMITTED]: 'built-in group, except `users` and `require-second-factor`',
      [INVALID_ARG]: '',
      [STATE_CHANGED]: ''
    },
    source: 'vendor; own: `require-second-factor`, `was`',
    examples: [{ id: 8 }, { id: 8, name: 'Crew', permissions: 1, users: [], desc: 'x'.repeat(256) }]
  },
  'POST /usr-group/del': {
    summary: 'Deletes a user group. The members move to Viewer.',
    operation: ['Delete user groups', '删除用户组'],
    request: z.object({ id, was: z.object({ name: text.optional() }).optional().describe('`name`') }),
    requestNote: 'Its members move to Viewer',
    errors: { [NOT_EXIST]: '', [NOT_PERMITTED]: 'built-in group', [STATE_CHANGED]: '' },
    source: 'vendor; own: `was`',
    examples: [{ id: 8 }]
  },
  'GET /session/list': {
    summary:
      "Lists the caller's sessions, with USER_CONTROL also those of the users whom the caller may change; most recently used first. A user has at most 100 sessions.",
    request: emptyRequest,
    response: z.object({
      list: z.array(Session)
    }),
    responseNote:
      "`list` of sessions: the caller's and, with USER_CONTROL, those of the users whom the caller may change, most recently used first",

    source: 'own',
    examples: [{}]
  },
  'POST /session/end': {
    summary: "Ends sessions, including the caller's if listed; all or none of them.",
    operation: ['End sessions', '结束会话'],
    request: z.object({ id: ids.describe('one or several') }),
    errors: { [NOT_EXIST]: 'none is ended', [NOT_PERMITTED]: 'with an access token' },
    source: 'own',
    examples: [{ id: 1 }, { id: [1, 2] }]
  }
} satisfies CallSchemas
