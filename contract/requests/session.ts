import * as z from 'zod'
import { changePassword, login, logout, logoutByGet, whoAmI } from '../session.ts'
import { endSessions, listSessions } from '../user.ts'
import { ids, md5, nothing, shape, text } from './shape.ts'

shape(login, z.object({ id: z.string().min(1).max(64), pass: md5 }))
shape(logout, nothing)
shape(logoutByGet, nothing)
shape(whoAmI, nothing)
shape(
  changePassword,
  z.object({
    name: z.string().min(1).max(64).optional(),
    'old-passwd': md5.optional(),
    passwd: md5,
    password: text.optional()
  })
)
shape(listSessions, nothing)
shape(endSessions, z.object({ id: ids }))
