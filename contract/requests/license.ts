// Request schemas of the calls for the licence.
import * as z from 'zod'
import { activateLicense, deactivateLicense, getLicense, uploadLicense } from '../license/calls.ts'
import { LICENSE_TITLE_MAX } from '../limits.ts'
import { licenseSerial } from '../rules/account.ts'
import { defineSchema, emptyRequest, textRule } from './schema.ts'

const title = z.string().trim().min(1).max(LICENSE_TITLE_MAX)

defineSchema(getLicense, emptyRequest)
defineSchema(activateLicense, z.object({ 'user-name': title, sn: textRule(licenseSerial) }))
defineSchema(deactivateLicense, z.object({ 'user-name': z.string().trim().max(LICENSE_TITLE_MAX) }))
defineSchema(uploadLicense, emptyRequest)
