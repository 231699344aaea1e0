// Request schemas of the calls for the clock of the machine.
import * as z from 'zod'
import { CLOCK_MAX, CLOCK_MIN } from '../../limits.ts'
import { getTime, setTime } from '../../machine/time.ts'
import { timeZone } from '../../rules/schedule.ts'
import { firstTimeServer, secondTimeServer } from '../../rules/time.ts'
import { defineSchema, emptyRequest, faultIssue, text, textRule } from '../schema.ts'

defineSchema(getTime, emptyRequest)
defineSchema(
  setTime,
  z
    .object({
      zone: textRule(timeZone).optional(),
      sync: z.boolean().optional(),
      server1: text.optional(),
      server2: text.optional(),
      time: z.int().min(CLOCK_MIN).max(CLOCK_MAX).optional()
    })
    .superRefine(({ zone, sync, time, server1 = '', server2 = '' }, context) => {
      const servers = { server1: firstTimeServer(server1), server2: secondTimeServer(server2, { server1 }) }
      for (const [field, fault] of Object.entries(servers))
        if (fault) context.addIssue({ ...faultIssue(fault), path: [field] })
      const parts = [zone, sync, time].filter((part) => part !== undefined)
      if (parts.length !== 1) context.addIssue({ ...faultIssue({ name: 'required' }), path: ['zone'] })
    })
)
