// Request schemas of the calls for users and groups.
import * as z from 'zod'
import { setProfile } from '../access/profile.ts'
import { addGroup, addUser, deleteGroup, deleteUsers, listUsers, moveUsers, setGroup, setUser } from '../access/user.ts'
import { groupDescription, groupName, nickName, wireUserName } from '../rules/account.ts'
import { defineSchema, id, ids, mask, md5, queryNumber, text, textRule } from './schema.ts'

defineSchema(
  listUsers,
  z.object({
    type: z.enum(['usr', 'group']).optional(),
    id: queryNumber(0, 4294967295),
    more: queryNumber(0, 1)
  })
)
const userName = textRule(wireUserName)
const nick = textRule(nickName).optional()
defineSchema(
  addUser,
  z.object({ name: userName, passwd: md5, password: text.optional(), 'group-id': id.optional(), nick })
)
defineSchema(
  setUser,
  z.object({
    id,
    name: userName.optional(),
    nick,
    was: z.object({ name: text.optional(), nick: text.optional() }).optional()
  })
)
defineSchema(deleteUsers, z.object({ id: ids, names: z.array(text).max(32).optional() }))
defineSchema(moveUsers, z.object({ id: ids, 'group-id': id }))
const group = {
  name: textRule(groupName),
  permissions: mask,
  users: z.array(userName).max(32).optional(),
  desc: textRule(groupDescription).optional(),
  'require-second-factor': z.boolean().optional()
}
defineSchema(addGroup, z.object(group))
defineSchema(
  setGroup,
  z.object({
    id,
    ...group,
    name: group.name.optional(),
    permissions: group.permissions.optional(),
    was: z
      .object({
        name: text.optional(),
        permissions: mask.optional(),
        desc: text.optional(),
        'require-second-factor': z.boolean().optional()
      })
      .optional()
  })
)
defineSchema(deleteGroup, z.object({ id, was: z.object({ name: text.optional() }).optional() }))
defineSchema(setProfile, z.object({ nick: textRule(nickName) }))
