// Request schemas of the calls for power and reset.
import * as z from 'zod'
import { getPower, rebootHub, rebootSystem, resetSettings, shutDownSystem } from '../../machine/power.ts'
import { defineSchema, emptyRequest, md5, secondFactorCode } from '../schema.ts'

const force = z.boolean().optional()

defineSchema(getPower, emptyRequest)
for (const call of [rebootSystem, rebootHub, shutDownSystem]) defineSchema(call, z.object({ force }))
defineSchema(
  resetSettings,
  z.object({
    name: z.string().min(1).max(256),
    pass: md5,
    code: secondFactorCode.optional(),
    'keep-network': z.boolean().optional(),
    'keep-license': z.boolean().optional(),
    force
  })
)
