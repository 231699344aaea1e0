// Request schemas of the calls for sessions.
import * as z from 'zod'
import { addDisplay, openDisplay } from '../access/display.ts'
import { changePassword, getSession, login, logout, logoutByGet, reauthenticate } from '../access/session.ts'
import { redeemTicket } from '../access/ticket.ts'
import { endSessions, listSessions } from '../access/user.ts'
import { displayName } from '../rules/account.ts'
import { defineSchema, emptyRequest, ids, md5, secondFactorCode, text, textRule } from './schema.ts'

defineSchema(login, z.object({ id: z.string().min(1).max(64), pass: md5, code: secondFactorCode.optional() }))
defineSchema(logout, emptyRequest)
defineSchema(logoutByGet, emptyRequest)
defineSchema(getSession, emptyRequest)
defineSchema(reauthenticate, z.object({ pass: md5, code: secondFactorCode.optional() }))
defineSchema(
  changePassword,
  z.object({
    name: z.string().min(1).max(64).optional(),
    'old-passwd': md5.optional(),
    passwd: md5,
    password: text.optional()
  })
)
defineSchema(addDisplay, z.object({ name: textRule(displayName) }))
defineSchema(openDisplay, z.object({ code: z.string().min(1).max(64) }))
defineSchema(listSessions, emptyRequest)
defineSchema(endSessions, z.object({ id: ids }))
defineSchema(redeemTicket, z.object({ ticket: z.string().min(1).max(64) }))
