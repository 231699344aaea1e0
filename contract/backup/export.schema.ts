// Schemas of backup/export.
import * as z from 'zod'
import type { CallSchemas } from '../call.schema.ts'
import {
  FILE_TYPE_ERROR,
  IN_PROGRESS,
  INVALID_DATA,
  LICENSE_LIMIT,
  MISMATCH,
  NEED_MORE_DATA,
  NOT_EXIST,
  REAUTHENTICATION_REQUIRED,
  STATE_CHANGED,
  TOO_LARGE,
  UNSUPPORTED,
  VERIFY_FAILED
} from '../codes.ts'
import { emptyRequest } from '../fields.schema.ts'
import { EXPORT_PASSPHRASE_MAX } from '../limits.ts'
import { dryRun } from '../off-air.schema.ts'
import { EXPORT_PARTS } from './export.ts'

const uploadId = z.string().regex(/^[0-9a-f-]{36}$/)

/**
 * Who signed an export.
 * - `own`: this hub
 * - `other`: another hub; `fingerprint` is that of its key
 */
export const ExportSigner = z.enum(['own', 'other'])
export const ExportPart = z.enum(EXPORT_PARTS)
/** An uploaded export. */
export const UploadedExport = z.object({
  id: z.string().describe('Id of the uploaded export, for the calls that compare and apply it'),
  created: z.int().describe('When it was made, in milliseconds since the epoch'),
  host: z.string().describe('Name of the machine that made it'),
  version: z.string().describe('Version of the hub that made it'),
  signer: ExportSigner,
  fingerprint: z.string().describe('SHA-256 of the public key of its signer (SPKI, DER) in hex'),
  sealed: z.boolean().describe('Whether it has secrets, which a passphrase opens'),
  parts: z
    .array(
      z.object({
        part: ExportPart,
        count: z.int()
      })
    )
    .describe('Its parts with their numbers of objects')
})
/** Why an export cannot be imported. */
export const ExportFault = z.enum([
  'not-an-export',
  'damaged',
  'newer',
  'value',
  'inconsistent',
  'no-admin',
  'passphrase'
])
/** With an error: why the export was refused. */
export const ExportRefusal = z.object({
  'export-fault': ExportFault.optional(),
  of: z.string().optional().describe('Kind and name of the object, such as `channel Studio 1`'),
  left: z.number().optional().describe('With `passphrase`: the remaining attempts')
})
export const ItemKind = z.enum([
  'user',
  'group',
  'token',
  'catalog',
  'device',
  'input',
  'output',
  'channel',
  'tag',
  'preset',
  'matrix',
  'setting'
])
/** An object that the import adds, changes or removes. For `setting`, `name` is the part of the settings. */
export const DifferenceItem = z.object({
  kind: ItemKind,
  name: z.string(),
  change: z.enum(['added', 'changed', 'removed'])
})
/** What `compareImport` adds to items and notes. */
const worded = { text: z.string().describe('In words, in the language of the request') }
export const PartDifference = z.object({
  part: ExportPart,
  added: z.number(),
  changed: z.number(),
  removed: z.number(),
  items: z.array(DifferenceItem).describe('The first 200')
})
/**
 * What the import means for a channel. Channels that are not listed stay on air.
 * - `starts`, `stops`
 * - `restarts`: its settings change, which can interrupt it
 */
export const ChannelEffect = z.object({
  name: z.string(),
  effect: z.enum(['starts', 'stops', 'restarts']),
  'on-air': z.boolean().describe('Whether it runs now')
})
/**
 * What needs attention after the import, with names of objects.
 * - `password`: new users without a password: an administrator has to set one
 * - `secret`: inputs and outputs whose passwords and keys are missing. The channels of such inputs are stopped, and
 *   such outputs switched off
 * - `key`: channels that get new keys
 * - `device`: devices that wait for approval, because the key of the device is missing
 * - `login`: devices at an address whose login is missing
 * - `reference`: objects that lose a device or an input that is not there
 * - `admin`: the user who imports, who would be missing
 * - `new-admin`: users who become administrators
 * - `permission`: users of this hub who get further permissions
 * - `setting`: settings whose passphrase or code is missing and replaced by a random one
 */
export const ImportNoteKind = z.enum([
  'password',
  'secret',
  'key',
  'device',
  'login',
  'reference',
  'admin',
  'new-admin',
  'permission',
  'setting'
])
export const ImportNote = z.object({
  note: ImportNoteKind,
  names: z.array(z.string())
})
export const ImportDifference = z.object({
  parts: z.array(PartDifference.extend({ items: z.array(DifferenceItem.extend(worded)).describe('The first 200') })),
  channels: z.array(ChannelEffect),
  notes: z.array(ImportNote.extend(worded)),
  digest: z.string().describe('For `applyImport`: identifies the compared configuration and import')
})

export type ExportSigner = z.infer<typeof ExportSigner>
export type ExportPart = z.infer<typeof ExportPart>
export type UploadedExport = z.infer<typeof UploadedExport>
export type ExportFault = z.infer<typeof ExportFault>
export type ExportRefusal = z.infer<typeof ExportRefusal>
export type ItemKind = z.infer<typeof ItemKind>
export type DifferenceItem = z.infer<typeof DifferenceItem>
export type PartDifference = z.infer<typeof PartDifference>
export type ChannelEffect = z.infer<typeof ChannelEffect>
export type ImportNoteKind = z.infer<typeof ImportNoteKind>
export type ImportNote = z.infer<typeof ImportNote>
export type ImportDifference = z.infer<typeof ImportDifference>

export const exportSchemas = {
  'GET /system/export': {
    summary:
      'The configuration without secrets as a file: a tar archive, described in docs/architecture/export.md. Without logs, licence, certificates, ports, network, firewall and the schedule of backups, which belong to the hub and its machine.',
    request: emptyRequest,
    responseNote: 'the configuration without secrets as a file',

    source: 'own',
    examples: [{}]
  },
  'POST /system/import': {
    summary:
      'Uploads an export as multipart/form-data, part `file`, and checks its hashes and its signature. Nothing changes yet. It is kept for 15 minutes or until the next upload. `export-fault` has the details.',
    operation: ['Upload settings to import', '上传要导入的设置'],
    request: emptyRequest,
    requestNote: 'form with the part `file`, at most 32 MiB',
    response: z.object({ ...UploadedExport.shape, ...ExportRefusal.shape }),
    responseNote:
      '`id`, `created`, `host`, `version`, `signer` (`own`, `other`), `fingerprint`, `sealed`, `parts` (`part`, `count`). Nothing changes yet; kept for 15 minutes or until the next upload',
    errors: {
      [FILE_TYPE_ERROR]: 'each with `export-fault` where it applies',
      [VERIFY_FAILED]: 'each with `export-fault` where it applies',
      [UNSUPPORTED]: 'each with `export-fault` where it applies',
      [TOO_LARGE]: 'each with `export-fault` where it applies',
      [NEED_MORE_DATA]: 'each with `export-fault` where it applies',
      [INVALID_DATA]: 'each with `export-fault` where it applies',
      [REAUTHENTICATION_REQUIRED]: ''
    },
    source: 'own',
    examples: [{}]
  },
  'POST /system/import/compare': {
    summary:
      'Compares the uploaded export with the configuration. Without `passphrase` its secrets are not read, and those of this hub stay. Default of `parts`: all.',
    request: z.object({
      id: uploadId,
      passphrase: z
        .string()
        .min(1)
        .max(EXPORT_PASSPHRASE_MAX)
        .optional()
        .describe('without it the secrets of the file are not read'),
      parts: z
        .array(z.enum(EXPORT_PARTS))
        .min(1)
        .max(EXPORT_PARTS.length)
        .optional()
        .describe('`users`, `devices`, `streams`, `ndi`, `settings`; default: all')
    }),
    response: z.object({ ...ImportDifference.shape, ...ExportRefusal.shape }),
    responseNote:
      '`parts` (`part`, `added`, `changed`, `removed`, `items`: the first 200 of `kind`, `name`, `change`, `text`), `channels` (`name`, `effect`: `starts`, `stops`, `restarts`; `on-air`), `notes` (`note`, `names`, `text`), `digest`',
    errors: {
      [NOT_EXIST]: '',
      [MISMATCH]: 'with `left`',
      [INVALID_DATA]: '',
      [LICENSE_LIMIT]: '',
      [REAUTHENTICATION_REQUIRED]: ''
    },
    source: 'own',
    examples: [
      { id: '8d7f5a52-3f5c-4b6a-9a52-0a4f7d1c2b3e' },
      {
        id: '8d7f5a52-3f5c-4b6a-9a52-0a4f7d1c2b3e',
        passphrase: 'x'.repeat(256),
        parts: ['users', 'devices', 'streams', 'ndi', 'settings']
      }
    ]
  },
  'POST /system/import/apply': {
    summary:
      'Imports what `compareImport` compared last, all of it or nothing, and restarts the hub, which takes a few seconds. Channels that stay the same continue meanwhile.',
    operation: ['Import settings', '导入设置'],
    request: z.object({ id: uploadId, digest: z.string().regex(/^[0-9a-f]{64}$/), ...dryRun }),
    response: ExportRefusal,
    responseNote: 'the hub restarts',
    errors: {
      [NOT_EXIST]: '',
      [STATE_CHANGED]: 'the configuration has changed since',
      [IN_PROGRESS]: '',
      [REAUTHENTICATION_REQUIRED]: ''
    },
    source: 'own',
    examples: [{ id: '8d7f5a52-3f5c-4b6a-9a52-0a4f7d1c2b3e', digest: 'a'.repeat(64) }]
  }
} satisfies CallSchemas
