// Request schemas of the calls for the licence.
import * as z from 'zod'
import { activateLicense, deactivateLicense, getLicense, uploadLicense } from '../license/calls.ts'
import { licenseSerial } from '../rules/account.ts'
import { defineSchema, emptyRequest, textRule } from './schema.ts'

const title = z.string().trim().min(1).max(64)

defineSchema(getLicense, emptyRequest)
defineSchema(activateLicense, z.object({ 'user-name': title, sn: textRule(licenseSerial) }))
defineSchema(deactivateLicense, z.object({ 'user-name': title }))
defineSchema(uploadLicense, emptyRequest)
