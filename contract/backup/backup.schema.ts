// Schemas of backup/backup.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import { IN_PROGRESS, INVALID_ARG, NOT_EXIST, REAUTHENTICATION_REQUIRED } from '../codes.ts'

import { emptyRequest, faultIssue, port, text, textRule, wholeNumber } from '../fields.schema.ts'
import { exportPassphrase } from '../rules/passphrase.ts'
import { host, optional } from '../rules/rules.ts'
import { scheduleTime } from '../rules/schedule.ts'
import { isForbiddenServer } from '../stream/address-policy.ts'
import { BACKUPS_KEEP_MAX } from './backup.ts'
import { ExportRefusal, UploadedExport } from './export.schema.ts'

/** A path on a server that does not lead out of its folder. */
const path = text.refine((value) => !value.split('/').includes('..')).optional()

/** Name or address of the server in the address of an S3 service. */
const hostOf = (endpoint = '') => endpoint.replace(/^https?:\/\/|[:/].*$/g, '')

const target = z
  .object({
    kind: z.enum(['folder', 'sftp', 's3']).describe('`folder`: only the folder of the hub, no server'),
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

/** SHA-256 of a host key, in base64 without padding, as ssh-keygen shows it. */
const hostKey = z
  .string()
  .regex(/^[\w+/]{43}$/)
  .describe('SFTP: a host key that the user trusts, SHA-256 in base64')

export const backupName = z.string().regex(/^headend-[\w-]{1,200}\.tar$/)

/** Server to which backups are uploaded. `folder`: none. */
export const BackupTarget = z.object({
  kind: z.enum(['folder', 'sftp', 's3']),
  host: z.string().optional().describe('SFTP: name or address'),
  port: z.int().optional().describe('SFTP: port, 1-65535'),
  user: z.string().optional().describe('SFTP: name of the user'),
  path: z.string().optional().describe('SFTP: folder on the server. S3: beginning of the names'),
  endpoint: z.string().optional().describe('S3: address of the service, such as `https://s3.example.com`'),
  region: z.string().optional().describe('S3: region, such as `eu-central-1`'),
  bucket: z.string().optional().describe('S3: name of the bucket'),
  'access-key': z.string().optional().describe('S3: access key ID')
})
export const BackupSettings = z.object({
  enable: z.boolean().describe('Whether a backup is made every day'),
  time: z.string().describe('Time of day of the hub, HH:MM'),
  keep: z.number().describe('Number of backups that are kept, 1-365'),
  target: BackupTarget
})
/** Why a backup failed. */
export const BackupFault = z.enum(['store', 'unreachable', 'login', 'host-key', 'upload'])
export const BackupResult = z.object({
  time: z.int().describe('When it was made, in milliseconds since the epoch'),
  name: z.string().optional().describe('File name; absent if it could not be stored'),
  fault: BackupFault.optional().describe('Absent if it succeeded'),
  reason: z.string().optional().describe('With `fault`: the sentence in the language of the request')
})
/** What a test of a server has found. */
export const BackupServerTest = z.object({
  'host-key': z.string().optional().describe('SFTP: SHA-256 of the host key of the server, in base64'),
  'is-trusted': z
    .boolean()
    .optional()
    .describe('SFTP: whether that is the stored key, or the one of the request. If not, nothing else was tried'),
  fault: BackupFault.optional().describe('Why backups cannot be stored there; absent if they can'),
  reason: z.string().optional().describe('With `fault`: the sentence in the language of the request')
})
export const StoredBackupFile = z.object({
  name: z.string().describe('Name of the file'),
  size: z.int().describe('Size in bytes'),
  time: z.int().describe('When it was made, in milliseconds since the epoch')
})
export const BackupList = z.object({
  settings: BackupSettings,
  'has-passphrase': z.boolean().describe('Whether a passphrase is stored, which seals the secrets of backups'),
  'has-password': z.boolean().describe('Whether the password or secret access key of the server is stored'),
  'host-key': z.string().optional().describe('SHA-256 of the host key of the SFTP server, in base64, once it is known'),
  running: z.boolean().describe('Whether a backup is being made now'),
  last: BackupResult.optional().describe('The last backup; absent if none was made'),
  list: z.array(StoredBackupFile).describe('Newest first')
})

export type BackupTarget = z.infer<typeof BackupTarget>
export type BackupSettings = z.infer<typeof BackupSettings>
export type BackupFault = z.infer<typeof BackupFault>
export type BackupResult = z.infer<typeof BackupResult>
export type StoredBackupFile = z.infer<typeof StoredBackupFile>
export type BackupList = z.infer<typeof BackupList>

export const backupSchemas = {
  'GET /backup/list': {
    summary: 'Lists the stored backups, with the schedule and the result of the last one.',
    request: emptyRequest,
    response: BackupList,
    responseNote:
      '`settings` (`enable`, `time`, `keep`, `target`), `has-passphrase`, `has-password`, `host-key`, `running`, `last` (`time`, `name`, `fault`, `reason`), `list` (`name`, `size`, `time`; newest first). No secrets',

    source: 'own',
    examples: [{}]
  },
  'POST /backup/set': {
    summary:
      'Changes the schedule and the target of backups. Another server or user needs the password again (7 with `field` `password`), because the stored one is not sent to another server. `forget-host-key`: trusts the next host key.',
    operation: ['Change backup settings', '更改备份设置'],
    request: z.object({
      enable: z.boolean(),
      time: textRule(scheduleTime).describe('HH:MM, clock of the hub'),
      keep: wholeNumber(1, BACKUPS_KEEP_MAX).describe('1-365'),
      target: target.describe(
        '`kind` (`folder`: no server; `sftp` with `host`, `port`, `user`, `path`; `s3` with `endpoint`, `region`, `bucket`, `path`, `access-key`)'
      ),
      passphrase: textRule(optional(exportPassphrase))
        .optional()
        .describe('Seals the secrets of each backup; without it they are left out'),
      password: text.optional().describe('Of the SFTP user, or the secret access key of S3'),
      'forget-host-key': z.boolean().optional(),
      'host-key': hostKey.optional()
    }),
    requestNote:
      '`enable`, `time` (HH:MM, clock of the hub), `keep` (1-365), `target`: `kind` (`folder`: no server; `sftp` with `host`, `port`, `user`, `path`; `s3` with `endpoint`, `region`, `bucket`, `path`, `access-key`); `passphrase` and `password` (absent: as before; empty: none), `forget-host-key`, `host-key` (one that the user trusts, as of `POST /backup/test`)',
    errors: {
      [INVALID_ARG]: 'with `field` `password` if the server or the user changes without it',
      [REAUTHENTICATION_REQUIRED]: ''
    },
    source: 'own',
    examples: [
      { enable: true, time: '03:00', keep: 14, target: { kind: 'folder' } },
      {
        enable: true,
        time: '03:00',
        keep: 365,
        target: { kind: 'sftp', host: 'nas.example', port: 22, user: 'backup', path: 'hub/daily' },
        password: 'secret',
        passphrase: 'x'.repeat(256),
        'forget-host-key': true
      },
      {
        enable: true,
        time: '03:00',
        keep: 1,
        target: {
          kind: 's3',
          endpoint: 'https://s3.example.com',
          region: 'eu-1',
          bucket: 'backups',
          path: 'hub',
          'access-key': 'AKIA'
        },
        password: 'secret',
        passphrase: ''
      }
    ]
  },
  'POST /backup/test': {
    summary:
      'Tries whether backups can be stored on a server: signs in, creates the folder, writes and removes a file. The password is sent to a server over SFTP only if its host key is the stored one or `host-key` of the request; otherwise only the key is read. The stored password is not sent to another server (7 with `field` `password`).',
    request: z.object({
      target: target.describe('As in `POST /backup/set`'),
      password: text.optional().describe('Absent: the stored one'),
      'host-key': hostKey.optional()
    }),
    response: z.object({ outcome: BackupServerTest }),
    responseNote:
      '`outcome`: `host-key` and `is-trusted` (SFTP; otherwise nothing else was tried), `fault` and `reason` if backups cannot be stored there',
    errors: { [INVALID_ARG]: 'with `field` `password` if the server or the user is another one and it is missing' },
    source: 'own',
    examples: [
      { target: { kind: 'folder' } },
      {
        target: { kind: 'sftp', host: 'nas.example', port: 22, user: 'backup', path: 'hub/daily' },
        password: 'secret',
        'host-key': 'x'.repeat(43)
      }
    ]
  },
  'POST /backup/run': {
    summary: 'Makes a backup now. It runs on; `running` and `last` of the list tell its result.',
    operation: ['Make backup', '创建备份'],
    request: emptyRequest,
    responseNote: 'the backup runs on',
    errors: { [IN_PROGRESS]: '' },
    source: 'own',
    examples: [{}]
  },
  'POST /backup/del': {
    summary: 'Deletes a backup.',
    operation: ['Delete backup', '删除备份'],
    request: z.object({ name: backupName }),
    errors: { [NOT_EXIST]: '', [REAUTHENTICATION_REQUIRED]: '' },
    source: 'own',
    examples: [{ name: 'headend-hub-2026-11-23-03-00-00.tar' }]
  },
  'POST /backup/restore': {
    summary: 'Opens a backup for an import, like `uploadImport`. Nothing changes yet.',
    operation: ['Open backup to import', '打开要导入的备份'],
    request: z.object({ name: backupName }),
    response: z.object({ ...UploadedExport.shape, ...ExportRefusal.shape }),
    responseNote: 'as `POST /api/system/import`',
    errors: { [NOT_EXIST]: '', [REAUTHENTICATION_REQUIRED]: '' },
    source: 'own',
    examples: [{ name: 'headend-hub-2026-11-23-03-00-00.tar' }]
  }
} satisfies CallSchemas
