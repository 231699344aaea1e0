import * as z from 'zod'
import { PASSWORD_MAX } from '../limits.ts'
import { groupDescription, groupName, nickName, wireUserName } from '../rules/account.ts'
import {
  addGroup,
  addUser,
  deleteGroup,
  deleteUsers,
  listUsers,
  moveUsers,
  setGroup,
  setPasswordRules,
  setUser
} from '../user.ts'
import { id, ids, mask, md5, queryNumber, ruled, shape, text, wholeNumber } from './shape.ts'

shape(
  listUsers,
  z.object({
    type: z.enum(['usr', 'group']).optional(),
    id: queryNumber(0, 4294967295),
    more: queryNumber(0, 1)
  })
)
const userName = ruled(wireUserName)
const nick = ruled(nickName).optional()
shape(addUser, z.object({ name: userName, passwd: md5, password: text.optional(), 'group-id': id.optional(), nick }))
shape(
  setUser,
  z.object({
    id,
    name: userName.optional(),
    nick,
    was: z.object({ name: text.optional(), nick: text.optional() }).optional()
  })
)
shape(deleteUsers, z.object({ id: ids, names: z.array(text).max(32).optional() }))
shape(moveUsers, z.object({ id: ids, 'group-id': id }))
const group = {
  name: ruled(groupName),
  permissions: mask,
  users: z.array(userName).max(32).optional(),
  desc: ruled(groupDescription).optional()
}
shape(addGroup, z.object(group))
shape(
  setGroup,
  z.object({
    id,
    ...group,
    name: group.name.optional(),
    permissions: group.permissions.optional(),
    was: z.object({ name: text.optional(), permissions: mask.optional(), desc: text.optional() }).optional()
  })
)
shape(deleteGroup, z.object({ id, was: z.object({ name: text.optional() }).optional() }))
shape(
  setPasswordRules,
  z.object({
    'min-length': wholeNumber(1, PASSWORD_MAX),
    lower: z.boolean(),
    upper: z.boolean(),
    digit: z.boolean(),
    special: z.boolean(),
    'not-user-name': z.boolean()
  })
)
