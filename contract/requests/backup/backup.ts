// Request schemas of the calls for backups.
import * as z from 'zod'
import {
  BACKUPS_KEEP_MAX,
  deleteBackup,
  listBackups,
  restoreBackup,
  runBackup,
  setBackups
} from '../../backup/backup.ts'
import { exportPassphrase } from '../../rules/passphrase.ts'
import { host, optional } from '../../rules/rules.ts'
import { scheduleTime } from '../../rules/schedule.ts'
import { isForbiddenServer } from '../../stream/address-policy.ts'
import { defineSchema, emptyRequest, faultIssue, port, text, textRule, wholeNumber } from '../schema.ts'

/** A path on a server that does not lead out of its folder. */
const path = text.refine((value) => !value.split('/').includes('..')).optional()

/** Name or address of the server in the address of an S3 service. */
const hostOf = (endpoint = '') => endpoint.replace(/^https?:\/\/|[:/].*$/g, '')

const target = z
  .object({
    kind: z.enum(['folder', 'sftp', 's3']),
    host: textRule(optional(host)).optional(),
    port: port.optional(),
    user: text.optional(),
    path,
    endpoint: z
      .string()
      .max(256)
      .regex(/^(https?:\/\/[\w.-]+(:\d{1,5})?)?\/?$/)
      .optional(),
    region: z
      .string()
      .max(64)
      .regex(/^[\w-]*$/)
      .optional(),
    bucket: z
      .string()
      .max(63)
      .regex(/^[\w.-]*$/)
      .optional(),
    'access-key': text.optional()
  })
  .superRefine((value, context) => {
    const needed = { folder: [], sftp: ['host', 'user'], s3: ['endpoint', 'bucket', 'access-key'] } as const
    for (const field of needed[value.kind])
      if (!value[field]) context.addIssue({ ...faultIssue({ name: 'required' }), path: [field] })
    // The hub must not send requests to the metadata service of a cloud. Names are checked when they are looked up.
    const servers = { host: value.host ?? '', endpoint: hostOf(value.endpoint) }
    for (const [field, server] of Object.entries(servers))
      if (isForbiddenServer(server)) context.addIssue({ ...faultIssue({ name: 'invalid' }), path: [field] })
  })
export const backupName = z.string().regex(/^headend-[\w-]{1,200}\.tar$/)

defineSchema(listBackups, emptyRequest)
defineSchema(
  setBackups,
  z.object({
    enable: z.boolean(),
    time: textRule(scheduleTime),
    keep: wholeNumber(1, BACKUPS_KEEP_MAX),
    target,
    passphrase: textRule(optional(exportPassphrase)).optional(),
    password: text.optional(),
    'forget-host-key': z.boolean().optional()
  }) as never
)
defineSchema(runBackup, emptyRequest)
defineSchema(deleteBackup, z.object({ name: backupName }))
defineSchema(restoreBackup as never, z.object({ name: backupName }))
