// Schemas of license/calls.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { IN_PROGRESS, REAUTHENTICATION_REQUIRED, TIMEOUT, TOO_LARGE } from '../codes.ts'
import { emptyRequest, textRule } from '../fields.schema.ts'
import { LICENSE_TITLE_MAX } from '../limits.ts'
import { dryRun, queryDryRun } from '../off-air.schema.ts'
import { licenseSerial } from '../rules/account.ts'
import { LicenseLimits, LicenseReason } from './license.schema.ts'

const title = z.string().trim().min(1).max(LICENSE_TITLE_MAX)

/** The licence that was activated or uploaded last. The fields that come from it are absent if there is none. */
export const LicenseRegistration = z.object({
  status: z.number().describe('State of the licence, see [Licence](#licence)'),
  reason: LicenseReason.optional().describe('Why it is not in force, where `status` does not say it'),
  'user-name': z.string().optional().describe('Title of the licence'),
  sn: z.string().optional().describe('Serial number of the licence'),
  license: LicenseLimits.optional().describe('Limits of the licence, whether or not it is in force; 0 = no limit'),
  permissions: z.number().optional().describe('`LICENSE_PERMISSION` bits'),
  machine: z.string().optional().describe('Fingerprint of the machine that the licence is for'),
  issued: z.int().optional().describe('When it was issued, in milliseconds since the epoch'),
  checked: z
    .int()
    .optional()
    .describe(
      'When the licence server answered last, in milliseconds since the epoch; absent for a licence from a file'
    )
})
/** The limits in force, and their usage. */
export const CurrentLicense = z.object({
  ...LicenseLimits.shape,
  'expired-time': z
    .int()
    .optional()
    .describe('End of the licence in force, in milliseconds since the epoch; absent if it has none'),
  'support-end': z
    .number()
    .optional()
    .describe('End of its maintenance support, in milliseconds since the epoch; absent if it has none'),
  used: LicenseLimits.partial()
    .optional()
    .describe(
      'Number of objects that count for each limit. All numbers with SYSTEM_CONFIG_VIEW; those of channels with CHANNEL_CONTROL or CHANNEL_EDIT, that of devices with DEVICE_ADV_CONTROL'
    )
})

export type LicenseRegistration = z.infer<typeof LicenseRegistration>
export type CurrentLicense = z.infer<typeof CurrentLicense>

export const callsSchemas = {
  'GET /license/get': {
    summary: 'Returns the licence of the hub and the limits in force.',
    request: emptyRequest,
    response: z.object({
      'license-reg': LicenseRegistration,
      'cur-license': CurrentLicense,
      machine: z.string().describe('fingerprint of this machine'),
      online: z.boolean().describe('whether a licence server is configured')
    }),

    source: 'own',
    examples: [{}]
  },
  'POST /license/activate': {
    summary:
      'Activates a licence at the licence server. `user-name`: its title. A `LICENSE_STATE` as the result if it is not valid; 2 if the server does not answer; 43 while another request to the server runs.',
    operation: ['Activate license', '激活许可证'],
    request: z.object({
      'user-name': title.describe('title of the licence, 1-64 characters'),
      sn: textRule(licenseSerial),
      ...dryRun
    }),
    errors: { [TIMEOUT]: 'the licence server does not answer', [IN_PROGRESS]: 'another request to it runs' },
    errorsNote: 'a state of the licence (`LICENSE_STATE`)',
    source: 'vendor; own: `dry-run`',
    examples: [{ 'user-name': 'Diocese', sn: 'A1B2C3D4E5F60718' }]
  },
  'POST /license/deactivate': {
    summary:
      'Removes the licence, and gives it back to the licence server. `user-name`: its title; empty for a licence that cannot be read. -14 if the title is another one; 2 if the licence is in force and its server does not answer.',
    operation: ['Deactivate license', '取消激活许可证'],
    request: z.object({ 'user-name': z.string().trim().max(LICENSE_TITLE_MAX), ...dryRun }),
    requestNote: 'empty for a licence that cannot be read',
    errors: {
      [-14]: 'another licence is installed, or none',
      [TIMEOUT]: 'and a state below, only if the licence is in force',
      [IN_PROGRESS]: '',
      [REAUTHENTICATION_REQUIRED]: ''
    },
    source: 'vendor; own: `dry-run`',
    examples: [{ 'user-name': 'Diocese' }]
  },
  'POST /license/upload': {
    summary:
      'Adds the licence of a file. A `LICENSE_STATE` as the result if it is not valid for this machine; the licence before stays.',
    operation: ['Add license file', '添加许可证文件'],
    request: z.object(queryDryRun),
    requestNote: 'file of at most 16 KiB',
    errors: { [TOO_LARGE]: '' },
    errorsNote: 'a state of the licence (`LICENSE_STATE`)',
    source: 'own',
    examples: [{}]
  }
} satisfies CallSchemas
