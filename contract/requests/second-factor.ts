// Request schemas of the calls for second factors.
import * as z from 'zod'
import {
  disableSecondFactor,
  enableSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
  startSecondFactor
} from '../access/second-factor.ts'
import { defineSchema, emptyRequest, id, md5, secondFactorCode } from './schema.ts'

defineSchema(startSecondFactor, emptyRequest)
defineSchema(enableSecondFactor, z.object({ secret: z.string().regex(/^[A-Z2-7]{32}$/), code: secondFactorCode }))
defineSchema(renewRecoveryCodes, emptyRequest)
defineSchema(disableSecondFactor, z.object({ pass: md5, code: secondFactorCode }))
defineSchema(resetSecondFactor, z.object({ id }))
