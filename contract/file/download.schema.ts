// Schemas of file/download.
import * as z from 'zod'
import { backupName } from '../backup/backup.schema.ts'
import type { CallSchemas } from '../call.schema.ts'
import { INVALID_ARG, NOT_EXIST, NOT_PERMITTED, TRY_AGAIN } from '../codes.ts'
import { textRule } from '../fields.schema.ts'
import { exportLogFields } from '../log.schema.ts'
import { exportPassphrase as passphraseRule } from '../rules/passphrase.ts'

export const DownloadTicket = z.object({
  ticket: z.string(),
  url: z.string().describe('Path and query at which the file is, at the port for files and at those of the console'),
  'expires-s': z.number().describe('Seconds for which the ticket can be used')
})

export type DownloadTicket = z.infer<typeof DownloadTicket>

export const downloadSchemas = {
  'POST /file/ticket': {
    summary:
      'Issues a ticket for one file. The kind of the file decides which users may download it: 31 for the others, 1100 if the password must be entered again. Each kind has further errors.',
    operation: ['Download file', '下载文件'],
    request: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('log'), ...exportLogFields }),
      z.object({ kind: z.literal('backup'), name: backupName }),
      z.object({ kind: z.literal('export'), passphrase: textRule(passphraseRule).optional() })
    ]),
    requestNote:
      '`kind`; for `log`: `type`, `format`, `from`, `to`, `user`, `level`, `outcome`, `key`, `sn`, `channel`; for `export`: `passphrase` (12-256 characters; without it the secrets are left out); for `backup`: `name`',
    response: DownloadTicket,
    responseNote: '`ticket`, `url` (path and query), `expires-s`',
    errors: { [INVALID_ARG]: '', [NOT_PERMITTED]: 'without the permission of the kind' },
    errorsNote: 'those of the kind',
    source: 'own',
    examples: [
      { kind: 'log', type: 'system', format: 'csv' },
      {
        kind: 'log',
        from: 1,
        to: 2000000000000,
        user: '演播室',
        level: 3,
        outcome: 'failed',
        key: '50% [x]',
        sn: 'A406230419001',
        channel: 100001,
        type: 'device',
        format: 'json'
      },
      { kind: 'export' },
      { kind: 'backup', name: 'headend-hub-2026-11-23-03-00-00.tar' },
      { kind: 'export', passphrase: 'x'.repeat(256) }
    ]
  },
  'GET /file/get': {
    summary:
      'The file of a ticket, under the name in Content-Disposition. Status 404 with result 16 for a ticket that is wrong or expired, whose session has ended or lost the permission, or that another user presents; 429 with result 4 if too many downloads of the user run.',
    request: z.object({ ticket: z.string().max(64) }),
    content: 'application/octet-stream',
    responseNote: 'the file: `Content-Disposition: attachment` with its name, `Cache-Control: no-store`',
    errors: {
      [NOT_EXIST]:
        'status 404: wrong or expired ticket, its session has ended or lost the permission, or the request has the cookie or token of another user',
      [TRY_AGAIN]: 'status 429: too many downloads'
    },
    source: 'own',
    examples: [{ ticket: 'q3J0dGVkLXdpdGgtMzItcmFuZG9tLWJ5dGVzLWhlcmU' }]
  }
} satisfies CallSchemas
