// Request schemas of the calls for the firewall of the machine.
import * as z from 'zod'
import { FIREWALL_RULES_MAX } from '../../limits.ts'
import {
  confirmFirewall,
  FIREWALL_MODE,
  getFirewall,
  RULE_PROTOCOL,
  setFirewall
} from '../../machine/firewall/firewall.ts'
import { firewallRemark } from '../../rules/firewall.ts'
import { firewallPort } from '../../rules/number.ts'
import { defineSchema, emptyRequest, textRule } from '../schema.ts'

const rule = z.object({
  port: textRule(firewallPort),
  protocol: z.literal(Object.values(RULE_PROTOCOL)),
  remark: textRule(firewallRemark),
  enable: z.boolean()
})

defineSchema(getFirewall, emptyRequest)
defineSchema(confirmFirewall, z.object({ keep: z.boolean().optional() }))
defineSchema(
  setFirewall,
  z.object({
    mode: z.literal(Object.values(FIREWALL_MODE)),
    rules: z.array(rule).max(FIREWALL_RULES_MAX),
    force: z.boolean().optional(),
    revision: z.string().max(64).optional()
  })
)
